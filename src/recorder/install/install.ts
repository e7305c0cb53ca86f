import { hostname } from 'node:os';
import {
  type AgentFacts,
  type AgentFile,
  type AgentPolicy,
  readAgentFacts,
  readAgentFile,
  readAgentFiles,
  writeAgentFile,
} from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import { type FeedId, isProgramId, type ProgramId, programName } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { recorderCommand } from '../listen/recorder-command.ts';
import { DESCRIPTIONS } from '../programs/described.ts';
import { type ProgramDescription, type SetupContext, shellWord } from '../programs/description.ts';
import { agentNameOf } from './agent-name.ts';
import { alone, whereInstalled } from './alone.ts';
import { type PlannedEdit, planAdding, readEditedFiles } from './config/edited-files.ts';
import { otherRecordersIn } from './config/other-hooks.ts';
import { type FoundProgram, findProgram } from './find-program.ts';
import { type ScriptPlace, scriptPath } from './folders.ts';
import type { Keeper } from './keeper.ts';
import { enrolAgent } from './register.ts';
import { asked, isAccepted, isRefusal, ServiceCalls, serviceAddress } from './service-calls.ts';
import { settingsFiles } from './settings-files.ts';

/** Where installation works: what it reads of the process. */
export interface Surroundings {
  readonly home: RecorderHome;
  readonly environment: NodeJS.ProcessEnv;
  /** Of the person: HOME. */
  readonly userHome: string;
  /** The working folder. */
  readonly cwd: string;
  readonly keeper: Keeper;
}

export interface InstallOptions {
  readonly feed: FeedId;
  /** Null keeps what an earlier installation was told. */
  readonly service: string | null;
  readonly token: string | null;
  /** The kid that the service has to have; null takes what it shows, or what an earlier installation took. */
  readonly serviceKid: string | null;
  readonly policy: Partial<AgentPolicy>;
  /** Configures the program for the project in the working folder instead of for the user. */
  readonly inProject: boolean;
}

/** What installation is going to do, for whoever has to agree. Nothing was changed yet. */
export interface InstallPlan {
  readonly feed: FeedId;
  readonly serviceUrl: string;
  readonly serviceKid: string;
  /** Whether that key was given or known from before; else it is trusted on first use. */
  readonly isKeyKnown: boolean;
  /** The agent that is there already, or the name that a new one is going to have. */
  readonly agentId: string;
  readonly isNewAgent: boolean;
  readonly program: FoundProgram | null;
  readonly policy: AgentPolicy;
  readonly edits: readonly PlannedEdit[];
  readonly setup: ProgramDescription | null;
  /** @throws RecordError, also INSTALL_RUNNING where another installation works here or has since the plan was made */
  carryOut(): Promise<Installed>;
}

export interface Installed {
  readonly agent: AgentFile;
  /** When the recorder's token ends, in milliseconds since the Unix epoch; null for never, or where it is the one from before. */
  readonly tokenEndsAt: number | null;
}

const POLICY: AgentPolicy = {
  on_failure: 'allow',
  threshold: 'captured',
  require_receipt_for: 'changes',
  before: 'all',
  content: 'full',
};

/**
 * Looks at everything that installation needs, and changes nothing.
 * @throws RecordError SERVICE_REFUSED, CONFIG_UNUSABLE, FOLDER_UNUSABLE, OTHER_RECORDER
 */
