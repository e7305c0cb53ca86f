import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { OWN_KEY_NOTE } from '../../../protocol/index.ts';
import type { ExportJob } from '../../api/answers.ts';
import { addressOf, call, fetchFile, sentenceOf } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate, queryClient } from '../../api/query-client.ts';
import { useEndNotice } from '../../api/use-end-notice.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { askBefore } from '../../components/confirm.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { NeedsRole } from '../../components/needs-role.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { WindowReport } from '../../report/window-report.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useVerification } from '../../verification/use-verification.ts';
import { Downloads } from './downloads.tsx';
import { ExportState, FORMAT_NAMES } from './export-state.tsx';
import { DELETE_EXPORT, EXPORT_SCREEN, EXPORT_STATE, VERIFY_AGAIN } from './texts.ts';

const route = getRouteApi('/exports/$exportId');

/** One export: how far it is, what is in it, its file, and whether the file holds. */
export function ExportScreen() {
  const { exportId } = route.useParams();
  return (
    <Screen
      name={EXPORT_SCREEN.exportExportid(exportId)}
      title={
        <>
          <Link to="/exports" search={{}} className="crumb">
            {EXPORT_SCREEN.exports}
          </Link>{' '}
          <span className="crumb">/</span> <span className="code">{exportId}</span>
        </>
      }
    >
      <NeedsRole call="getExport" title={EXPORT_SCREEN.closedTitle}>
        <Details key={exportId} exportId={exportId} />
      </NeedsRole>
    </Screen>
  );
}

function Details({ exportId }: { readonly exportId: string }) {
  const query = useQuery(q('getExport', { params: { export_id: exportId } }));
  const status = query.data?.status;
  useEndNotice(EXPORT_SCREEN.export, status && status === 'processing', status ?? '');
  return (
    <Answer query={query} what={EXPORT_SCREEN.what}>
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
        <h2>{job.progress === 0 ? EXPORT_SCREEN.queued : EXPORT_SCREEN.running}</h2>
        <ExportState job={job} />
        <p className="muted">{EXPORT_SCREEN.progress(EXPORT_SCREEN.counted(job.recordCount))}</p>
      </div>
    </section>
  );
}

function Failed({ job }: { readonly job: ExportJob }) {
  return (
    <section className="verdict verdict-fail" role="alert">
      <Mark outcome="fail" word="" />
      <div className="grows">
        <h2>{EXPORT_SCREEN.failed}</h2>
        <p>{job.failure ?? EXPORT_SCREEN.noReasonGiven}</p>
      </div>
      <Link to="/exports" search={{ new: true }} className="button">
        {EXPORT_SCREEN.another}
      </Link>
    </section>
  );
}

function Facts({ job }: { readonly job: ExportJob }) {
  return (
    <Panel
      title={EXPORT_SCREEN.export}
      actions={
        <>
          <Downloads job={job} />
          <DeleteExport job={job} />
        </>
      }
    >
      <FactList
        of={{
          [EXPORT_SCREEN.state]: job.status === 'processing' ? EXPORT_SCREEN.beingCreated : <ExportState job={job} />,
          [EXPORT_SCREEN.format]: job.details === true ? EXPORT_STATE.everyRecord : FORMAT_NAMES[job.format],
          [EXPORT_SCREEN.received]: <Time value={job.startTime} hasZone />,
          [EXPORT_SCREEN.receivedBefore]: <Time value={job.endTime} hasZone />,
          [EXPORT_SCREEN.agent]: job.agentId === undefined ? EXPORT_SCREEN.all : <AgentName agentId={job.agentId} />,
          [EXPORT_SCREEN.records]: job.status === 'completed' && (
            <span className="number">{EXPORT_SCREEN.notWhole(count(job.recordCount), count(job.redactedCount))}</span>
          ),
          [EXPORT_SCREEN.withheld]: job.withholding !== undefined && <Withheld withholding={job.withholding} />,
          [EXPORT_SCREEN.check]: job.withholding?.names_kept !== undefined && (
            <NamesKept kept={job.withholding.names_kept} />
          ),
          [EXPORT_SCREEN.requested]: <Time value={job.createdAt} hasZone />,
          [EXPORT_SCREEN.completed]: job.completedAt !== undefined && <Time value={job.completedAt} hasZone />,
          [EXPORT_SCREEN.identifier]: (
            <span className="code">
              {job.exportId} <CopyButton text={job.exportId} what={EXPORT_SCREEN.identifierCopied} />
            </span>
          ),
        }}
      />
    </Panel>
  );
}

