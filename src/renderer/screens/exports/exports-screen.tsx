import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ExportJob } from '../../api/answers.ts';
import { pages } from '../../api/query.ts';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { NeedsRole } from '../../components/needs-role.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { fill } from '../../lib/fill.ts';
import { Empty } from '../../ui/panel.tsx';
import { count, Time } from '../../ui/time.tsx';
import { Downloads } from './downloads.tsx';
import { ExportState, FORMAT_NAMES, recordsText } from './export-state.tsx';
import { MakeExport } from './make-export.tsx';
import { EXPORTS_SCREEN } from './texts.ts';

const route = getRouteApi('/exports');

const COLUMNS: readonly GridColumn<ExportJob>[] = [
  {
    id: 'made',
    head: EXPORTS_SCREEN.requestedUtc,
    width: 174,
    cell: (job) => (
      <Link to="/exports/$exportId" params={{ exportId: job.exportId }} data-row tabIndex={-1}>
        <Time value={job.createdAt} />
      </Link>
    ),
  },
  { id: 'state', head: EXPORTS_SCREEN.state, width: 100, cell: (job) => <ExportState job={job} /> },
  { id: 'file', head: EXPORTS_SCREEN.download, width: 126, cell: (job) => <Downloads job={job} small /> },
  { id: 'form', head: EXPORTS_SCREEN.format, width: 72, cell: (job) => FORMAT_NAMES[job.format] },
  { id: 'records', head: EXPORTS_SCREEN.records, width: 68, right: true, cell: recordsText },
  {
    id: 'withheld',
    head: EXPORTS_SCREEN.withheld,
    width: 76,
    right: true,
    cell: (job) => (job.status === 'completed' ? count(job.redactedCount) : '–'),
  },
  { id: 'from', head: EXPORTS_SCREEN.receivedUtc, width: 174, cell: (job) => <Time value={job.startTime} /> },
  { id: 'before', head: EXPORTS_SCREEN.receivedBeforeUtc, width: 174, cell: (job) => <Time value={job.endTime} /> },
  {
    id: 'agent',
    head: EXPORTS_SCREEN.agent,
    width: 90,
    grows: true,
    cell: (job) =>
      job.agentId === undefined ? (
        <span className="muted">{EXPORTS_SCREEN.everyAgent}</span>
      ) : (
        <AgentName agentId={job.agentId} />
      ),
  },
];

/** All exports, newest first, and the form for another. */
export function ExportsScreen() {
  const { new: isMaking = false, people } = route.useSearch();
  const navigate = route.useNavigate();
  const setMaking = (on: boolean): void => void navigate({ search: on ? { new: true } : {}, replace: true });
  const make = (
    <PermittedButton call="createExport" className="button-primary" onClick={() => setMaking(true)}>
      {EXPORTS_SCREEN.createExport}
    </PermittedButton>
  );
  return (
    <Screen title={EXPORTS_SCREEN.exports} name={EXPORTS_SCREEN.exports} flush actions={make}>
      <NeedsRole call="listExports" title={EXPORTS_SCREEN.closedTitle}>
        <List make={make} />
        <MakeExport open={isMaking} people={people} onClose={() => setMaking(false)} />
      </NeedsRole>
    </Screen>
  );
}

function List({ make }: { readonly make: React.ReactNode }) {
  const query = useInfiniteQuery(pages('listExports', { query: { limit: 100 } }));
  const { rows, more, hasMore } = usePages(query, dataOf);
  return (
    <Answer query={query} what={EXPORTS_SCREEN.what}>
      {() =>
        rows.length === 0 ? (
          <Empty title={EXPORTS_SCREEN.noExportYet}>
            <p>{EXPORTS_SCREEN.whatFor}</p>
            <p>
              {fill(EXPORTS_SCREEN.howToCheck, {
                command: <span className="code">countersign verify</span>,
                link: <Link to="/verify">{EXPORTS_SCREEN.checkWithoutStoring}</Link>,
              })}
            </p>
            {make}
          </Empty>
        ) : (
          <VirtualGrid
            label={EXPORTS_SCREEN.exports}
            columns={COLUMNS}
            rows={rows}
            keyOf={(job) => job.exportId}
            onEnd={more}
            foot={
              <>
                <span role="status">
                  {EXPORTS_SCREEN.counted(rows.length)}
                  {hasMore ? EXPORTS_SCREEN.loaded : EXPORTS_SCREEN.all}
                </span>
                <span className="push">{EXPORTS_SCREEN.newestFirst}</span>
              </>
            }
          />
        )
      }
    </Answer>
  );
}
