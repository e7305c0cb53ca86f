import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { containsFolded } from '../../../query/index.ts';
import type { Case } from '../../api/answers.ts';
import { useRefusal } from '../../api/permission.ts';
import { casesQuery } from '../../api/query.ts';
import { isReadyForMore } from '../../api/use-pages.ts';
import { Answer } from '../../components/answer.tsx';
import { FilterInput } from '../../components/filter-input.tsx';
import { OrganizationLabel } from '../../components/fingerprint.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import type { CaseColumn } from '../../lib/search-params.ts';
import { sizeText } from '../../lib/size.ts';
import { Icon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { TableFrame } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { CaseMark } from './case-marks.tsx';
import { type CaseOrder, readOrder, sortCases } from './sort-cases.ts';
import { CASES_SCREEN } from './texts.ts';
import { TrustedIssuers } from './trusted-issuers.tsx';

const route = getRouteApi('/cases');

/** All cases that the caller sees. */
export function CasesScreen() {
  const { filter = '', sort } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(casesQuery);
  const { hasNextPage, fetchNextPage } = query;
  const isReady = isReadyForMore(query);
  useEffect(() => {
    // They are sorted here, which takes all of them.
    if (hasNextPage && isReady) void fetchNextPage();
  }, [hasNextPage, isReady, fetchNextPage]);
  const order = readOrder(sort);
  const actions = (
    <>
      <TrustedIssuers />
      <ImportLink />
    </>
  );
  return (
    <Screen title={CASES_SCREEN.cases} name={CASES_SCREEN.cases} flush actions={actions}>
      <Answer query={query} what={CASES_SCREEN.what}>
        {({ pages }) => {
          const cases = pages.flatMap(({ data }) => data);
          if (cases.length === 0) return <NoCase />;
          const shown = sortCases(
            cases.filter((of) =>
              containsFolded(`${of.name} ${of.file_name} ${of.report?.bundle.org_name ?? ''}`, filter),
            ),
            order,
          );
          return (
            <>
              <div className="filters">
                <FilterInput
                  placeholder={CASES_SCREEN.filter}
                  size={36}
                  value={filter}
                  onChange={(typed) =>
                    void navigate({ search: (before) => ({ ...before, filter: typed }), replace: true })
                  }
                />
              </div>
              <CasesTable cases={shown} total={cases.length} order={order} />
            </>
          );
        }}
      </Answer>
    </Screen>
  );
}

/** The way to the import, or a lock with the reason where the role lacks it. */
function ImportLink() {
  if (useRefusal('createCase') !== null)
    return <PermittedButton call="createCase">{CASES_SCREEN.importCase}</PermittedButton>;
  return (
    <Link to="/cases/new" className="button button-primary">
      {CASES_SCREEN.importCase}
    </Link>
  );
}

function NoCase() {
  return (
    <Empty title={CASES_SCREEN.noCase}>
      <p>{CASES_SCREEN.explained}</p>
      <ol className="teach">
        <li>{CASES_SCREEN.stepDrop}</li>
        <li>{CASES_SCREEN.stepLook}</li>
        <li>{CASES_SCREEN.stepImport}</li>
        <li>{CASES_SCREEN.stepCompare}</li>
      </ol>
      <ImportLink />
    </Empty>
  );
}

const HEADS: readonly (readonly [CaseColumn, string, 'right'?])[] = [
  ['name', CASES_SCREEN.case],
  ['verdict', CASES_SCREEN.verdict],
  ['organization', CASES_SCREEN.organization],
  ['records', CASES_SCREEN.records, 'right'],
  ['size', CASES_SCREEN.file, 'right'],
  ['imported', CASES_SCREEN.importedUtc],
];

interface CasesTableProps {
  readonly cases: readonly Case[];
  readonly total: number;
  readonly order: CaseOrder;
}

function CasesTable({ cases, total, order }: CasesTableProps) {
  return (
    <div className="grid">
      <ScrollArea className="grid-scroll" label={CASES_SCREEN.cases}>
        <TableFrame labels={HEADS.map(([, label]) => label)}>
          <thead>
            <tr>
              {HEADS.map(([column, label, side]) => (
                <SortHead key={column} column={column} label={label} isRight={side === 'right'} order={order} />
              ))}
            </tr>
          </thead>
          <tbody>
            {cases.map((of) => (
              <tr key={of.case_id}>
                <td>
                  <Link to="/cases/$caseId" params={{ caseId: of.case_id }} data-row>
                    <Seen text={of.name} />
                  </Link>
                </td>
                <td>
                  <CaseMark of={of} />
                </td>
                <td>
                  <CaseOrganization of={of} />
                </td>
                <td className="right number">{of.report === null ? '–' : count(of.report.bundle.records)}</td>
                <td className="right number">{sizeText(of.bytes)}</td>
                <td>
                  <Time value={of.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      </ScrollArea>
      <p className="grid-foot" role="status">
        {cases.length === total ? CASES_SCREEN.counted(total) : CASES_SCREEN.shownOf(count(cases.length), total)}
      </p>
    </div>
  );
}

function CaseOrganization({ of }: { readonly of: Case }) {
  const { org_id: orgId = null, org_name: name = null } = of.report?.bundle ?? {};
  return <OrganizationLabel orgId={orgId} name={name} resemblesHome={of.resembles_home} />;
}

interface SortHeadProps {
  readonly column: CaseColumn;
  readonly label: string;
  readonly isRight: boolean;
  readonly order: CaseOrder;
}

/** Figures and times begin with the greatest, names with the first. */
const BEGINS_DOWN: readonly CaseColumn[] = ['records', 'size', 'imported'];

function SortHead({ column, label, isRight, order }: SortHeadProps) {
  const isSorted = order.column === column;
  const goesDown = isSorted ? !order.isDown : BEGINS_DOWN.includes(column);
  return (
    <th
      scope="col"
      className={isRight ? 'right' : ''}
      aria-sort={isSorted ? (order.isDown ? 'descending' : 'ascending') : 'none'}
    >
      <Link
        to="/cases"
        search={(before) => ({ ...before, sort: `${goesDown ? '-' : ''}${column}` })}
        replace
        className="sort"
      >
        {label}
        {isSorted && <Icon name={order.isDown ? 'down' : 'up'} />}
      </Link>
    </th>
  );
}
