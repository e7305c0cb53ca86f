import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { HOLD_KINDS, type HoldSelection, LIMITS } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { call } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { casesQuery } from '../../api/query.ts';
import { retentionChanged } from '../../api/query-client.ts';
import { readTime } from '../../lib/read-time.ts';
import { shownZone, useTimeZone } from '../../lib/time-zone.ts';
import { useRested } from '../../lib/use-rested.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Form } from '../form.tsx';
import { NamedPlaces } from '../named-places.tsx';
import { HeldCount } from './held-count.tsx';
import { KIND_NAMES } from './hold-words.tsx';
import { PLACE_HOLD } from './texts.ts';

interface PlaceHoldProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** What the form begins with. */
  readonly given?: Pick<HoldDraft, 'kind' | 'name'>;
}

/** Places a legal hold, and says before how many records it covers. What is entered stays until it is placed or the page is left. */
export function PlaceHold({ open, onClose, given }: PlaceHoldProps) {
  const [draft, setDraft] = useState<HoldDraft>({ ...EMPTY_HOLD, ...given });
  const place = async (): Promise<void> => {
    await call('placeHold', { body: { selection: selectionOf(draft), reason: draft.reason } });
    toast(PLACE_HOLD.placed);
    setDraft(EMPTY_HOLD);
    onClose();
    await retentionChanged();
  };
  const change = (part: Partial<HoldDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const asked: object | null = JSON.parse(useRested(JSON.stringify(isWhole(draft) ? selectionOf(draft) : null)));
  return (
    <Dialog open={open} onClose={onClose} title={PLACE_HOLD.placeLegalHold} className="dialog-wide">
      <Form act={place} verb={PLACE_HOLD.placeHold} onClose={onClose}>
        <fieldset className="field">
          <legend>{PLACE_HOLD.covers}</legend>
          <div className="segments">
            {HOLD_KINDS.map((kind) => (
              <button
                key={kind}
                type="button"
                className="button-small"
                aria-pressed={draft.kind === kind}
                onClick={() => change({ kind, name: '' })}
              >
                {KIND_NAMES[kind]}
              </button>
            ))}
          </div>
        </fieldset>
        <Selection draft={draft} change={change} />
        <p role="status" className="muted">
          <HeldCount selection={asked} />
        </p>
        {draft.kind === 'person' && <Places person={draft.name} />}
        <TextField
          label={PLACE_HOLD.reason}
          required
          maxLength={LIMITS.reason}
          hint={PLACE_HOLD.recorded}
          value={draft.reason}
          onChange={(reason) => change({ reason })}
        />
      </Form>
    </Dialog>
  );
}

/** Where the ledger names the person, once somebody asks: the same places as an export and an erasure show. */
function Places({ person }: { readonly person: string }) {
  const [sought, setSought] = useState('');
  const name = person.trim();
  return (
    <>
      <div>
        <button type="button" className="button-small" disabled={name === ''} onClick={() => setSought(name)}>
          {PLACE_HOLD.showPlaces}
        </button>
      </div>
      <NamedPlaces names={sought === '' ? [] : [sought]} purpose="hold" />
    </>
  );
}

interface SelectionProps {
  readonly draft: HoldDraft;
  readonly change: (part: Partial<HoldDraft>) => void;
}

const NAMED = {
  records: {
    label: PLACE_HOLD.records,
    maxLength: 170_000,
    hint: PLACE_HOLD.recordsHint(count(LIMITS.retention.heldRecords)),
  },
  person: { label: PLACE_HOLD.person, maxLength: LIMITS.retention.person, hint: PLACE_HOLD.personHint },
  session: { label: PLACE_HOLD.session, maxLength: 1024, hint: PLACE_HOLD.sessionHint },
  agent: { label: PLACE_HOLD.agent, maxLength: 128, hint: PLACE_HOLD.agentHint },
} as const;

/** Which field of a query has what the ledger offers for a kind. */
const OFFERED = { person: 'user', session: 'session', agent: 'agent' } as const;

/** The fields for what is held. */
function Selection({ draft, change }: SelectionProps) {
  if (draft.kind === 'case') return <CaseField draft={draft} change={change} />;
  if (draft.kind === 'range') return <RangeFields draft={draft} change={change} />;
  const { label, maxLength, hint } = NAMED[draft.kind];
  return (
    <NameField
      key={draft.kind}
      field={draft.kind === 'records' ? null : OFFERED[draft.kind]}
      label={label}
      required
      maxLength={maxLength}
      hint={hint}
      value={draft.name}
      onChange={(name) => change({ name })}
    />
  );
}

interface NameFieldProps {
  /** The field of a query whose values are offered; null where none are. */
  readonly field: string | null;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly maxLength: number;
}

/** A name, offered from those that the ledger has: another one can be typed. */
function NameField({ field, value, ...props }: NameFieldProps) {
  const list = useId();
  const { q } = useLedger();
  const begins = useRested(value);
  const { data } = useQuery({
    ...q('names', { body: { field: field ?? undefined, begins, values: 20 } }),
    enabled: field !== null,
  });
  return (
    <>
      <TextField {...props} list={list} spellCheck={false} autoComplete="off" dir="auto" value={value} />
      <datalist id={list}>
        {field !== null &&
          data?.data.map(({ text }) => (
            <option key={text} value={text}>
              {visibleText(text)}
            </option>
          ))}
      </datalist>
    </>
  );
}

function CaseField({ draft, change }: SelectionProps) {
  const cases = useInfiniteQuery(casesQuery);
  const ready = (cases.data?.pages ?? []).flatMap(({ data }) => data).filter(({ state }) => state === 'ready');
  return (
    <SelectField
      label={PLACE_HOLD.case}
      required
      hint={PLACE_HOLD.caseHint}
      value={draft.name}
      options={[
        { value: '', label: ready.length === 0 ? PLACE_HOLD.noCaseReady : PLACE_HOLD.chooseCase },
        ...ready.map(({ case_id: id, name }) => ({ value: id, label: name })),
      ]}
      onChange={(name) => change({ name })}
    />
  );
}

function RangeFields({ draft, change }: SelectionProps) {
  const zone = useTimeZone();
  return (
    <>
      <div className="field-row">
        <TextField
          label={PLACE_HOLD.fromNumber}
          type="number"
          min={1}
          placeholder={PLACE_HOLD.first}
          value={draft.from}
          onChange={(from) => change({ from })}
        />
        <TextField
          label={PLACE_HOLD.toNumber}
          type="number"
          min={1}
          placeholder={PLACE_HOLD.open}
          value={draft.to}
          onChange={(to) => change({ to })}
        />
      </div>
      <div className="field-row">
        <TextField
          label={PLACE_HOLD.receivedFrom(zone)}
          placeholder={PLACE_HOLD.timeExample}
          spellCheck={false}
          value={draft.since}
          onChange={(since) => change({ since })}
        />
        <TextField
          label={PLACE_HOLD.receivedBefore(zone)}
          placeholder={PLACE_HOLD.open}
          spellCheck={false}
          value={draft.until}
          onChange={(until) => change({ until })}
        />
      </div>
      <NameField
        field={OFFERED.agent}
        label={PLACE_HOLD.agent}
        maxLength={128}
        placeholder={PLACE_HOLD.any}
        hint={PLACE_HOLD.openHint}
        value={draft.agent}
        onChange={(agent) => change({ agent })}
      />
    </>
  );
}

/** The fields of a new hold, as they are typed. */
interface HoldDraft {
  readonly kind: HoldSelection['kind'];
  readonly name: string;
  readonly agent: string;
  readonly from: string;
  readonly to: string;
  readonly since: string;
  readonly until: string;
  readonly reason: string;
}

const EMPTY_HOLD: HoldDraft = {
  kind: 'person',
  name: '',
  agent: '',
  from: '',
  to: '',
  since: '',
  until: '',
  reason: '',
};

/** Whether enough is entered to ask how much it covers. */
function isWhole({ kind, name }: HoldDraft): boolean {
  return kind === 'range' || name.trim() !== '';
}

const given = (name: string, text: string): object => (text.trim() === '' ? {} : { [name]: text.trim() });
const number = (name: string, text: string): object => (text.trim() === '' ? {} : { [name]: Number(text) });
/** A time in the zone of the page's times; anything else is sent as it was typed, and the service refuses it. */
const moment = (name: string, text: string): object =>
  given(name, readTime(text, Date.now(), undefined, shownZone()) ?? text);

/** What is sent for the fields; the service says what is wrong with it. */
function selectionOf({ kind, name, agent, from, to, since, until }: HoldDraft): object {
  switch (kind) {
    case 'person':
      return { kind, person: name };
    case 'session':
      return { kind, session: name };
    case 'agent':
      return { kind, agent_id: name.trim() };
    case 'records':
      return { kind, runs: name.replaceAll(' ', '') };
    case 'case':
      return { kind, case_id: name };
    case 'range':
      return {
        kind,
        ...given('agent_id', agent),
        ...number('from_seq_no', from),
        ...number('to_seq_no', to),
        ...moment('from_time', since),
        ...moment('to_time', until),
      };
  }
}
