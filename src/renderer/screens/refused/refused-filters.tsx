import { getRouteApi } from '@tanstack/react-router';
import { errorCode, REFUSAL_KINDS } from '../../../contract/index.ts';
import { type FilterDraft, type FilterField, FilterForm } from '../../components/filter-form.tsx';
import type { RefusedSearch } from '../../lib/search-params.ts';
import { SelectField } from '../../ui/select-field.tsx';
import type { SelectOption } from '../../ui/select-option.ts';
import { CODE_WORDS, KIND_WORDS } from './refusal-words.ts';
import { REFUSED_FILTERS } from './texts.ts';

const route = getRouteApi('/refused');

const FIELDS: readonly FilterField<keyof RefusedSearch>[] = [
  { member: 'agentId', label: REFUSED_FILTERS.agent, hint: 'billing-bot', kind: 'word' },
  { member: 'startTime', label: REFUSED_FILTERS.from, hint: '2026-01-31 00:00', kind: 'time' },
  { member: 'endTime', label: REFUSED_FILTERS.before, hint: '2026-02-01 00:00', kind: 'time' },
];

const KINDS: readonly SelectOption<string>[] = [
  { value: '', label: REFUSED_FILTERS.anyKind },
  ...REFUSAL_KINDS.map((value) => ({ value, label: `${KIND_WORDS[value]}s` })),
];
const CODES: readonly SelectOption<string>[] = [
  { value: '', label: REFUSED_FILTERS.anyReason },
  ...errorCode.options
    .toSorted((a, b) => CODE_WORDS[a].localeCompare(CODE_WORDS[b], 'en'))
    .map((value) => ({ value, label: `${CODE_WORDS[value]} (${value})` })),
];

function draftOf(filter: RefusedSearch): FilterDraft {
  const { agentId = '', startTime = '', endTime = '' } = filter;
  return { kind: filter.kind ?? '', code: filter.code ?? '', agentId, startTime, endTime };
}

/** The filters of what was refused. */
export function RefusedFilters({ filter }: { readonly filter: RefusedSearch }) {
  const navigate = route.useNavigate();
  return (
    <FilterForm
      fields={FIELDS}
      applied={draftOf(filter)}
      verb={REFUSED_FILTERS.filter}
      apply={(filters) => void navigate({ search: filters })}
      clear={() => void navigate({ search: {} })}
      choices={({ kind = '', code = '' }, change) => (
        <>
          <SelectField
            label={REFUSED_FILTERS.kind}
            value={kind}
            options={KINDS}
            onChange={(value) => change('kind', value)}
          />
          <SelectField
            label={REFUSED_FILTERS.reason}
            value={code}
            options={CODES}
            onChange={(value) => change('code', value)}
          />
        </>
      )}
    />
  );
}
