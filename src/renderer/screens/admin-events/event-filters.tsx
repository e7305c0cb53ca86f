import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { AnswerOf } from '../../../contract/index.ts';
import { TextField } from '../../components/field.tsx';
import { readTime } from '../../components/read-time.ts';
import type { AdminEventsFilter } from '../../service/administration-queries.ts';

const route = getRouteApi('/admin-events');

const FIELDS = [
  { member: 'action', label: 'Action', hint: 'agent.freeze' },
  { member: 'targetType', label: 'Kind of target', hint: 'agent' },
  { member: 'targetId', label: 'Target', hint: '' },
  { member: 'startTime', label: 'From (UTC)', hint: '2026-01-31 00:00' },
  { member: 'endTime', label: 'Before (UTC)', hint: '2026-02-01 00:00' },
] as const;
type Member = (typeof FIELDS)[number]['member'] | 'actor';
type Draft = Readonly<Record<Member, string>>;

function draftOf(filter: AdminEventsFilter): Draft {
  const { action = '', actor = '', targetType = '', targetId = '', startTime = '', endTime = '' } = filter;
  return { action, actor, targetType, targetId, startTime, endTime };
}

/** What the fields say as filters, or which of them cannot be read. */
function read(draft: Draft): { readonly filter: AdminEventsFilter } | { readonly wrong: string } {
  const filter: Record<string, string | undefined> = { actor: draft.actor || undefined };
  for (const { member, label } of FIELDS) {
    const text = draft[member].trim();
    if (text === '') filter[member] = undefined;
    else if (member === 'startTime' || member === 'endTime') {
      const time = readTime(text);
      if (time === null) return { wrong: `${label}: not a time` };
      filter[member] = time;
    } else filter[member] = text;
  }
  return { filter };
}

interface EventFiltersProps {
  readonly filter: AdminEventsFilter;
  readonly members: AnswerOf<'listMembers'>['members'];
}

/** The filters of the log. They apply on Enter, and live in the address. */
export function EventFilters({ filter, members }: EventFiltersProps) {
  const navigate = route.useNavigate();
  const applied = JSON.stringify(draftOf(filter));
  const [draft, setDraft] = useState<Draft>(() => draftOf(filter));
  const [wrong, setWrong] = useState<string | null>(null);
  const actor = useId();
  useEffect(() => setDraft(JSON.parse(applied) as Draft), [applied]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const result = read(draft);
    setWrong('wrong' in result ? result.wrong : null);
    if ('filter' in result) void navigate({ search: result.filter });
  };
  const hasAny = Object.values(draft).some((value) => value !== '');
  // Who has left the organization stays an actor of what they did.
  const isKnown = draft.actor === '' || members.some(({ user_id: id }) => id === draft.actor);
  return (
    <form className="filters" onSubmit={submit} aria-label="Filters">
      {FIELDS.map(({ member, label, hint }, n) => (
        <TextField
          key={member}
          label={label}
          placeholder={hint}
          spellCheck={false}
          {...(n === 0 ? { 'data-filter': true } : {})}
          value={draft[member]}
          onChange={(value) => setDraft((before) => ({ ...before, [member]: value }))}
        />
      ))}
      <div className="field">
        <label htmlFor={actor}>Actor</label>
        <select
          id={actor}
          value={draft.actor}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setDraft((before) => ({ ...before, actor: chosen }));
          }}
        >
          <option value="">Anybody</option>
          {!isKnown && <option value={draft.actor}>{draft.actor}</option>}
          {members.map(({ user_id: id, email }) => (
            <option key={id} value={id}>
              {email}
            </option>
          ))}
          <option value="operator">the operator (command line)</option>
        </select>
      </div>
      <button type="submit" className="button-primary">
        Filter
      </button>
      {hasAny && (
        <button type="button" onClick={() => void navigate({ search: {} })}>
          Clear
        </button>
      )}
      {wrong !== null && (
        <span className="field-error" role="alert">
          {wrong}
        </span>
      )}
    </form>
  );
}
