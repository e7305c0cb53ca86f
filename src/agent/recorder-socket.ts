import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { hasCode, isMembers } from '../protocol/light.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';
import type { Verdict } from './verdict.ts';

/** What is said where a policy keeps an agent from what could not be recorded. */
export const NOT_RECORDED = 'Countersign could not record this action, and actions that are not recorded are blocked';

/** How long whoever hands in an event waits for the recorder's answer, in seconds. */
export const PATIENCE_S = 3;

/**
 * How long one waits before that until the recorder says that it lives (`GET /v1/alive`), in seconds: one that hangs is found in this time, not
 * in what a living one may take for a large event. The system holds those who wait while it starts its recorder. Once one was waited
 * for in vain, which `missed/away` tells, those after wait less, until one answers.
 */
export const ALIVE_S = { own: 1, system: PATIENCE_S, afterVain: 0.25 } as const;

/** What of a body is sent and read in a millisecond at the least, in bytes, on a machine with much else to do. */
const BYTES_A_MS = 4_000;

/** How long one waits for the answer to a body, in milliseconds: large ones are read, cleaned and written down meanwhile. */
export function patienceFor(bytes: number): number {
  return PATIENCE_S * 1_000 + Math.ceil(bytes / BYTES_A_MS);
}

/** The most that an answer of the recorder may have, in bytes. */
const LARGEST_ANSWER = 1 << 20;

export interface RecorderRequest {
  readonly path: string;
  /** JSON, or lines of what was missed, to be posted; without it the path is read. */
  readonly body?: string | Uint8Array;
  /** How long the recorder may take for the whole answer, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Speaks to the recorder of a folder: over its socket, or over its port with its token where there are no sockets. Each time it is looked
 * up where it listens: a recorder that was started again listens elsewhere.
 * @throws Error where nothing answers, or not whole
 */
export async function requestRecorder(folder: string, { path, body, timeoutMs }: RecorderRequest): Promise<HttpAnswer> {
  const { url, headers, ...where } = addressOf(folder);
  return await exchange(url + path, {
    ...where,
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
    timeoutMs,
    maxBytes: LARGEST_ANSWER,
    // One that is kept may be that of a recorder which has ended meanwhile.
    agent: false,
  });
}

interface Address {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly socketPath?: string;
}

function addressOf(folder: string): Address {
  const [socketPath, file] = [join(folder, 'recorder.sock'), join(folder, 'recorder.json')];
  // A recorder of the system has no port: whoever can connect to its socket may speak to it.
  if (!existsSync(file) || (process.platform !== 'win32' && existsSync(socketPath))) {
    return { url: 'http://localhost', headers: {}, socketPath };
  }
  const address = jsonIn(readFileSync(file, 'utf8'));
  const url = isMembers(address) ? address['url'] : undefined;
  // The token goes to this machine alone.
  if (typeof url !== 'string' || new URL(url).hostname !== '127.0.0.1') throw new Error(`${file} names no address`);
  const token = readFileSync(join(folder, 'token'), 'utf8').trim();
  return { url: url.replace(/\/+$/, ''), headers: { authorization: `Bearer ${token}` } };
}

/** The verdict in an answer of the recorder; null where it is something else. */
export function verdictIn({ status, body }: HttpAnswer): Verdict | null {
  const value = status === 200 || status === 403 ? jsonIn(body.toString('utf8')) : undefined;
  if (!isMembers(value)) return null;
  const { allowed, reason, operation_ids } = value;
  if (typeof allowed !== 'boolean' || !Array.isArray(operation_ids)) return null;
  return {
    allowed,
    reason: typeof reason === 'string' ? reason : null,
    operation_ids: operation_ids.filter((id) => typeof id === 'string'),
  };
}

/** Undefined where the text is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an agent's file says of what could not be recorded. */
export interface RecordingPolicy {
  /** Whether the agent may go on where something could not be recorded. */
  readonly on_failure: 'allow' | 'block';
  /** What a recorded call is: signed and on this disk, or acknowledged by the service. */
  readonly threshold: 'captured' | 'countersigned';
}

/** @param path of agents/FEED.json */
export function policyIn(path: string): RecordingPolicy {
  try {
    const agent: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const { on_failure, threshold } = isMembers(agent) ? agent : {};
    return {
      on_failure: on_failure === 'block' ? 'block' : 'allow',
      threshold: threshold === 'captured' ? 'captured' : 'countersigned',
    };
  } catch (error) {
    // What cannot be read may have said that nothing is to run unrecorded.
    return { on_failure: hasCode(error, 'ENOENT') ? 'allow' : 'block', threshold: 'countersigned' };
  }
}

/**
 * Whether an event that no recorder answered may be left for the next one while the program continues: not where it has to be recorded, or
 * acknowledged, before that.
 */
export function mayBeLeft({ on_failure, threshold }: RecordingPolicy): boolean {
  return on_failure === 'allow' && threshold === 'captured';
}

/** How many events wait for a recorder at most, and how many bytes of them: what is more is missed, and a gap tells. */
export const MOST_LEFT = { files: 1_000, bytes: 256 * 1024 * 1024 } as const;

/** Who hands in events in our own form, from a process that outlives its recorder. */
export type LeavingWitness = 'library' | 'mcp' | 'acp';

/** Since 1970, in milliseconds: by when they were left a recorder knows the order of files. */
let lastLeft = 0;

/**
 * Leaves the body of a `POST /v1/seen/FEED` that no recorder answered: the next one takes it up when it starts, or when it answers again.
 * @param count how many events it holds
 * @returns false where the policy does not permit it or no agent is installed, where as much waits as may, and where the folder
 *   cannot be written
 */
export function leaveSeen(
  folder: string,
  feed: string,
  body: string,
  { witness, count }: { readonly witness: LeavingWitness; readonly count: number },
): boolean {
  if (!mayBeLeft(policyIn(join(folder, 'agents', `${feed}.json`)))) return false;
  const left = join(folder, 'left');
  const path = join(left, `${feed}.${randomUUID()}.${witness}.${count}`);
  try {
    mkdirSync(left, { recursive: true, mode: 0o700 });
    const sizes = readdirSync(left).map((name) => statSync(join(left, name), { throwIfNoEntry: false })?.size ?? 0);
    const bytes = sizes.reduce((sum, size) => sum + size, Buffer.byteLength(body));
    if (sizes.length >= MOST_LEFT.files || bytes > MOST_LEFT.bytes) return false;
    writeFileSync(`${path}.part`, body, { mode: 0o600, flag: 'wx' });
    lastLeft = Math.max(Date.now(), lastLeft + 0.001);
    utimesSync(`${path}.part`, lastLeft / 1_000, lastLeft / 1_000);
    renameSync(`${path}.part`, path);
    return true;
  } catch {
    // Its caller notes it as missed instead.
    if (existsSync(`${path}.part`)) rmSync(`${path}.part`);
    return false;
  }
}

/**
 * Notes events as missed, a line each: the next recorder signs a gap for them, also if this process has ended by then.
 * @param witness who saw them
 * @throws Error where the folder cannot be written
 */
export function noteMissed(folder: string, feed: string, eventIds: readonly string[], witness?: LeavingWitness): void {
  const missed = join(folder, 'missed');
  mkdirSync(missed, { recursive: true, mode: 0o700 });
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  const by = witness === undefined ? '' : ` ${witness}`;
  const lines = eventIds.map((id) => `${time} ${id}${by}\n`).join('');
  appendFileSync(join(missed, feed), lines, { mode: 0o600 });
}
