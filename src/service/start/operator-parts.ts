import { courierOf } from '../archive/courier.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { BackupJobs } from '../operator/backup/backup-jobs.ts';
import { FolderGrowth } from '../operator/health/folder-growth.ts';
import { RunTimeSettings, type StartSettings } from '../operator/run-time-settings.ts';
import { SyslogFeed } from '../operator/syslog/syslog-feed.ts';
import { createMailer } from '../people/mail/mailer.ts';
import type { StartContext } from './host.ts';
import type { OpenData } from './open-data.ts';
import type { OpenLedger } from './open-ledger.ts';

/** What the operator changes while the service runs: settings, and what follows from them at once. */
export function openOperatorParts(
  start: StartContext,
  { store, writer, wrappingKey }: OpenData,
  jobs: Jobs,
  { content }: OpenLedger,
  given: StartSettings,
) {
  const { settings, teardown, now, onError } = start;
  let mailer = createMailer(settings);
  const backups = new BackupJobs({ settings, store, writer, jobs, now, onError });
  teardown.add(() => backups.close());
  const courier = courierOf({ settings, jobs, now, onError, wrappingKey });
  teardown.add(() => courier.close());
  const syslog = new SyslogFeed({ settings, jobs, now, onError, store, writer, content });
  teardown.add(() => syslog.end());
  const growth = new FolderGrowth(settings.dataDir);
  teardown.add(() => growth.close());
  const onChange = (): void => {
    mailer = createMailer(settings);
    backups.look();
    courier.look();
  };
  const runTimeSettings = new RunTimeSettings({ writer, now, onChange }, given);
  return { backups, courier, syslog, growth, runTimeSettings, mailer: () => mailer };
}

export type OperatorParts = ReturnType<typeof openOperatorParts>;