/** What somebody chose to withhold, and why. */
function Withheld({ withholding }: { readonly withholding: NonNullable<ExportJob['withholding']> }) {
  const { agent_ids: agents, operation_types: types, pointers, names, admin_events: events, reason } = withholding;
  const lists: readonly (readonly [string, readonly string[]])[] = [
    [EXPORT_SCREEN.payloads, agents],
    [EXPORT_SCREEN.payloadsType, types],
    [EXPORT_SCREEN.values, pointers],
    [EXPORT_SCREEN.people, names],
  ];
  const parts = [
    ...lists.flatMap(([what, values]) => (values.length === 0 ? [] : [`${what} ${values.join(', ')}`])),
    ...(events === 'all' ? [] : [EXPORT_SCREEN.otherEvents]),
  ];
  return (
    <>
      <Seen text={parts.join('; ')} />
      <br />
      <span className="muted">
        {reason === undefined ? EXPORT_SCREEN.noReason : <Seen text={EXPORT_SCREEN.reasonReason(reason)} />}
      </span>
    </>
  );
}

/** What the check of the finished file found of the people who are withheld. */
function NamesKept({ kept }: { readonly kept: NonNullable<NonNullable<ExportJob['withholding']>['names_kept']> }) {
  if (kept.length === 0) return <Mark outcome="pass" word={EXPORT_SCREEN.holdsNoPlace} />;
  return (
    <>
      <Mark outcome="cannot_check" word={EXPORT_SCREEN.stillNamed} />
      <ul className="plain-list">
        {kept.map(({ place, count: number }) => (
          <li key={place}>
            {fill(EXPORT_SCREEN.place, {
              place: (
                <span className="code">
                  <Seen text={place} />
                </span>
              ),
              count: count(number),
            })}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Deletes an export, after saying what goes and what stays. One that is being made cannot be deleted. */
function DeleteExport({ job }: { readonly job: ExportJob }) {
  const navigate = useNavigate();
  const ask = (): void =>
    askBefore({
      title: DELETE_EXPORT.title,
      verb: DELETE_EXPORT.confirm,
      isDestructive: true,
      leave: DELETE_EXPORT.keep,
      act: async () => {
        await call('deleteExport', { params: { export_id: job.exportId } });
        await navigate({ to: '/exports', search: {} });
        queryClient.removeQueries({ queryKey: q('getExport', { params: { export_id: job.exportId } }).queryKey });
        await invalidate('listExports');
        toast(DELETE_EXPORT.deleted);
      },
      children: (
        <>
          <p>{DELETE_EXPORT.consequence}</p>
          <p>{fill(DELETE_EXPORT.stays, { heading: <strong>{DELETE_EXPORT.whatStays}</strong> })}</p>
        </>
      ),
    });
  if (job.status === 'processing') return null;
  return (
    <PermittedButton call="deleteExport" className="button-grave" onClick={ask}>
      {DELETE_EXPORT.ask}
    </PermittedButton>
  );
}

const ENDINGS: Readonly<Record<ExportJob['format'], string>> = { json: 'csbundle', pdf: 'pdf' };

/** Fetches the file of an export and has it verified in this window, as somebody would who was given it. */
function VerifyAgain({ job }: { readonly job: ExportJob }) {
  const { verification, start, stop } = useVerification();
  const fetching = useMutation({
    mutationFn: async () => {
      const blob = await fetchFile('downloadExport', { params: { export_id: job.exportId } });
      return new File([blob], `countersign-${job.exportId}.${ENDINGS[job.format]}`);
    },
    onSuccess: (bundle) => start({ bundle, receipts: [], trustedKids: [] }),
  });
  const isRunning = verification.state === 'running';
  return (
    <>
      <Panel title={VERIFY_AGAIN.title}>
        <div className="stack">
          <p>{fill(VERIFY_AGAIN.explained, { ownKeyNote: OWN_KEY_NOTE })}</p>
          <div className="cluster">
            <button
              type="button"
              className="button-primary"
              disabled={fetching.isPending || isRunning}
              onClick={() => fetching.mutate()}
            >
              {VERIFY_AGAIN.checkFile}
            </button>
            {isRunning && (
              <button type="button" onClick={stop}>
                {VERIFY_AGAIN.cancel}
              </button>
            )}
            <a className="button" href={addressOf('verifier')} download>
              {VERIFY_AGAIN.standalone}
            </a>
            <span role="status" className="muted number">
              {fetching.isPending && VERIFY_AGAIN.fetching}
              {isRunning && VERIFY_AGAIN.records(verification.records)}
            </span>
          </div>
          {(fetching.error !== null || verification.state === 'unreadable') && (
            <p className="field-error" role="alert">
              {fetching.error === null ? (
                <Seen text={verification.state === 'unreadable' ? verification.message : ''} />
              ) : (
                sentenceOf(fetching.error)
              )}
            </p>
          )}
        </div>
      </Panel>
      {verification.state === 'done' && (
        <WindowReport report={verification.report} pages={verification.pages} file={verification.file} />
      )}
    </>
  );
}
