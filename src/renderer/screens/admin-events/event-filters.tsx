import { getRouteApi } from '@tanstack/react-router';
import type { AnswerOf } from '../../../contract/index.ts';
import { type FilterDraft, type FilterField, FilterForm } from '../../components/filter-form.tsx';
import type { AdminEventsSearch } from '../../lib/search-params.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { EVENT_FILTERS } from './texts.ts';

const route = getRouteApi('/admin-events');

export type AdminEventsFilter = Omit<AdminEventsSearch, 'selected'>;

const FIELDS: readonly FilterField<keyof AdminEventsFilter>[] = [
  { member: 'action', label: EVENT_FILTERS.action, hint: 'agent.freeze', kind: 'word' },
  { member: 'targetType', label: EVENT_FILTERS.kindTarget, hint: EVENT_FILTERS.kindExample, kind: 'word' },
  { member: 'targetId', label: EVENT_FILTERS.target, hint: '', kind: 'word' },
  { member: 'startTime', label: EVENT_FILTERS.from, hint: '2026-01-31 00:00', kind: 'time' },
  { member: 'endTime', label: EVENT_FILTERS.before, hint: '2026-02-01 00:00', kind: 'time' },
];

function draftOf(filter: AdminEventsFilter): FilterDraft {
  const { action = '', actor = '', targetType = '', targetId = '', startTime = '', endTime = '' } = filter;
  return { action, actor, targetType, targetId, startTime, endTime };
}

interface EventFiltersProps {
  readonly filter: AdminEventsFilter;
  readonly members: AnswerOf<'listMembers'>['members'];
}

/** The filters of the log. */
export function EventFilters({ filter, members }: EventFiltersProps) {
  const navigate = route.useNavigate();
  const known = [
    { value: '', label: EVENT_FILTERS.anybody },
    ...members.map(({ user_id: id, email }) => ({ value: id, label: email })),
    { value: 'operator', label: EVENT_FILTERS.operator },
  ];
  return (
    <FilterForm
      fields={FIELDS}
      applied={draftOf(filter)}
      verb={EVENT_FILTERS.filter}
      apply={(filters) => void navigate({ search: filters })}
      clear={() => void navigate({ search: {} })}
      choices={({ actor = '' }, change) => (
        <SelectField
          label={EVENT_FILTERS.actor}
          value={actor}
          // Who has left the organization stays an actor of what they did.
          options={known.some(({ value }) => value === actor) ? known : [...known, { value: actor, label: actor }]}
          onChange={(value) => change('actor', value)}
        />
      )}
    />
  );
}
