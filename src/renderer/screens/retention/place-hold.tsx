import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { HOLD_KINDS, type HoldSelection, LIMITS } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { casesQuery } from '../../api/query.ts';
import { retentionChanged } from '../../api/query-client.ts';
import { Form } from '../../components/form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { KIND_NAMES } from './hold-words.tsx';
import { PLACE_HOLD } from './texts.ts';

/** Places a legal hold. What is entered stays until it is placed or the page is left. */
export function PlaceHold({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY_HOLD);
  const place = async (): Promise<void> => {
    await call('placeHold', { body: { selection: selectionOf(draft), reason: draft.reason } });
    toast(PLACE_HOLD.placed);
    setDraft(EMPTY_HOLD);
    onClose();
    await retentionChanged();
  };
  const change = (part: Partial<HoldDraft>): void => setDraft((before) => ({ ...before, ...part }));
  return (
    <Dialog open={open} onClose={onClose} title={PLACE_HOLD.placeLegalHold} className="dialog-wide">
      <Form act={place} verb={PLACE_HOLD.placeHold} onClose={onClose}>
        <SelectField
          label={PLACE_HOLD.covers}
          value={draft.kind}
          options={HOLD_KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] }))}
          onChange={(kind) => change({ kind, name: '' })}
        />
        <Selection draft={draft} change={change} />
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

interface SelectionProps {
  readonly draft: HoldDraft;
  readonly change: (part: Partial<HoldDraft>) => void;
}

const NAMED = {
  person: {
    label: PLACE_HOLD.person,
    maxLength: LIMITS.retention.person,
    hint: PLACE_HOLD.personHint,
  },
  session: {
    label: PLACE_HOLD.session,
    maxLength: 1024,
    hint: PLACE_HOLD.sessionHint,
  },
  agent: { label: PLACE_HOLD.agent, maxLength: 128, hint: PLACE_HOLD.agentHint },
  records: {
    label: PLACE_HOLD.records,
    maxLength: 170_000,
    hint: PLACE_HOLD.recordsHint(count(LIMITS.retention.heldRecords)),
  },
} as const;

/** The fields for what is held. */
function Selection({ draft, change }: SelectionProps) {
  if (draft.kind === 'case') return <CaseField draft={draft} change={change} />;
  if (draft.kind === 'range') return <RangeFields draft={draft} change={change} />;
  const { label, maxLength, hint } = NAMED[draft.kind];
  return (
    <TextField
      label={label}
      required
      spellCheck={false}
      autoComplete="off"
      dir="auto"
      maxLength={maxLength}
      hint={hint}
      value={draft.name}
      onChange={(name) => change({ name })}
    />
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
          label={PLACE_HOLD.receivedFrom}
          placeholder="2026-01-01T00:00:00Z"
          spellCheck={false}
          value={draft.since}
          onChange={(since) => change({ since })}
        />
        <TextField
          label={PLACE_HOLD.receivedBefore}
          placeholder={PLACE_HOLD.open}
          spellCheck={false}
          value={draft.until}
          onChange={(until) => change({ until })}
        />
      </div>
      <TextField
        label={PLACE_HOLD.agent}
        placeholder={PLACE_HOLD.any}
        spellCheck={false}
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

const given = (name: string, text: string): object => (text.trim() === '' ? {} : { [name]: text.trim() });
const number = (name: string, text: string): object => (text.trim() === '' ? {} : { [name]: Number(text) });

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
        ...given('from_time', since),
        ...given('to_time', until),
      };
  }
}
