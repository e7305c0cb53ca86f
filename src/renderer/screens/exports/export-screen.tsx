import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ExportJob } from '../../api/answers.ts';
import { exportQuery } from '../../api/queries.ts';
import { useEndNotice } from '../../api/use-end-notice.ts';
import { Answer } from '../../components/answer.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { NeedsRole } from '../../components/needs-role.tsx';
import { Screen } from '../../components/screen.tsx';
import { plural } from '../../lib/plural.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count, Time } from '../../ui/time.tsx';
import { DeleteExport } from './delete-export.tsx';
import { Downloads } from './downloads.tsx';
import { ExportState, FORMAT_NAMES } from './export-state.tsx';
import { VerifyAgain } from './verify-again.tsx';

const route = getRouteApi('/exports/$exportId');

/** One export: how far it is, what is in it, its file, and whether the file holds. */
export function ExportScreen() {
  const { exportId } = route.useParams();
  return (
    <Screen
      name={`Export ${exportId}`}
      title={
        <>
          <Link to="/exports" search={{}} className="crumb">
            Exports
          </Link>{' '}
          <span className="crumb">/</span> <span className="code">{exportId}</span>
        </>
      }
    >
      <NeedsRole call="getExport" title="Exports are closed to your role">
        <Details key={exportId} exportId={exportId} />
      </NeedsRole>
    </Screen>
  );
}

function Details({ exportId }: { readonly exportId: string }) {
  const query = useQuery(exportQuery(exportId));
  const status = query.data?.status;
  useEndNotice('Export', status && status === 'processing', status ?? '');
  return (
    <Answer query={query} what="the export">
      {(job) => (
        <div className="stack">
          {job.status === 'processing' && <BeingMade job={job} />}
          {job.status === 'failed' && <Failed job={job} />}
          <Facts job={job} />
          {job.status === 'completed' && <VerifyAgain job={job} />}
        </div>
      )}
    </Answer>
  );
}

function BeingMade({ job }: { readonly job: ExportJob }) {
  return (
    <section className="verdict verdict-not_checked" role="status">
      <div className="stack grows">
        <h2>{job.progress === 0 ? 'It is about to be made' : 'It is being made'}</h2>
        <ExportState job={job} />
        <p className="muted">
          {plural(job.recordCount, 'record')} so far. You can leave this screen: the export continues, also after a
          restart.
        </p>
      </div>
    </section>
  );
}

function Failed({ job }: { readonly job: ExportJob }) {
  return (
    <section className="verdict verdict-fail" role="alert">
      <Mark outcome="fail" word="" />
      <div className="grows">
        <h2>It could not be made</h2>
        <p>{job.failure ?? 'The service gives no reason.'}</p>
      </div>
      <Link to="/exports" search={{ new: true }} className="button">
        Make another
      </Link>
    </section>
  );
}

function Facts({ job }: { readonly job: ExportJob }) {
  return (
    <Panel
      title="Export"
      actions={
        <>
          <Downloads job={job} />
          <DeleteExport job={job} />
        </>
      }
    >
      <dl className="facts">
        <dt>State</dt>
        <dd>{job.status === 'processing' ? 'being made' : <ExportState job={job} />}</dd>
        <dt>Form</dt>
        <dd>{FORMAT_NAMES[job.format]}</dd>
        <dt>Received from</dt>
        <dd>
          <Time value={job.startTime} />
        </dd>
        <dt>Received before</dt>
        <dd>
          <Time value={job.endTime} />
        </dd>
        <dt>Agent</dt>
        <dd className={job.agentId === undefined ? '' : 'code'}>{job.agentId ?? 'all'}</dd>
        {job.status === 'completed' && (
          <>
            <dt>Records</dt>
            <dd className="number">
              {count(job.recordCount)}, {count(job.redactedCount)} without payload
            </dd>
          </>
        )}
        {job.withholding !== undefined && (
          <>
            <dt>Withheld</dt>
            <dd>
              <Withheld withholding={job.withholding} />
            </dd>
          </>
        )}
        <dt>Asked for</dt>
        <dd>
          <Time value={job.createdAt} />
        </dd>
        {job.completedAt !== undefined && (
          <>
            <dt>Completed</dt>
            <dd>
              <Time value={job.completedAt} />
            </dd>
          </>
        )}
        <dt>Identifier</dt>
        <dd className="code">
          {job.exportId} <CopyButton text={job.exportId} what="identifier" />
        </dd>
      </dl>
    </Panel>
  );
}

/** What somebody chose to withhold, and why. */
function Withheld({ withholding }: { readonly withholding: NonNullable<ExportJob['withholding']> }) {
  const { agent_ids: agents, operation_types: types, pointers, admin_events: events, reason } = withholding;
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['payloads of', agents],
    ['payloads of type', types],
    ['values at', pointers],
  ];
  const parts = [
    ...lists.flatMap(([what, values]) => (values.length === 0 ? [] : [`${what} ${values.join(', ')}`])),
    ...(events === 'all' ? [] : ['administrative events that are not about its agents']),
  ];
  return (
    <>
      <Seen text={parts.join('; ')} />
      <br />
      <span className="muted">
        {reason === undefined ? 'No reason was given.' : <Seen text={`Reason: ${reason}`} />}
      </span>
    </>
  );
}
