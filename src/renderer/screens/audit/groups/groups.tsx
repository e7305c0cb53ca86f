import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Grouping, isTimeStep, termsOfGroup } from '../../../../actions/index.ts';
import type { AnswerOf } from '../../../../api/index.ts';
import { visibleText } from '../../../../protocol/index.ts';
import { type AuditFilter, useLedger } from '../../../api/ledger/ledger.ts';
import { ledgerScreen } from '../../../api/ledger/places.tsx';
import { rowsText, saveRows, stampOf } from '../../../api/rows-file.ts';
import { Answer } from '../../../components/answer.tsx';
import { CoverageMark } from '../../../components/coverage-mark.tsx';
import { GroupFields } from '../../../components/group-fields.tsx';
import { recordsOfSearch } from '../../../components/hand-over/gather.ts';
import { HandOverButton } from '../../../components/hand-over/hand-over-button.tsx';
import { SaveRows } from '../../../components/save-rows.tsx';
import { GROUP_FIELDS } from '../../../components/texts.ts';
import { useStop, Waiting } from '../../../components/waiting.tsx';
import { groupingOf } from '../../../lib/grouping-address.ts';
import type { AskedSums } from '../../../lib/report-draft.ts';
import type { AuditSearch } from '../../../lib/search-params.ts';
import { Empty } from '../../../ui/panel.tsx';
import { ScrollArea } from '../../../ui/scroll-area.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { count } from '../../../ui/time.tsx';
import { FIELDS } from '../texts.ts';
import { useTerms } from '../use-terms.ts';
import { GROUPS } from './texts.ts';

const route = ledgerScreen('/search');

type Groups = AnswerOf<'groups'>;
type Measured = Groups['all'][number];

/** What is found, grouped and added up: a table whose bars are its chart. */
export function GroupedResult({ search, filter }: { readonly search: AuditSearch; readonly filter: AuditFilter }) {
  const { q } = useLedger();
  const grouping = groupingOf(search) ?? ALL_COUNTED;
  const { op, of, by } = grouping;
  const measures = [op === 'count' ? { op } : { op, of }];
  const { tag: _, ...ofGroups } = filter;
  const order = isTimeStep(by[0] ?? '') ? 'key' : 'value';
  const asked = q('groups', { body: { ...ofGroups, by, measures, order, limit: MOST } });
  const found = useQuery({ ...asked, placeholderData: keepPreviousData });
  const stop = useStop([asked.queryKey], found.isFetching);
  return (
    <>
      <GroupBar search={search} />
      {found.isPlaceholderData && (
        <Waiting what={GROUPS.what} stop={stop} retry={() => void found.refetch()} hasOther />
      )}
      <Answer query={found} what={GROUPS.what} stop={stop}>
        {(groups) =>
          groups.total === 0 ? (
            <Empty title={GROUPS.none}>
              <p>{GROUPS.noneText}</p>
            </Empty>
          ) : (
            <GroupTable groups={groups} grouping={grouping} filter={filter} isOfRecords={search.unit === 'records'} />
          )
        }
      </Answer>
    </>
  );
}

const ALL_COUNTED: Grouping = { op: 'count', of: '', by: [] };

/** Groups that are shown. */
const MOST = 500;