export async function planInstall(around: Surroundings, options: InstallOptions): Promise<InstallPlan> {
  const { feed } = options;
  const { keeper } = around;
  checkKeeper(around);
  const earlier = await keeper.asRecorder(async () => whereInstalled(() => readAgentFile(around.home, feed)));
  const serviceUrl = serviceAddress(options.service ?? earlier?.service_url ?? missing('--service'));
  const same = earlier !== null && earlier.service_url === serviceUrl ? earlier : null;
  const serviceKid = await checkedKid(serviceUrl, options.serviceKid, same);
  const setup = isProgramId(feed) ? DESCRIPTIONS[feed] : null;
  const program = await findProgram(setup?.binary ?? null, around.environment, keeper.runAs);
  const policy = { ...POLICY, ...(earlier === null ? {} : policyOf(earlier)), ...options.policy };
  const edits = isProgramId(feed) ? await planEdits(around, feed, options, policy, earlier) : [];
  const identity = await lookUp(serviceUrl, options.token, same);
  const name = agentNameOf(feed, keeper.person, hostname());
  const agentId = identity.agent?.agent_id ?? name;

  const install = async (): Promise<Installed> => {
    const { agent, tokenEndsAt } = await keeper.asRecorder(() => obtainAgent(around, feed, identity, name));
    const edited = edits.map((edit) => edit.edited);
    const others = (same?.config ?? []).filter(({ path }) => !edited.some((edit) => edit.path === path));
    const file: AgentFile = {
      ...agent,
      ...policy,
      feed,
      service_url: serviceUrl,
      service_kid: serviceKid,
      ...(program === null ? {} : { program_path: program.path }),
      ...(keeper.runAs === null ? {} : { person: keeper.person }),
      installed_at: same?.installed_at ?? new Date().toISOString(),
      config: [...others, ...edited],
    };
    // Before the program is configured: a hook that runs at once finds its agent, and uninstall what was edited.
    await keeper.asRecorder(async () => writeAgentFile(around.home, file));
    const { on_failure: onFailure, threshold } = policy;
    const script = isProgramId(feed) ? { ...scriptOptions(around, feed), onFailure, threshold } : null;
    await keeper.publish(file, script);
    await keeper.asPerson(async () => {
      for (const edit of edits) await edit.carryOut();
    });
    return { agent: file, tokenEndsAt };
  };
  const carryOut = async (): Promise<Installed> => {
    await keeper.prepare(around.home);
    return alone(around, feed, earlier, install);
  };
  return {
    feed,
    serviceUrl,
    serviceKid,
    isKeyKnown: options.serviceKid !== null || same !== null,
    agentId,
    isNewAgent: identity.agent === null,
    program,
    policy,
    edits,
    setup,
    carryOut,
  };
}

/** @returns null where nothing is installed @throws RecordError FOLDER_UNUSABLE */
export function installedAgent(home: RecorderHome, feed: FeedId): AgentFacts | null {
  return whereInstalled(() => readAgentFacts(home, feed));
}

/** @throws RecordError OTHER_RECORDER where the system keeps the recorder, and this process is only the person's */
export function checkKeeper({ home, keeper }: Surroundings): void {
  if (!home.isSystem || keeper.runAs !== null) return;
  throw new RecordError(
    'OTHER_RECORDER',
    'the system keeps the recorder of this user: run it as root with --system --for USER',
  );
}

/** What the hook's script of a program is made from, besides the policy. */
export function scriptOptions({ home }: Surroundings, feed: ProgramId): ScriptPlace {
  const { start, node } = recorderCommand();
  return { home, feed, start: home.isSystem ? null : start, node };
}

export function setupContext(
  { home, environment, userHome, cwd }: Surroundings,
  feed: ProgramId,
  inProject: boolean,
  blocksOnFailure: boolean,
): SetupContext {
  const project = inProject ? cwd : null;
  return { userHome, environment, project, script: scriptPath(home, feed), blocksOnFailure };
}

async function planEdits(
  around: Surroundings,
  feed: ProgramId,
  { inProject }: InstallOptions,
  { on_failure }: AgentPolicy,
  earlier: AgentFile | null,
): Promise<PlannedEdit[]> {
  const context = setupContext(around, feed, inProject, on_failure === 'block');
  const known = readEditedFiles(earlier?.config ?? []);
  const agents = await around.keeper.asRecorder(async () => readAgentFiles(around.home));
  return around.keeper.asPerson(async () => {
    const edits: PlannedEdit[] = [];
    for (const file of settingsFiles(feed, context)) {
      const other = agents.find((agent) => agent.feed !== feed && agent.config.some(({ path }) => path === file.path));
      if (other !== undefined) throw takenBy(file.path, other.feed);
      const [folder] = await otherRecordersIn(file.path, feed, context.script);
      if (folder !== undefined) throw recordedBy(file.path, folder, feed);
      const before = known.find(({ path }) => path === file.path);
      edits.push(await planAdding(file, before));
    }
    return edits;
  });
}

