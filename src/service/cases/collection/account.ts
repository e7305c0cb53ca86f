import type { CallAccount } from '../../../actions/found/index.ts';
import { isMembers, type Json, type JsonObject } from '../../../protocol/index.ts';

/** What of a payload of the profile its call is found and compared by. */
export interface AccountOf extends CallAccount {
  readonly session: string | null;
  readonly callId: string | null;
  readonly actionId: string | null;
  readonly durationMs: number | null;
}

function memberIn(value: Json | undefined, ...names: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const name of names) found = isMembers(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}

function textIn(value: Json | undefined, ...names: readonly string[]): string | null {
  const found = memberIn(value, ...names);
  return typeof found === 'string' ? found : null;
}

/** The input as it was given; undefined where it is cut, withheld, or has something else in the place of a secret. */
export function wholeInput(payload: JsonObject): Json | undefined {
  const input = payload['input'];
  const redactions = payload['redactions'];
  const isWhole =
    memberIn(input, 'truncated') !== true &&
    !(Array.isArray(redactions) && redactions.some((one: Json) => textIn(one, 'at')?.startsWith('/input') === true));
  return isWhole ? memberIn(input, 'value') : undefined;
}

/** What a payload of the profile says of a call; null of one that is of no call. */
export function accountOf(payload: JsonObject): AccountOf | null {
  const tool = textIn(payload, 'tool', 'name');
  const actionId = textIn(payload, 'action_id');
  if (tool === null && actionId === null) return null;
  const [exitCode, duration] = [memberIn(payload, 'outcome', 'exit_code'), memberIn(payload, 'timing', 'duration_ms')];
  return {
    session: textIn(payload, 'session', 'id'),
    callId: textIn(payload, 'tool', 'call_id'),
    actionId,
    tool,
    input: wholeInput(payload),
    status: textIn(payload, 'outcome', 'status'),
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    durationMs: typeof duration === 'number' ? duration : null,
  };
}

const COMMANDS = ['command', 'cmd', 'script'];
const PATHS = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'target_file'];

/** The command line of a call that is one; null of any other. */
export function commandOf(payload: JsonObject): string | null {
  const input = memberIn(payload, 'input', 'value');
  if (!isMembers(input)) return null;
  const given = COMMANDS.map((name) => input[name]).find((value) => value !== undefined);
  if (typeof given === 'string') return given;
  return Array.isArray(given) ? given.filter((word) => typeof word === 'string').join(' ') : null;
}

/** Files that a call names: what it declares, and members of its input that are called so. */
export function pathsOf(payload: JsonObject): string[] {
  const touched = payload['touched'];
  const declared = Array.isArray(touched)
    ? touched.flatMap((one: Json) => (textIn(one, 'kind') === 'file' ? (textIn(one, 'id') ?? []) : []))
    : [];
  const named = PATHS.flatMap((name) => textIn(payload, 'input', 'value', name) ?? []);
  return [...new Set([...declared, ...named])];
}
