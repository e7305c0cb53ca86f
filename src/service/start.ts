import { join } from 'node:path';
import { type DestinationStream, type Logger, pino } from 'pino';
import packageJson from '../../package.json' with { type: 'json' };
import { LIMITS } from '../contract/index.ts';
import { recordAdminEvent } from './admin/events.ts';
import { adminRoutes } from './admin/routes.ts';
import { isHome } from './administration/home.ts';
import { administrationRoutes } from './administration/routes.ts';
import { RunTimeSettings, type StartSettings, startSettings } from './administration/run-time-settings.ts';
import { SetUp } from './administration/set-up.ts';
import { agentRoutes } from './agents/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { BackupJobs } from './backup/backup-jobs.ts';
import { annotationRoutes } from './cases/annotation-routes.ts';
import { caseRoutes } from './cases/case-routes.ts';
import { Cases } from './cases/cases.ts';
import { Comparisons } from './cases/comparisons.ts';
import { caseLedgerRoutes } from './cases/ledger-routes.ts';
import { CaseReports } from './cases/reports.ts';
import type { ServiceContext } from './context.ts';
import { epochRoutes } from './epochs/routes.ts';
import { Exports } from './exports/jobs.ts';
import { exportRoutes } from './exports/routes.ts';
import { HEADS_FILE } from './heads/heads-file.ts';
import { HeadsKeeper } from './heads/keeper.ts';
import { healthRoutes } from './health/routes.ts';
import { createApp } from './http/app.ts';
import { DownloadTickets } from './http/download-tickets.ts';
import type { Handlers } from './http/handler.ts';
import { listen } from './http/listen.ts';
import { RateLimit } from './http/rate-limit.ts';
import { RefusalLog } from './http/refusal-log.ts';
import { ticketRoutes } from './http/ticket-routes.ts';
import { accountRoutes } from './identity/account-routes.ts';
import { AddressCodes } from './identity/address-codes.ts';
import { apiTokenRoutes } from './identity/api-token-routes.ts';
import { Callers } from './identity/callers.ts';
import { oauthRoutes } from './identity/oauth/routes.ts';
import { Ceremonies } from './identity/passkeys/ceremonies.ts';
import { passkeyRoutes } from './identity/passkeys/routes.ts';
import { identityRoutes } from './identity/routes.ts';
import { SignInLimits } from './identity/sign-in-limits.ts';
import { CurrentKey } from './keys/current-key.ts';
import { openLedgerKey } from './keys/file-key-holder.ts';
import { openSealingKeyFile } from './keys/file-sealer.ts';
import { openProtection } from './keys/open-protection.ts';
import { activeServiceKid, registerServiceKey } from './keys/service-keys.ts';
import { Ledger } from './ledger/ledger.ts';
import { sqliteLedgerStore } from './ledger/sqlite-ledger-store.ts';
import { summaryRoutes } from './ledger-summary/routes.ts';
import { LedgerVerifications } from './ledger-verification/jobs.ts';
import { ledgerRoutes } from './ledger-verification/routes.ts';
import { standardError } from './log.ts';
import { MailAllowance } from './mail/allowance.ts';
import { mailInvitations } from './mail/mail-invitations.ts';
import { createMailer } from './mail/mailer.ts';
import { memberRoutes } from './members/routes.ts';
import { onboardingRoutes } from './onboarding/routes.ts';
import { OperationIndex } from './operation-index/operation-index.ts';
import { operationRoutes } from './operations/routes.ts';
import { Refusals } from './refusals/record.ts';
import { refusalRoutes } from './refusals/routes.ts';
import { isLoopback, type SettingOrigins } from './settings.ts';
import type { Settings } from './settings-type.ts';
import { checkLedger } from './start-checks/check-ledger.ts';
import { readableOnly } from './start-checks/readable-only.ts';
import { checkLedgerIsThere } from './start-checks/rollback.ts';
import { Checkpointer } from './store/checkpointer.ts';
import { prepareDataFolder } from './store/data-folder.ts';
import { lockFolder } from './store/lock.ts';
import { openStore } from './store/open.ts';
import { startErrorOf } from './store/sqlite-errors.ts';
import { Writer } from './store/writer.ts';
import { trustRoutes } from './trust/routes.ts';
import { TrustKeeper } from './trust/trust-keeper.ts';
import { WebhookDispatcher } from './webhooks/dispatcher.ts';
import { enqueueStatusChange } from './webhooks/enqueue.ts';
import { sealedSecrets } from './webhooks/registry.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { workstationRoutes } from './workstation/routes.ts';
import { WorkstationSessions } from './workstation/sessions.ts';

/** A running service. */
export interface Service {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly dataDir: string;
  /** The kid of the service key at present: what people compare and pin. */
  readonly kid: string;
  /** A link that begins a workstation session in one browser: once, within ten minutes. A secret. */
  workstationLink(): string;
  /** The one-time code that makes the organization of a sign-up the home organization; null once there is one. A secret. */
  setUpCode(): string | null;
  /** Answers what is in progress, seals the open epochs and leaves the data folder. */
  close(): Promise<void>;
}

