import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { chooseZone, machineZone, offeredZones, offsetText, readZone, UTC, useTimeZone } from '../../lib/time-zone.ts';
import { TextField } from '../../ui/field.tsx';
import { Form } from '../form.tsx';
import { ZONE_PICKER } from './texts.ts';

/** The zone that all times are shown in, and read in that are typed without an offset: one that was used before, or any other. */
export function ZonePicker() {
  const shown = useTimeZone();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const choose = (zone: string): void => {
    chooseZone(zone);
    setTyped('');
    setProblem(null);
    // The address follows.
    void navigate({ to: '.', search: (before: object) => before, replace: true } as Parameters<typeof navigate>[0]);
  };
  const submit = (): void => {
    const zone = readZone(typed);
    if (zone === null) setProblem(ZONE_PICKER.unknown(typed.trim()));
    else choose(zone);
  };
  const now = Date.now();
  return (
    <div className="stack">
      <fieldset className="choices zone-choices">
        <legend>{ZONE_PICKER.zone}</legend>
        {offeredZones().map((zone) => (
          <label key={zone}>
            <input type="radio" name={id} checked={shown === zone} onChange={() => choose(zone)} />
            {zone === machineZone() && zone !== UTC ? ZONE_PICKER.ofMachine(zone) : zone}
            {zone !== UTC && <span className="muted number">{offsetText(now, zone)}</span>}
          </label>
        ))}
      </fieldset>
      <Form className="zone-form" label={ZONE_PICKER.another} act={submit}>
        <TextField
          label={ZONE_PICKER.another}
          placeholder={ZONE_PICKER.example}
          list={`${id}-zones`}
          autoComplete="off"
          spellCheck={false}
          required
          problem={problem}
          value={typed}
          onChange={setTyped}
        />
        <datalist id={`${id}-zones`}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <button type="submit">{ZONE_PICKER.use}</button>
      </Form>
    </div>
  );
}