/** What is grouped by, and what is added up: part of the address. */
function GroupBar({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  return (
    <div className="group-head">
      <GroupFields
        grouping={groupingOf(search) ?? ALL_COUNTED}
        change={({ op, of, by }) => {
          const measure = op === 'count' ? undefined : `${op} ${of}`;
          void navigate({ search: (before) => ({ ...before, by: [...by], measure }), replace: true });
        }}
      />
    </div>
  );
}

interface GroupTableProps {
  readonly groups: Groups;
  readonly grouping: Grouping;
  /** What the groups are of. */
  readonly filter: AuditFilter;
  readonly isOfRecords: boolean;
}

function GroupTable({ groups, grouping, filter, isOfRecords }: GroupTableProps) {
  const { op, of, by } = grouping;
  const isCount = op === 'count';
  const openOf = useOpenGroup(grouping, filter);
  const size = (row: Groups['data'][number]): number =>
    isCount ? row.count : Math.abs(Number(row.measures[0]?.amounts[0]?.value ?? 0));
  // Amounts of different currencies are not compared either.
  const currencyOf = (row: Groups['data'][number]): string => row.measures[0]?.amounts[0]?.currency ?? '';
  const greatest = new Map<string, number>();
  for (const row of groups.data) {
    const currency = currencyOf(row);
    greatest.set(currency, Math.max(greatest.get(currency) ?? 0, size(row)));
  }
  const noun = isOfRecords ? GROUPS.records : GROUPS.actions;
  return (
    <div className="grid">
      <ScrollArea className="grid-scroll" label={GROUPS.table}>
        <table className="table group-table">
          <thead>
            <tr>
              {by.map((name) => (
                <th key={name} scope="col">
                  <Seen text={headOf(name)} />
                </th>
              ))}
              <th scope="col" className="right">
                {noun}
              </th>
              {!isCount && (
                <th scope="col" className="right">
                  {GROUP_FIELDS.operations[op]} <Seen text={of} />
                </th>
              )}
              <th scope="col" className="group-chart">
                <span className="visually-hidden">{GROUPS.chart}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.data.map((row) => (
              <tr key={JSON.stringify(row.keys)}>
                {row.keys.map((key, at) => (
                  <td key={by[at]}>
                    <Key value={key} open={openOf(row.keys)} />
                  </td>
                ))}
                <td className="right number">{count(row.count)}</td>
                {!isCount && (
                  <td className="right number">
                    <Amounts measured={row.measures[0]} />
                  </td>
                )}
                <td className="group-chart" aria-hidden="true">
                  {/* The figure is in the cell before. */}
                  <meter min={0} max={greatest.get(currencyOf(row)) || 1} value={size(row)} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={Math.max(1, by.length)}>
                {GROUPS.all}
              </th>
              <td className="right number">{count(groups.total)}</td>
              {!isCount && (
                <td className="right number">
                  <Amounts measured={groups.all[0]} />
                </td>
              )}
              <td />
            </tr>
          </tfoot>
        </table>
      </ScrollArea>
      <div className="grid-foot">
        <span role="status">
          {GROUPS.groups(groups.groups)}
          {groups.groups > groups.data.length && GROUPS.shown(groups.data.length)}
        </span>
        <CoverageMark coverage={groups.coverage} />
        <span className="push cluster group-foot">
          <HandOverGroups grouping={grouping} filter={filter} />
          <SaveGroups groups={groups} grouping={grouping} />
        </span>
      </div>
    </div>
  );
}

function headOf(name: string): string {
  if (isTimeStep(name)) return GROUPS.steps[name];
  return Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : name;
}

interface KeyProps {
  readonly value: string | null;
  /** Shows what is in the group; null where no search can. */
  readonly open: (() => void) | null;
}

/** One of the values that a group is told apart by, and the way to what is in it. */
function Key({ value, open }: KeyProps) {
  const shown = value === null ? <span className="muted">{GROUPS.withoutValue}</span> : <Seen text={value} />;
  if (open === null) return shown;
  return (
    <button type="button" className="button-plain group-key" title={GROUPS.show} onClick={open}>
      {shown}
    </button>
  );
}

/** Leads from a group, by its values, to what is in it; null where no search can. */
function useOpenGroup({ by }: Grouping, { zone = 'UTC' }: AuditFilter) {
  const navigate = route.useNavigate();
  const { toggle, standing } = useTerms();
  return (keys: readonly (string | null)[]): (() => void) | null => {
    const terms = termsOfGroup(by, keys, zone);
    if (terms === null) return null;
    return () => {
      // A term that the query has already would be taken out of it.
      const parts = terms.filter((term) => standing(term) !== 'with');
      const [only] = parts;
      if (only !== undefined) toggle(parts.length === 1 ? only : { kind: 'and', parts }, 'with');
      void navigate({ search: (before) => ({ ...before, by: undefined, measure: undefined }) });
    };
  };
}

/** Amounts of one group, each currency by itself. */
function Amounts({ measured }: { readonly measured: Measured | undefined }) {
  if (measured === undefined || measured.amounts.length === 0) return <span className="muted">–</span>;
  return (
    <>
      {measured.amounts.map(({ value, currency }) => (
        <span key={currency} className="group-amount">
          {currency === null ? value : `${value} ${visibleText(currency)}`}
        </span>
      ))}
      {measured.without > 0 && <small className="muted">{GROUPS.without(measured.without)}</small>}
    </>
  );
}

/** Everything that was added up, with the table in a report of it. */
function HandOverGroups({ grouping: { op, of, by }, filter }: Pick<GroupTableProps, 'grouping' | 'filter'>) {
  const ledger = useLedger();
  const sums: AskedSums = {
    unit: filter.unit === 'actions' ? 'actions' : 'records',
    by,
    measure: op === 'count' ? { op } : { op, of },
    zone: filter.zone ?? 'UTC',
  };
  const title = [
    GROUP_FIELDS.operations[op],
    ...(of === '' ? [] : [of]),
    ...(by.length === 0 ? [] : [GROUPS.byNames(by.join(', '))]),
  ];
  return (
    <HandOverButton
      className="button-small"
      title={title.join(' ')}
      sums={sums}
      records={(means) => recordsOfSearch(ledger, filter, means)}
    />
  );
}

function SaveGroups({ groups, grouping: { op, of, by } }: Omit<GroupTableProps, 'filter' | 'isOfRecords'>) {
  return (
    <SaveRows
      label={GROUPS.save}
      save={async (format) => {
        const isCount = op === 'count';
        const members = [...by, 'count', ...(isCount ? [] : [`${op} ${of}`, 'currency', 'without_value'])];
        const rows = groups.data.flatMap(({ keys, count: counted, measures: [measured] }) => {
          const named = Object.fromEntries(by.map((name, at) => [name, keys[at] ?? null]));
          const amounts = isCount || measured === undefined ? [] : measured.amounts;
          if (isCount || amounts.length === 0) return [{ ...named, count: counted }];
          return amounts.map(({ value, currency }) => ({
            ...named,
            count: counted,
            [`${op} ${of}`]: value,
            currency,
            without_value: measured?.without ?? 0,
          }));
        });
        saveRows(
          `countersign-groups-${stampOf(new Date().toISOString())}`,
          format,
          rowsText(
            format,
            members,
            rows.map(
              (row): Record<string, string | number | null> => ({
                ...Object.fromEntries(members.map((name) => [name, null])),
                ...row,
              }),
            ),
          ),
        );
        return GROUPS.saved(rows.length);
      }}
    >
      {GROUPS.saveHint}
    </SaveRows>
  );
}