const { version } = packageJson;

/** Undoes, last first, whatever a start got done; a failing step does not keep the others from being undone. */
class Teardown {
  readonly #steps: (() => void | Promise<void>)[] = [];
  #running: Promise<void> | null = null;

  add(step: () => void | Promise<void>): void {
    this.#steps.unshift(step);
  }

  run(): Promise<void> {
    this.#running ??= this.#undo();
    return this.#running;
  }

  async #undo(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.#steps) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'the service did not stop cleanly');
  }
}

/** What whoever starts the service may bring along. */
export interface Surroundings {
  /** The key that the service's secrets are sealed with, 32 bytes. Without it they are plain files, or need a passphrase. */
  readonly wrappingKey?: Uint8Array;
  /** Where the log goes instead of standard error. */
  readonly log?: DestinationStream;
  /** Where the settings that are given come from; else from the program that calls. */
  readonly origins?: SettingOrigins;
}

/**
 * Starts the audit service: takes the data folder, opens ledger and key, and listens.
 * @param given settings; what is left out was stored by the interface, or has its default
 * @throws StartError where something stands in the way; nothing is left running then
 */
export async function startService(given: Partial<Settings> = {}, around: Surroundings = {}): Promise<Service> {
  const startingWith = startSettings(given, around.origins ?? {});
  const { settings } = startingWith;
  const teardown = new Teardown();
  try {
    return await start(startingWith, teardown, around);
  } catch (error) {
    await teardown.run();
    throw startErrorOf(error, ledgerPath(settings));
  }
}

function ledgerPath({ dataDir }: Settings): string {
  return join(dataDir, 'ledger.sqlite');
}

