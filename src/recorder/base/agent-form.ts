import { addressesIn, type RecordingPolicy } from '../../agent/light.ts';
import { isMembers, parseTime } from '../../protocol/light.ts';
import { type FeedId, isFeedId } from './programs.ts';

/** Agent, key, service and policy of a program whose actions are recorded: what agents/FEED.json holds. */
export interface AgentFile extends RecordingPolicy {
  readonly feed: FeedId;
  /** Such as http://127.0.0.1:8787 */
  readonly service_url: string;
  readonly org_id: string;
  readonly agent_id: string;
  /** Under which the agent's key is registered. */
  readonly kid: string;
  /** Ed25519: the 32-byte seed in base64url. */
  readonly private_key: string;
  /** Submits for this agent, and nothing else. */
  readonly token: string;
  /** The service key that receipts have to be signed with. */
  readonly service_kid: string;
  /** Which calls wait for the service under the threshold `countersigned`. */
  readonly require_receipt_for: 'changes' | 'all';
  /** Which calls have a record from before they ran. */
  readonly before: 'all' | 'changes' | 'none';
  /** How much of what a call was given and gave is recorded. */
  readonly content: 'full' | 'input' | 'digest';
  /** The program that was found at installation. */
  readonly program_path?: string;
  /** Whose program it is, where the recorder runs under another account than theirs: the name that root found for their number. */
  readonly person?: string;
  /** RFC 3339. */
  readonly installed_at: string;
  /** Where the service said at installation that the agent's chain ends; null for an agent without records. */
  readonly head: string | null;
  /** The configuration files that installation wrote to, with what `uninstall` needs to know of each. */
  readonly config: readonly ConfigEntry[];
}

/** A file of a program's configuration, and whatever else installation noted of it. */
export interface ConfigEntry {
  readonly path: string;
  readonly [member: string]: unknown;
}

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string' && value !== '';
const oneOf =
  (...values: readonly string[]): Test =>
  (value) =>
    values.some((one) => one === value);

/** One, or several of nodes of one ledger. */
function areWebAddresses(value: unknown): boolean {
  const isOne = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');
  return typeof value === 'string' && addressesIn(value).every(isOne);
}

function isTime(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    parseTime(value);
    return true;
  } catch {
    return false;
  }
}

/** Without a library of schemas, which would be the larger part of what a recorder that has nothing to do has in memory. */
const MEMBERS: { readonly [Member in keyof AgentFile]-?: Test } = {
  feed: (value) => typeof value === 'string' && isFeedId(value),
  service_url: areWebAddresses,
  org_id: isText,
  agent_id: isText,
  kid: isText,
  private_key: isText,
  token: isText,
  service_kid: isText,
  on_failure: oneOf('allow', 'block'),
  threshold: oneOf('captured', 'countersigned'),
  require_receipt_for: oneOf('changes', 'all'),
  before: oneOf('all', 'changes', 'none'),
  content: oneOf('full', 'input', 'digest'),
  program_path: (value) => value === undefined || typeof value === 'string',
  person: (value) => value === undefined || isText(value),
  installed_at: isTime,
  head: (value) => value === null || typeof value === 'string',
  config: (value) => Array.isArray(value) && value.every((one) => isMembers(one) && typeof one['path'] === 'string'),
};

/** What of an agent is no secret: what a person may know of one that the system's recorder signs for. */
export type PublicAgentFile = Omit<AgentFile, SecretMember>;
type SecretMember = 'private_key' | 'token';

/** @returns the file without its secrets */
export function withoutSecrets({ private_key: _, token: __, ...rest }: AgentFile): PublicAgentFile {
  return rest;
}

export function isPublicAgentFile(value: unknown): value is PublicAgentFile {
  // Words in the place of the secrets: all other members have to be as they are in the whole file.
  return isMembers(value) && misfit({ private_key: '-', token: '-', ...value }) === null && !('token' in value);
}

/** @returns the first member that is not as it has to be, or that the form does not have; null where there is none */
export function misfit(value: unknown): string | null {
  if (!isMembers(value)) return '';
  const wrong = Object.entries(MEMBERS).find(([name, isRight]) => !isRight(value[name]));
  return wrong?.[0] ?? Object.keys(value).find((name) => !Object.hasOwn(MEMBERS, name)) ?? null;
}

export function isAgentFile(value: unknown): value is AgentFile {
  return misfit(value) === null;
}
