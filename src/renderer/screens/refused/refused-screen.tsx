import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { errorCode, REFUSAL_KINDS, type Refusal } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { pages, q } from '../../api/query.ts';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { type FilterDraft, type FilterField, FilterForm } from '../../components/filter-form.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { SaveRows } from '../../components/save-rows.tsx';
import { Screen } from '../../components/screen.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import type { RefusedSearch } from '../../lib/search-params.ts';
import { shownZone } from '../../lib/time-zone.ts';
import { Icon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { SelectOption } from '../../ui/select-option.ts';
import { count, Time, timeWords } from '../../ui/time.tsx';
import { CODE_WORDS, KIND_WORDS, whoOf, wordsOf } from './refusal-words.ts';
import { saveRefused } from './save-refused.ts';
import { REFUSED_FILTERS, REFUSED_SCREEN, SAVE_LIST } from './texts.ts';

const route = getRouteApi('/refused');

/** A text that a sender may have chosen, whole in its title. */
function Foreign({ text }: { readonly text: string | null }) {
  if (text === null || text === '') return <span className="muted">–</span>;
  return (
    <span title={visibleText(text)}>
      <Seen text={text} />
    </span>
  );
}

function Who({ refusal, emails }: { readonly refusal: Refusal; readonly emails: ReadonlyMap<string, string> }) {
  const { is_alarm: isAlarm, agent_id: agentId } = refusal;
  const who = whoOf(refusal, emails);
  // The agent of an alarm is a registered one; another is whatever a record says.
  if (!isAlarm || agentId === null) return <Foreign text={who} />;
  return (
    <Link to="/agents/$agentId" params={{ agentId }} title={visibleText(who)} data-row tabIndex={-1}>
      <AgentName agentId={agentId} />
    </Link>
  );
}

function columnsFor(emails: ReadonlyMap<string, string>): readonly GridColumn<Refusal>[] {
  return [
    { id: 'when', head: REFUSED_SCREEN.when, width: 174, cell: (row) => <Time value={row.last_at} /> },
    { id: 'kind', head: REFUSED_SCREEN.kind, width: 84, cell: ({ kind }) => KIND_WORDS[kind] },
    {
      id: 'who',
      head: REFUSED_SCREEN.agentOrAccount,
      width: 160,
      grows: true,
      cell: (row) => <Who refusal={row} emails={emails} />,
    },
    { id: 'kid', head: REFUSED_SCREEN.key, width: 80, cell: ({ kid }) => <Foreign text={kid} /> },
    {
      id: 'reason',
      head: REFUSED_SCREEN.reason,
      width: 210,
      grows: true,
      cell: ({ code, is_alarm: isAlarm }) => (
        <span className={isAlarm ? 'mark mark-cannot_check' : ''} title={visibleText(code)}>
          {isAlarm && <Icon name="warning" />}
          {wordsOf(code)}
        </span>
      ),
    },
    { id: 'code', head: REFUSED_SCREEN.code, width: 152, cell: ({ code }) => <Foreign text={code} /> },
    { id: 'address', head: REFUSED_SCREEN.address, width: 84, cell: ({ address }) => <Foreign text={address} /> },
    {
      id: 'times',
      head: REFUSED_SCREEN.times,
      width: 56,
      right: true,
      cell: ({ times, first_at: from, last_at: to }) => (
        <span
          title={
            times === 1 ? undefined : REFUSED_SCREEN.fromTo(timeWords(from, shownZone()), timeWords(to, shownZone()))
          }
        >
          {count(times)}
        </span>
      ),
    },
  ];
}

/** What the service refused: submissions and sign-ins, which are not evidence. */
export function RefusedScreen() {
  const { zone: _, ...filter } = route.useSearch();
  const query = useInfiniteQuery(pages('listRefusals', { query: { ...filter, limit: 100 } }));
  const members = useQuery(q('listMembers'));
  const { rows, more, hasMore } = usePages(query, dataOf<Refusal>);
  const columns = useMemo(
    () => columnsFor(new Map(members.data?.members.map(({ user_id: id, email }) => [id, email]))),
    [members.data],
  );
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Screen title={REFUSED_SCREEN.refused} name={REFUSED_SCREEN.refused} flush actions={<SaveList filter={filter} />}>
      <RefusedFilters filter={filter} />
      <Answer query={query} what={REFUSED_SCREEN.whatRefused}>
        {() =>
          rows.length === 0 ? (
            <Empty title={isFiltered ? REFUSED_SCREEN.nothingFound : REFUSED_SCREEN.nothingRefused}>
              <p>{isFiltered ? REFUSED_SCREEN.noMatch : REFUSED_SCREEN.explained}</p>
            </Empty>
          ) : (
            <VirtualGrid
              label={REFUSED_SCREEN.refused}
              columns={columns}
              rows={rows}
              keyOf={({ refusal_no: no }) => String(no)}
              isAlarm={({ is_alarm: isAlarm }) => isAlarm}
              onEnd={more}
              foot={
                <>
                  <span role="status">
                    {count(rows.length)} {rows.length === 1 ? REFUSED_SCREEN.row : REFUSED_SCREEN.rows}
                    {hasMore ? REFUSED_SCREEN.loaded : REFUSED_SCREEN.all}
                  </span>
                  <span className="push">{REFUSED_SCREEN.noEvidence}</span>
                </>
              }
            />
          )
        }
      </Answer>
    </Screen>
  );
}

/** The list as a file, all that the filters find. */
function SaveList({ filter }: { readonly filter: RefusedSearch }) {
  return (
    <SaveRows
      label={SAVE_LIST.saveList}
      save={async (format, onProgress) => {
        const { rows, complete } = await saveRefused(filter, format, onProgress);
        return complete ? SAVE_LIST.saved(SAVE_LIST.rows(rows)) : SAVE_LIST.newestSaved(SAVE_LIST.rows(rows));
      }}
    >
      {SAVE_LIST.explained}
    </SaveRows>
  );
}

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
function RefusedFilters({ filter }: { readonly filter: RefusedSearch }) {
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
