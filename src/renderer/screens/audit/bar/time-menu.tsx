import { Popover } from '@base-ui/react/popover';
import { useState } from 'react';
import { ledgerScreen } from '../../../api/ledger/places.tsx';
import { ENDS_FIRST } from '../../../components/filter-form.tsx';
import { Form } from '../../../components/form.tsx';
import { NOT_A_TIME, readTime, TIME_FORMS } from '../../../lib/read-time.ts';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { storeTimeZone, type TimeZone, useTimeZone, zoneName } from '../../../lib/time-zone.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { timeText } from '../../../ui/time.tsx';
import { TIME_MENU } from './texts.ts';
import { PRESETS } from './time-presets.ts';

const route = ledgerScreen('/search');

interface TimeMenuProps {
  readonly search: AuditSearch;
}

/** When what is searched for was issued: a preset or two times; and the zone that the page shows times in. */
export function TimeMenu({ search }: TimeMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const navigate = route.useNavigate();
  const zone = useTimeZone();
  const isBounded = search.startTime !== undefined || search.endTime !== undefined;
  const apply = (startTime: string | undefined, endTime: string | undefined): void => {
    setOpen(false);
    void navigate({ search: (before) => ({ ...before, startTime, endTime }) });
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="bar-button">
        <Icon name="wait" />
        {isBounded ? TIME_MENU.chosen : TIME_MENU.anyTime}
        <span className="muted">{zone === 'utc' ? TIME_MENU.utc : TIME_MENU.local}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="menu-place" align="start" sideOffset={4}>
          <Popover.Popup className="menu panel-body time-menu" aria-label={TIME_MENU.time}>
            <ul className="time-presets" aria-label={TIME_MENU.presets}>
              {PRESETS.map(({ label, reach }) => (
                <li key={label}>
                  <button
                    type="button"
                    className="button-plain"
                    onClick={() => {
                      const { from, to } = reach(Date.now(), zone);
                      apply(new Date(from).toISOString(), to === undefined ? undefined : new Date(to).toISOString());
                    }}
                  >
                    {label}
                  </button>
                </li>
              ))}
              <li>
                <button type="button" className="button-plain" onClick={() => apply(undefined, undefined)}>
                  {TIME_MENU.anyTime}
                </button>
              </li>
            </ul>
            <div className="stack">
              <Range search={search} zone={zone} apply={apply} />
              <ZoneSwitch zone={zone} />
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface RangeProps {
  readonly search: AuditSearch;
  readonly zone: TimeZone;
  readonly apply: (startTime: string | undefined, endTime: string | undefined) => void;
}

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly problems: { readonly from?: string; readonly to?: string };
}

function Range({ search: { startTime, endTime }, zone, apply }: RangeProps) {
  const shown = (time: string | undefined): string => (time === undefined ? '' : timeText(time, zone));
  const given: Draft = { from: shown(startTime), to: shown(endTime), problems: {} };
  const [draft, setDraft] = useDraft(given, JSON.stringify(given));
  const submit = (): void => {
    const read = (typed: string) => (typed.trim() === '' ? undefined : readTime(typed, Date.now(), undefined, zone));
    const [from, to] = [read(draft.from), read(draft.to)];
    const isReversed = from != null && to != null && from >= to;
    const problems = {
      ...(from === null ? { from: NOT_A_TIME } : {}),
      ...(to === null ? { to: NOT_A_TIME } : isReversed ? { to: ENDS_FIRST } : {}),
    };
    setDraft({ ...draft, problems });
    if (from !== null && to !== null && !isReversed) apply(from, to);
  };
  const words = zone === 'utc' ? 'UTC' : TIME_MENU.localTime;
  return (
    <Form label={TIME_MENU.between} act={submit}>
      <TextField
        label={TIME_MENU.issuedFrom(words)}
        placeholder={TIME_MENU.fromExample}
        title={TIME_MENU.example(TIME_FORMS)}
        spellCheck={false}
        problem={draft.problems.from ?? null}
        value={draft.from}
        onChange={(from) => setDraft({ ...draft, from })}
      />
      <TextField
        label={TIME_MENU.issuedBefore(words)}
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

function ZoneSwitch({ zone }: { readonly zone: TimeZone }) {
  return (
    <fieldset className="choices zone-switch">
      <legend>{TIME_MENU.timesIn}</legend>
      {(['utc', 'local'] as const).map((one) => (
        <label key={one}>
          <input type="radio" name="time-zone" checked={zone === one} onChange={() => storeTimeZone(one)} />
          {one === 'utc' ? TIME_MENU.utc : TIME_MENU.localTimeOf(zoneName('local'))}
        </label>
      ))}
    </fieldset>
  );
}
