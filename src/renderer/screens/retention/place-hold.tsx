import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { HOLD_KINDS, LIMITS } from '../../../contract/index.ts';
import { call } from '../../api/call.ts';
import { casesQuery } from '../../api/case-queries.ts';
import { KEYS } from '../../api/keys.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { EMPTY_HOLD, type HoldDraft, selectionOf } from './hold-draft.ts';
import { KIND_NAMES } from './hold-words.tsx';

/** Places a legal hold. What is entered stays until it is placed or the page is left. */
export function PlaceHold({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(EMPTY_HOLD);
  const client = useQueryClient();
  const place = useMutation({
    mutationFn: () => call('placeHold', { body: { selection: selectionOf(draft), reason: draft.reason } }),
    onSuccess: async () => {
      toast('The hold is in force.');
      setDraft(EMPTY_HOLD);
      onClose();
      await client.invalidateQueries({ queryKey: KEYS.retention });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    place.mutate();
  };
  const change = (part: Partial<HoldDraft>): void => setDraft((before) => ({ ...before, ...part }));
  return (
    <Dialog open={open} onClose={onClose} title="Place a legal hold" className="dialog-wide">
      <form className="stack" onSubmit={submit}>
        <SelectField
          label="Covers"
          value={draft.kind}
          options={HOLD_KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] }))}
          onChange={(kind) => change({ kind, name: '' })}
        />
        <Selection draft={draft} change={change} />
        <TextField
          label="Reason"
          required
          maxLength={LIMITS.reason}
          hint="Recorded in the admin log with your account and the time."
          value={draft.reason}
          onChange={(reason) => change({ reason })}
        />
        <FormEnd error={place.error} onClose={onClose}>
          <button type="submit" className="button-primary" disabled={place.isPending}>
            Place hold
          </button>
        </FormEnd>
      </form>
    </Dialog>
  );
}

interface SelectionProps {
  readonly draft: HoldDraft;
  readonly change: (part: Partial<HoldDraft>) => void;
}

const NAMED = {
  person: {
    label: 'Person',
    maxLength: LIMITS.retention.person,
    hint: 'An address, name or account. Covers records with this subject, and those whose payload holds it as a whole word, now and in future.',
  },
  session: {
    label: 'Session',
    maxLength: 1024,
    hint: 'Covers records with this subject, and those whose payload holds it as a value.',
  },
  agent: { label: 'Agent', maxLength: 128, hint: 'Covers all records of this agent, now and in future.' },
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
      label="Case"
      required
      hint="Covers the records of this case that are in this ledger, as they are now."
      value={draft.name}
      options={[
        { value: '', label: ready.length === 0 ? 'No case is ready' : 'Choose a case' },
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
          label="From sequence number"
          type="number"
          min={1}
          placeholder="the first"
          value={draft.from}
          onChange={(from) => change({ from })}
        />
        <TextField
          label="To sequence number"
          type="number"
          min={1}
          placeholder="open"
          value={draft.to}
          onChange={(to) => change({ to })}
        />
      </div>
      <div className="field-row">
        <TextField
          label="Received from"
          placeholder="2026-01-01T00:00:00Z"
          spellCheck={false}
          value={draft.since}
          onChange={(since) => change({ since })}
        />
        <TextField
          label="Received before"
          placeholder="open"
          spellCheck={false}
          value={draft.until}
          onChange={(until) => change({ until })}
        />
      </div>
      <TextField
        label="Agent"
        placeholder="any"
        spellCheck={false}
        hint="What is left open covers future records as well."
        value={draft.agent}
        onChange={(agent) => change({ agent })}
      />
    </>
  );
}
