import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ExportJob } from '../../api/answers.ts';
import { exportsQuery } from '../../api/queries.ts';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { Answer } from '../../components/answer.tsx';
import type { GridColumn } from '../../components/grid-columns.ts';
import { NeedsRole } from '../../components/needs-role.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { VirtualGrid } from '../../components/virtual-grid.tsx';
import { plural } from '../../lib/plural.ts';
import { Empty } from '../../ui/panel.tsx';
import { count, Time } from '../../ui/time.tsx';
import { Downloads } from './downloads.tsx';
import { ExportState, FORMAT_NAMES, recordsText } from './export-state.tsx';
import { MakeExport } from './make-export.tsx';

const route = getRouteApi('/exports');

const COLUMNS: readonly GridColumn<ExportJob>[] = [
  {
    id: 'made',
    head: 'Asked for (UTC)',
    width: 188,
    cell: (job) => (
      <Link to="/exports/$exportId" params={{ exportId: job.exportId }} data-row tabIndex={-1}>
        <Time value={job.createdAt} />
      </Link>
    ),
  },
  { id: 'state', head: 'State', width: 108, cell: (job) => <ExportState job={job} /> },
  { id: 'form', head: 'Form', width: 84, cell: (job) => FORMAT_NAMES[job.format] },
  { id: 'records', head: 'Records', width: 72, right: true, cell: recordsText },
  {
    id: 'withheld',
    head: 'No payload',
    width: 84,
    right: true,
    cell: (job) => (job.status === 'completed' ? count(job.redactedCount) : '–'),
  },
  { id: 'from', head: 'Received from (UTC)', width: 188, cell: (job) => <Time value={job.startTime} /> },
  { id: 'before', head: 'Received before (UTC)', width: 188, cell: (job) => <Time value={job.endTime} /> },
  {
    id: 'agent',
    head: 'Agent',
    width: 90,
    grows: true,
    cell: (job) =>
      job.agentId === undefined ? <span className="muted">all</span> : <span title={job.agentId}>{job.agentId}</span>,
  },
  { id: 'file', head: 'Download', width: 132, cell: (job) => <Downloads job={job} small /> },
];

/** All exports, newest first, and the form for another. */
export function ExportsScreen() {
  const { new: isMaking = false } = route.useSearch();
  const navigate = route.useNavigate();
  const setMaking = (on: boolean): void => void navigate({ search: on ? { new: true } : {}, replace: true });
  const make = (
    <PermittedButton call="createExport" className="button-primary" onClick={() => setMaking(true)}>
      Make an export
    </PermittedButton>
  );
  return (
    <Screen title="Exports" name="Exports" flush actions={make}>
      <NeedsRole call="listExports" title="Exports are closed to your role">
        <List make={make} />
        <MakeExport open={isMaking} onClose={() => setMaking(false)} />
      </NeedsRole>
    </Screen>
  );
}

function List({ make }: { readonly make: React.ReactNode }) {
  const query = useInfiniteQuery(exportsQuery);
  const { rows, more, hasMore } = usePages(query, dataOf);
  return (
    <Answer query={query} what="the exports">
      {() =>
        rows.length === 0 ? (
          <Empty title="No export yet">
            <p>
              An export is evidence to hand on: the records of a stretch of time with their receipts, the epochs that
              seal them, the keys of their agents and what was done to them, under the service's signature.
            </p>
            <p>
              Whoever gets it needs neither this service nor an account: they check it with{' '}
              <span className="code">countersign verify</span>, with the verifier in one file, or in the window, under{' '}
              <Link to="/verify">Check without storing</Link>. Payloads that are not theirs to see can be withheld; the
              proofs hold all the same.
            </p>
            {make}
          </Empty>
        ) : (
          <VirtualGrid
            label="Exports"
            columns={COLUMNS}
            rows={rows}
            keyOf={(job) => job.exportId}
            onEnd={more}
            foot={
              <>
                <span role="status">
                  {plural(rows.length, 'export')}
                  {hasMore ? ' loaded' : ', all'}
                </span>
                <span className="push">newest first; each download is noted in the administrative log</span>
              </>
            }
          />
        )
      }
    </Answer>
  );
}