async function start(startingWith: StartSettings, teardown: Teardown, around: Surroundings): Promise<Service> {
  const { settings } = startingWith;
  const { dataDir } = settings;
  const now = Date.now;
  const log: Logger = pino({ level: settings.logLevel }, around.log ?? standardError());
  const onError = (error: unknown): void => log.error({ err: error }, 'a task in the background failed');
  let mailer = createMailer(settings);
  prepareDataFolder(dataDir);
  const lock = lockFolder(dataDir);
  teardown.add(() => lock.release());
  const path = ledgerPath(settings);
  const headsPath = join(dataDir, HEADS_FILE);
  checkLedgerIsThere(path, headsPath, settings.acceptRollback);
  const store = openStore(path);
  teardown.add(() => store.close());
  const seal = await openProtection(dataDir, around.wrappingKey ?? null, settings.keyPassphraseFile);
  const keyPath = join(dataDir, 'service-key.json');
  const key = new CurrentKey(openLedgerKey(keyPath, activeServiceKid(store), seal));
  registerServiceKey(store, key);
  const sealer = openSealingKeyFile(join(dataDir, 'sealing-key.json'), sealedSecrets(store), seal);
  const warn = (message: string): void => log.warn(message);
  const damaged = await checkLedger({ store, key, settings, headsPath, now, warn });
  const writer = new Writer(store);
  // What is known to be damaged must not become what the next start is held to: then the heads stay as they are.
  if (damaged.size === 0) {
    const heads = new HeadsKeeper({ store, writer, key, path: headsPath, now, onError });
    teardown.add(() => heads.close());
    await heads.start();
  }
  const dispatcher = new WebhookDispatcher({
    store,
    writer,
    sealer,
    now,
    allowPrivate: settings.webhookAllowPrivate,
    maxPending: () => settings.quotaDeliveries,
    onError,
    version,
  });
  teardown.add(() => dispatcher.close());
  const index = await OperationIndex.open({
    ledger: store.sqlite,
    ledgerPath: path,
    indexPath: join(dataDir, 'index.sqlite'),
    onError,
    onRebuild: (done, total) => log.warn({ done, total }, 'making the index of operations'),
  });
  teardown.add(() => index.close());
  const checkpointer = new Checkpointer({ store, writer, inBackground: () => index.checkpoint(), onError });
  teardown.add(() => checkpointer.close());
  const ledger = await Ledger.open({
    store: readableOnly(sqliteLedgerStore(store, index, writer), damaged),
    writer,
    key,
    // Both may change meanwhile.
    get epochIntervalMs() {
      return settings.epochIntervalSeconds * 1000;
    },
    get epochMaxLeaves() {
      return settings.epochMaxLeaves;
    },
    maxPayloadBytes: settings.maxPayloadBytes,
    now,
    onCommit: () => {
      dispatcher.wake();
      checkpointer.committed();
    },
    onError,
  });
  teardown.add(() => ledger.close());
  const jobs = { store, writer, ledger, key, now, onError };
  const exports = new Exports({ ...jobs, settings, ledgerPath: path, folder: join(dataDir, 'exports') });
  teardown.add(() => exports.close());
  const notedRefusals = new Refusals({ store, writer, now }, onError);
  teardown.add(() => notedRefusals.flush());
  const ledgerVerifications = new LedgerVerifications({ ...jobs, index });
  teardown.add(() => ledgerVerifications.close());
  const backups = new BackupJobs({ settings, store, writer, now, onError });
  teardown.add(() => backups.close());
  const onChange = (): void => {
    mailer = createMailer(settings);
    backups.look();
  };
  const runTimeSettings = new RunTimeSettings({ store, writer, now, onChange }, startingWith);

  const trust = new TrustKeeper({ setting: settings.trustStore, store, writer, now });
  const caseFolder = join(dataDir, 'cases');
  const cases = new Cases({
    folder: caseFolder,
    limits: {
      maxBytes: settings.caseMaxBytes,
      // These may change meanwhile.
      get maxWaiting() {
        return settings.quotaUploads;
      },
      get maxCases() {
        return settings.quotaCases;
      },
      get maxCaseBytes() {
        return settings.quotaCaseBytes;
      },
    },
    isHome: (orgId) => isHome(store, orgId),
    trust,
    now,
    onError,
    record: (act) => writer.transact(() => recordAdminEvent(store, act, now())),
  });
  const comparisons = new Comparisons({
    cases,
    folder: join(caseFolder, 'uploads'),
    now,
    onError,
    bundleOf: (orgId, path) => exports.bundleTo(orgId, path),
  });
  const caseReports = new CaseReports(cases, join(caseFolder, 'uploads'));
  teardown.add(async () => {
    comparisons.stop();
    caseReports.stop();
    await cases.close();
  });
  const mailAllowance = new MailAllowance();
  const setUp = new SetUp({ store, path: join(dataDir, 'set-up-code.json'), onError });
  const workstations = new WorkstationSessions(now);

  // Known only once the service listens, and needed only by requests, which come after that.
  let url = '';
  const origin = (): string => settings.publicUrl ?? url;
  const context: ServiceContext = {
    settings,
    store,
    index,
    writer,
    key,
    ledger,
    exports,
    ledgerVerifications,
    refusals: notedRefusals,
    cases,
    trust,
    workstations,
    setUp,
    tickets: new DownloadTickets(now),
    now,
    version,
    origin,
    callers: new Callers(store, writer, onError),
    ceremonies: new Ceremonies({ store, writer, now, origin }),
    signInLimits: new SignInLimits(now),
    // Where requests are not limited, sign-ups are not either.
    signUpLimit: new RateLimit(() => (settings.rateLimit === null ? null : LIMITS.signUpsPerHour), {
      what: 'sign-ups',
      seconds: 3600,
    }),
    signUpIsOpen: settings.signUp === null ? isLoopback(settings.host) : settings.signUp === 'open',
    onStatusChange: (change) => {
      enqueueStatusChange(store, change);
      dispatcher.wake();
    },
    queueHealth: () => dispatcher.queueHealth(),
    addressCodes: new AddressCodes({ store, writer, now, origin, mailer: () => mailer }),
    mailInvitations: (inviter, issued) =>
      mailInvitations(
        {
          store,
          mailer,
          allowance: mailAllowance,
          origin,
          onUnsent: (reason) => log.warn({ reason }, 'an invitation was not mailed'),
        },
        inviter,
        issued,
      ),
  };
  const handlers: Handlers = {
    ...identityRoutes(context),
    ...apiTokenRoutes(context),
    ...accountRoutes(context),
    ...passkeyRoutes(context),
    ...oauthRoutes(context),
    ...onboardingRoutes(context),
    ...memberRoutes(context),
    ...agentRoutes(context),
    ...operationRoutes(context),
    ...auditRoutes(context),
    ...epochRoutes(context),
    ...ledgerRoutes(context),
    ...summaryRoutes(context),
    ...exportRoutes(context),
    ...webhookRoutes({ settings, store, writer, sealer, now, webhooks: dispatcher }),
    ...workstationRoutes(context),
    ...ticketRoutes(context),
    ...trustRoutes(context),
    ...caseRoutes(cases, comparisons, caseReports),
    ...refusalRoutes(context),
    ...caseLedgerRoutes(cases),
    ...annotationRoutes(cases, now),
    ...adminRoutes(context),
    ...administrationRoutes({
      ...context,
      ...{ keyPath, seal, onError, runTimeSettings, backups, isDamaged: damaged.size > 0 },
    }),
    ...healthRoutes(context),
  };
  const refusals = new RefusalLog(log);
  teardown.add(() => refusals.flush());
  const server = await listen(settings, createApp(context, handlers, log, refusals).callback(), refusals);
  teardown.add(() => server.close());
  url = server.url;
  exports.resume();
  ledgerVerifications.resume();
  cases.resume();
  dispatcher.start();
  backups.start();
  return {
    url,
    dataDir,
    get kid() {
      return key.kid;
    },
    workstationLink: () => url + workstations.newLink(),
    setUpCode: () => setUp.code,
    close: () => teardown.run(),
  };
}