function takenBy(path: string, feed: FeedId): RecordError {
  return new RecordError(
    'CONFIG_UNUSABLE',
    `${path} is read by ${programName(feed)} too, which is recorded already: uninstall ${feed} first`,
  );
}

function recordedBy(path: string, folder: string, feed: ProgramId): RecordError {
  return new RecordError(
    'OTHER_RECORDER',
    `${path} has the hooks of another recorder, that of the folder ${folder}: take them out with COUNTERSIGN_RECORDER=${shellWord(folder)} countersign record uninstall ${feed}, or record there`,
  );
}

function policyOf({ on_failure, threshold, require_receipt_for, before, content }: AgentFile): AgentPolicy {
  return { on_failure, threshold, require_receipt_for, before, content };
}

async function checkedKid(url: string, wanted: string | null, earlier: AgentFile | null): Promise<string> {
  const expected = wanted ?? earlier?.service_kid ?? null;
  const kid = await asked(`the service at ${url} could not be asked for its key`, async () => {
    return new ServiceCalls(url).serviceKid();
  });
  if (expected === null || kid === expected) return kid;
  throw new RecordError(
    'SERVICE_REFUSED',
    `the service at ${url} signs with the key ${kid}, not with ${expected}: compare its fingerprint, then give it with --service-key`,
  );
}

/** Who the token is of, and the agent of an earlier installation that can go on being used. */
interface Identity {
  readonly calls: ServiceCalls;
  readonly token: string | null;
  /** Null where the token may not ask. */
  readonly orgId: string | null;
  readonly agent: AgentFile | null;
}

async function lookUp(serviceUrl: string, token: string | null, earlier: AgentFile | null): Promise<Identity> {
  if (token === null) {
    if (earlier === null) return missing('--token');
    return { calls: new ServiceCalls(serviceUrl), token, orgId: earlier.org_id, agent: earlier };
  }
  const calls = new ServiceCalls(serviceUrl, token);
  const orgId = await asked('the token was refused', () => organizationOf(calls));
  const isSame = earlier !== null && (orgId === null || earlier.org_id === orgId);
  const agent = isSame && (await isAccepted(earlier)) ? earlier : null;
  return { calls, token, orgId, agent };
}

/** @returns null for a token that can only register an agent: the service tells it with the agent */
async function organizationOf(calls: ServiceCalls): Promise<string | null> {
  try {
    const { orgId } = await calls.call('session');
    if (orgId !== null) return orgId;
  } catch (error) {
    if (isRefusal(error, 'FORBIDDEN')) return null;
    throw error;
  }
  throw new RecordError('SERVICE_REFUSED', 'the user of the token has no organization yet: set it up first');
}

type AgentPart = Pick<AgentFile, 'org_id' | 'agent_id' | 'kid' | 'private_key' | 'token' | 'head'>;

async function obtainAgent(
  { home, keeper }: Surroundings,
  feed: FeedId,
  { calls, token, agent }: Identity,
  name: string,
): Promise<{ readonly agent: AgentPart; readonly tokenEndsAt: number | null }> {
  if (agent !== null || token === null) {
    if (agent === null) return missing('--token');
    const { org_id, agent_id, kid, private_key, token: kept, head } = agent;
    return { agent: { org_id, agent_id, kid, private_key, token: kept, head }, tokenEndsAt: null };
  }
  const displayName = `${programName(feed)} of ${keeper.person} on ${hostname()}`;
  const enrolled = await enrolAgent(calls, home, feed, { name, displayName });
  const { orgId: org_id, agentId: agent_id, kid, privateKey: private_key, token: issued, head, tokenEndsAt } = enrolled;
  return { agent: { org_id, agent_id, kid, private_key, token: issued, head }, tokenEndsAt };
}

function missing(option: string): never {
  throw new RecordError('SERVICE_REFUSED', `nothing is installed yet: give ${option}`);
}
