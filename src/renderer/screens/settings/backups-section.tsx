import { useMutation, useQuery } from '@tanstack/react-query';
import { visibleText } from '../../../protocol/index.ts';
import type { Backups } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { CopyButton, Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton, Refusal } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { sizeText } from '../../lib/size.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { GUEST } from './guest.ts';
import { SettingsForm, type SettingsFormProps } from './settings-form.tsx';
import { BACKUP_TABLE, BACKUPS_SECTION } from './texts.ts';

interface BackupsSectionProps {
  /** The settings of the schedule; null where the role does not include them. */
  readonly form: Pick<SettingsFormProps, 'answer' | 'drafts' | 'setDrafts'> | null;
}

/** Backups that the service makes: now, by schedule, and how those that are there were found. */
export function BackupsSection({ form }: BackupsSectionProps) {
  const backups = useQuery(q('listBackups'));
  return (
    <Answer query={backups} what={BACKUPS_SECTION.what}>
      {(answer) =>
        answer.administered_here ? (
          <div className="stack">
            <State answer={answer} />
            <BackupTable rows={answer.backups} isBusy={answer.job?.status === 'running'} />
            {form !== null && (
              <SettingsForm
                {...form}
                title={BACKUPS_SECTION.schedule}
                names={['backup-every', 'backup-hour', 'backup-keep']}
              />
            )}
          </div>
        ) : (
          <Refusal>{GUEST}</Refusal>
        )
      }
    </Answer>
  );
}

function State({ answer }: { readonly answer: Backups }) {
  const make = useMutation({
    mutationFn: () => call('createBackup', { body: {} }),
    onSuccess: () => invalidate('listBackups'),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const isBusy = answer.job?.status === 'running';
  return (
    <Panel
      title={BACKUPS_SECTION.backups}
      actions={
        <PermittedButton
          call="createBackup"
          className="button-primary"
          disabled={isBusy || make.isPending}
          onClick={() => make.mutate()}
        >
          {BACKUPS_SECTION.backUpNow}
        </PermittedButton>
      }
    >
      <div className="stack">
        <FactList
          of={{
            [BACKUPS_SECTION.lastVerified]:
              answer.last_good === null ? (
                <Mark outcome="not_checked" word={BACKUPS_SECTION.noneVerified} />
              ) : (
                <span className="cluster">
                  <Mark outcome="pass" word={BACKUPS_SECTION.verified} />
                  <Time value={answer.last_good.created_at} hasZone />
                </span>
              ),
            [BACKUPS_SECTION.next]:
              answer.next_at === null ? (
                <span className="muted">{BACKUPS_SECTION.onlyManually}</span>
              ) : (
                <Time value={answer.next_at} hasZone />
              ),
            [BACKUPS_SECTION.folder]: <Hash value={answer.folder ?? ''} what={BACKUPS_SECTION.folderCopied} />,
            [BACKUPS_SECTION.lastRun]: <Job job={answer.job} />,
          }}
        />
        <p className="muted">
          {fill(BACKUPS_SECTION.howToKeep, {
            command: <span className="code">countersign restore</span>,
          })}
        </p>
      </div>
    </Panel>
  );
}

function Job({ job }: { readonly job: Backups['job'] }) {
  if (job === null) return <span className="muted">{BACKUPS_SECTION.noRun}</span>;
  const what = job.kind === 'make' ? BACKUPS_SECTION.aBackup : BACKUPS_SECTION.aVerification;
  if (job.status === 'running') {
    const percent = Math.floor(job.share * 100);
    return (
      <span className="cluster" role="status">
        {job.kind === 'make' && job.share < 1 ? (
          <>
            <progress max={100} value={percent} aria-label={BACKUPS_SECTION.copying} />{' '}
            {fill(BACKUPS_SECTION.copied, { percent })}
          </>
        ) : (
          BACKUPS_SECTION.verifying
        )}
      </span>
    );
  }
  if (job.status === 'failed') {
    return (
      <span role="alert" className="field-error">
        {fill(BACKUPS_SECTION.runFailed, { what, failure: job.failure })}
      </span>
    );
  }
  return (
    <span role="status">
      {fill(BACKUPS_SECTION.runCompleted, {
        what,
        endedAt: job.ended_at !== null && <Time value={job.ended_at} hasZone />,
      })}
    </span>
  );
}

type Row = Backups['backups'][number];

/** The backups that are there, newest first. */
function BackupTable({ rows, isBusy }: { readonly rows: readonly Row[]; readonly isBusy: boolean }) {
  const verify = useMutation({
    mutationFn: (id: string) => call('verifyBackup', { params: { backup_id: id }, body: {} }),
    onSuccess: () => invalidate('listBackups'),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  if (rows.length === 0) return null;
  return (
    <Panel title={BACKUP_TABLE.kept(count(rows.length))} flush>
      <Table
        heads={[
          BACKUP_TABLE.createdUtc,
          BACKUP_TABLE.started,
          { label: BACKUP_TABLE.size, isRight: true },
          BACKUP_TABLE.found,
          BACKUP_TABLE.name,
          ACTIONS,
        ]}
      >
        {rows.map((row) => (
          <tr key={row.backup_id}>
            <td>
              <Time value={row.created_at} />
            </td>
            <td>{row.made_by === 'schedule' ? BACKUP_TABLE.bySchedule : BACKUP_TABLE.manually}</td>
            <td className="right number" title={BACKUP_TABLE.sizeBytes(count(row.size))}>
              {sizeText(row.size)}
            </td>
            <td title={visibleText(row.verification?.message ?? '')}>
              <Found row={row} />
            </td>
            <td className="code" title={row.backup_id}>
              {row.backup_id} <CopyButton text={row.backup_id} what={BACKUP_TABLE.nameCopied} />
            </td>
            <td className="row-actions">
              <PermittedButton
                call="verifyBackup"
                className="button-small"
                aria-label={BACKUP_TABLE.verifyNamed(row.backup_id)}
                disabled={isBusy || verify.isPending}
                onClick={() => verify.mutate(row.backup_id)}
              >
                {BACKUP_TABLE.verify}
              </PermittedButton>
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

function Found({ row: { verification } }: { readonly row: Row }) {
  if (verification === null) return <Mark outcome="not_checked" />;
  return verification.state === 'good' ? (
    <Mark outcome="pass" word={BACKUP_TABLE.passed} />
  ) : (
    <Mark outcome="fail" word={BACKUP_TABLE.failed} />
  );
}
