import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { containsFolded } from '../../../actions/index.ts';
import { HOLD_KINDS, type HoldSelection, LIMITS } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { casesQuery } from '../../api/query.ts';
import { retentionChanged } from '../../api/query-client.ts';
import { readTime } from '../../lib/read-time.ts';
import { shownZone, useTimeZone } from '../../lib/time-zone.ts';
import { useRested } from '../../lib/use-rested.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SuggestField } from '../../ui/suggest-field.tsx';
import { count, timeText } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { AgentField } from '../agent-field.tsx';
import { kindWords } from '../entity-chip.tsx';
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
      <Form act={place} call="placeHold" verb={PLACE_HOLD.placeHold} onClose={onClose}>
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

/** How many values are offered at once. */
const OFFERED = 20;

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

/** The fields for what is held. */
function Selection({ draft, change }: SelectionProps) {
  const { kind, name } = draft;
  if (kind === 'case') return <CaseField draft={draft} change={change} />;
  if (kind === 'range') return <RangeFields draft={draft} change={change} />;
  const field = { ...NAMED[kind], required: true, value: name, onChange: (typed: string) => change({ name: typed }) };
  if (kind === 'agent') return <AgentField {...field} />;
  if (kind === 'person') return <EntityField {...field} />;
  return kind === 'session' ? <SessionField {...field} /> : <TextField {...field} spellCheck={false} />;
}

type NameField = Omit<ComponentProps<typeof SuggestField>, 'suggestions'>;

/** A name or address, offered from all that records touched: people, addresses, accounts, files. */
function EntityField(field: NameField) {
  const { q } = useLedger();
  const contains = useRested(field.value.trim());
  const { data } = useQuery(
    q('entities', { body: { contains: contains === '' ? undefined : contains, limit: OFFERED } }),
  );
  // What fits what was typed before is not offered: Enter would take another name than the one that was meant.
  const suggestions = (contains === field.value.trim() ? (data?.data ?? []) : []).map(({ kind, id, actions }) => ({
    value: id,
    note: PLACE_HOLD.entityNote(kindWords(kind), actions),
  }));
  return <SuggestField {...field} spellCheck={false} autoComplete="off" dir="auto" suggestions={suggestions} />;
}

function SessionField(field: NameField) {
  const { q } = useLedger();
  const begins = useRested(field.value);
  const { data } = useQuery(q('names', { body: { field: 'session', begins, values: OFFERED } }));
  const suggestions = (begins === field.value ? (data?.data ?? []) : []).map(({ text, count: records }) => ({
    value: text,
    note: PLACE_HOLD.someRecords(records),
  }));
  return <SuggestField {...field} spellCheck={false} autoComplete="off" dir="auto" suggestions={suggestions} />;
}

/** A case, found by its name; cases of one name are told apart by when they were imported. */
function CaseField({ draft, change }: SelectionProps) {
  const [typed, setTyped] = useState('');
  const zone = useTimeZone();
  const cases = useInfiniteQuery(casesQuery);
  const ready = (cases.data?.pages ?? []).flatMap(({ data }) => data).filter(({ state }) => state === 'ready');
  const names = ready.map(({ name }) => name);
  const offered = ready.map(({ case_id: id, name, created_at: at }) => {
    const imported = timeText(at, zone);
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    return { id, value: isAlone ? name : PLACE_HOLD.caseOf(name, imported), note: imported };
  });
  const chosen = offered.find(({ id }) => id === draft.name);
  return (
    <SuggestField
      label={PLACE_HOLD.case}
      required
      spellCheck={false}
      autoComplete="off"
      placeholder={ready.length === 0 ? PLACE_HOLD.noCaseReady : PLACE_HOLD.chooseCase}
      hint={PLACE_HOLD.caseHint}
      value={chosen?.value ?? typed}
      suggestions={offered.filter(({ value }) => containsFolded(value, chosen ? '' : typed))}
      onChange={(text) => {
        setTyped(text);
        change({ name: offered.find(({ value }) => value === text)?.id ?? '' });
      }}
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
      <AgentField
        label={PLACE_HOLD.agent}
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
