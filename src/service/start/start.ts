import { join } from 'node:path';
import { pino } from 'pino';
import packageJson from '../../../package.json' with { type: 'json' };
import { LIMITS } from '../../api/index.ts';
import type { ArchiveRoom } from '../archive/archive-room.ts';
import { DownloadTickets } from '../http/download-tickets.ts';
import { listen } from '../http/listen.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { RefusalLog } from '../http/refusal-log.ts';
import { RequestFigures } from '../http/request-figures.ts';
import { type StartSettings, startSettings } from '../operator/run-time-settings.ts';
import { AddressCodes } from '../people/identity/address-codes.ts';
import { Callers } from '../people/identity/callers.ts';
import { Ceremonies } from '../people/identity/passkeys/ceremonies.ts';
import { Passwords } from '../people/identity/passwords.ts';
import { SignInLimits } from '../people/identity/sign-in-limits.ts';
import { MailAllowance } from '../people/mail/allowance.ts';
import { mailInvitations } from '../people/mail/mail-invitations.ts';
import type { SendInvitations } from '../people/members/invitations.ts';
import { SetUp } from '../people/organizations/set-up.ts';
import { WorkstationSessions } from '../people/workstation/workstation-sessions.ts';
import type { Replica } from '../shared/node.ts';
import { standardError } from '../store/base/log.ts';
import { isLoopback } from '../store/settings/settings.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import { startErrorOf } from '../store/sqlite-errors.ts';
import { createApp } from './app.ts';
import { openCaseRoom } from './case-room.ts';
import { openEvidenceJobs, openJobs } from './evidence-jobs.ts';
import type { HostOptions, StartContext } from './host.ts';
import { ledgerPathOf, type OpenData, openData } from './open-data.ts';
import { openLedger, replicaOf } from './open-ledger.ts';
import { type OperatorParts, openOperatorParts } from './operator-parts.ts';
import { handlersOf } from './routes.ts';
import { Teardown } from './teardown.ts';

/** Who may come in, and by what. */
function openPeopleParts(
  start: StartContext,
  { store, writer }: OpenData,
  { mailer }: OperatorParts,
  origin: () => string,
  { passwordCost }: HostOptions,
) {
  const { settings, log, now, onError } = start;
  const allowance = new MailAllowance();
  const onUnsent = (reason: string): void => log.warn({ reason }, 'an invitation was not mailed');
  const sendInvitations: SendInvitations = (inviter, issued) =>
    mailInvitations({ store, mailer: mailer(), allowance, origin, onUnsent }, inviter, issued);
  return {
    callers: new Callers(store, writer, onError),
    workstations: new WorkstationSessions(now),
    setUp: new SetUp({ store, path: join(settings.dataDir, 'set-up-code.json'), onError }),
    passwords: new Passwords(passwordCost),
    ceremonies: new Ceremonies({ store, writer, now, origin }),
    signInLimits: new SignInLimits(() => performance.now()),
    // Where requests are not limited, sign-ups are not either.
    signUpLimit: new RateLimit(() => (settings.rateLimit === null ? null : LIMITS.signUpsPerHour), {
      what: 'sign-ups',
      seconds: 3600,
    }),
    signUpIsOpen: settings.signUp === null ? isLoopback(settings.host) : settings.signUp === 'open',
    addressCodes: new AddressCodes({ store, writer, now, origin, mailer }),
    mailInvitations: sendInvitations,
  };
}

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
  /** The runs of hosts, where this is a central node. */
  readonly archive: ArchiveRoom;
  /** The ledger, to the node that makes what others have committed: on a standby alone. */
  readonly replica: Replica;
  /** Answers what is in progress, seals the open epochs and leaves the data folder. */
  close(): Promise<void>;
}

/**
 * Starts the audit service: takes the data folder, opens ledger and key, and listens.
 * @param given settings; what is left out was stored by the interface, or has its default
 * @throws StartError where the service cannot start; nothing is left running then
 */
export async function startService(given: Partial<Settings> = {}, host: HostOptions = {}): Promise<Service> {
  const startingWith = startSettings(given, host.origins ?? {});
  const { settings } = startingWith;
  const log = pino({ level: settings.logLevel }, host.log ?? standardError());
  const teardown = new Teardown();
  const onError = (error: unknown): void => log.error({ err: error }, 'a task in the background failed');
  const { version } = packageJson;
  try {
    return await start({ settings, teardown, log, now: Date.now, onError, version }, startingWith, host);
  } catch (error) {
    await teardown.run();
    throw startErrorOf(error, ledgerPathOf(settings));
  }
}

async function start(begun: StartContext, given: StartSettings, host: HostOptions): Promise<Service> {
  const data = await openData(begun, host);
  // By a clock that is in doubt nothing is signed, and nobody's session, token or code ends either.
  const context = { ...begun, now: () => data.watch.time() };
  const { settings, teardown, log, now } = context;
  const core = await openLedger(context, data, host);
  const jobs = openJobs(context, data);
  const evidence = openEvidenceJobs(context, data, jobs, core);
  const operator = openOperatorParts(context, data, jobs, core, given);
  const room = openCaseRoom(context, data, jobs, evidence.exports, core.ledger);
  evidence.sweeps.archive = room.archive;
  // Known only once the service listens, and needed only by requests, which come after that.
  let url = '';
  const origin = (): string => settings.publicUrl ?? url;
  const people = openPeopleParts(context, data, operator, origin, host);
  const stopping = new AbortController();
  const parts = {
    ...context,
    ...data,
    ...core,
    ...evidence,
    ...operator,
    ...room,
    ...people,
    origin,
    figures: new RequestFigures(),
    tickets: new DownloadTickets(now),
    stopping: stopping.signal,
  };
  const refusalLog = new RefusalLog(log);
  teardown.add(() => refusalLog.flush());
  const server = await listen(settings, createApp(parts, handlersOf(parts), refusalLog).callback(), refusalLog);
  const isStandby = data.node?.isStandby ?? false;
  teardown.add(() => {
    // Everybody waits until this node has taken over.
    if (isStandby) stopping.abort();
    return server.close(() => stopping.abort());
  });
  url = server.url;
  // What begins by itself changes the ledger: on a standby none of it does, but for the index.
  if (!isStandby) {
    evidence.exports.resume();
    evidence.ledgerVerifications.resume();
    evidence.sweeps.resume();
    room.cases.resume();
    core.dispatcher.start();
    core.witnessAsker.start();
    operator.backups.start();
    operator.courier.look();
    operator.syslog.look();
  }
  core.contentIndex.start({
    hasRecords: data.store.sqlite.prepare('SELECT 1 FROM operations LIMIT 1').get() !== undefined,
  });
  return {
    url,
    dataDir: settings.dataDir,
    get kid() {
      return data.key.kid;
    },
    workstationLink: () => url + people.workstations.newLink(),
    setUpCode: () => people.setUp.code,
    archive: room.archive,
    replica: replicaOf(data, core, evidence.exports),
    close: () => teardown.run(),
  };
}
