import { readTyped, TIME_FORMS } from '../../lib/read-time.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import { useDraft } from '../../lib/use-draft.ts';
import type { TimeRange } from '../../lib/workspace-range.ts';
import { TextField } from '../../ui/field.tsx';
import { timeText } from '../../ui/time.tsx';
import { ENDS_FIRST } from '../filter-form.tsx';
import { Form } from '../form.tsx';
import { TIME_MENU } from './texts.ts';
import { PRESETS } from './time-presets.ts';
import { ZonePicker } from './zone-picker.tsx';

interface TimeChoiceProps {
  readonly range: TimeRange;
  readonly zone: TimeZone;
  readonly apply: (range: TimeRange) => void;
}

/** A preset or two times; and the zone. */
export function TimeChoice({ range, zone, apply }: TimeChoiceProps) {
  return (
    <>
      <ul className="time-presets" aria-label={TIME_MENU.presets}>
        {PRESETS.map(({ label, reach }) => (
          <li key={label}>
            <button
              type="button"
              className="button-plain"
              onClick={() => {
                const { from, to } = reach(Date.now(), zone);
                apply({
                  startTime: new Date(from).toISOString(),
                  endTime: to === undefined ? undefined : new Date(to).toISOString(),
                });
              }}
            >
              {label}
            </button>
          </li>
        ))}
        <li>
          <button type="button" className="button-plain" onClick={() => apply({})}>
            {TIME_MENU.anyTime}
          </button>
        </li>
      </ul>
      <div className="stack">
        <Between range={range} zone={zone} apply={apply} />
        <ZonePicker />
      </div>
    </>
  );
}

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly problems: { readonly from?: string | undefined; readonly to?: string | undefined };
}

function Between({ range: { startTime, endTime }, zone, apply }: TimeChoiceProps) {
  const shown = (time: string | undefined): string => (time === undefined ? '' : timeText(time, zone));
  const given: Draft = { from: shown(startTime), to: shown(endTime), problems: {} };
  const [draft, setDraft] = useDraft(given, JSON.stringify(given));
  const submit = (): void => {
    const read = (typed: string) => (typed.trim() === '' ? { time: undefined } : readTyped(typed, zone));
    const [from, to] = [read(draft.from), read(draft.to)];
    const isReversed = from.time !== undefined && to.time !== undefined && from.time >= to.time;
    const problems = {
      ...('problem' in from ? { from: from.problem } : {}),
      ...('problem' in to ? { to: to.problem } : isReversed ? { to: ENDS_FIRST } : {}),
    };
    setDraft({ ...draft, problems });
    if (Object.keys(problems).length === 0) apply({ startTime: from.time, endTime: to.time });
  };
  return (
    <Form label={TIME_MENU.between} act={submit}>
      <TextField
        label={TIME_MENU.issuedFrom(zone)}
        placeholder={TIME_MENU.fromExample}
        title={TIME_MENU.example(TIME_FORMS)}
        spellCheck={false}
        problem={draft.problems.from ?? null}
        value={draft.from}
        onChange={(from) => setDraft({ ...draft, from })}
      />
      <TextField
        label={TIME_MENU.issuedBefore(zone)}
        placeholder={TIME_MENU.beforeExample}
        title={TIME_MENU.example(TIME_FORMS)}
        spellCheck={false}
        problem={draft.problems.to ?? null}
        value={draft.to}
        onChange={(to) => setDraft({ ...draft, to })}
      />
      <div>
        <button type="submit" className="button-primary">
          {TIME_MENU.applyTimes}
        </button>
      </div>
    </Form>
  );
}
