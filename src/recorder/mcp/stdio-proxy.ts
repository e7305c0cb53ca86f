import { type ChildProcess, spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { hasCode } from '../../protocol/light.ts';
import { type Received, received } from '../seen/received.ts';
import { LineSplitter } from './lines.ts';
import type { Side } from './open-call.ts';
import { allWritten, Lines } from './pipe.ts';
import { LONGEST_PARSED, Recording, type RecordingSettings } from './recording.ts';

/** A server of a protocol of JSON-RPC over stdio, and the client at the other side of this process. */
export interface StdioSettings {
  readonly command: string;
  readonly args: readonly string[];
  readonly input: Readable;
  readonly output: Writable;
  /** Lets the client see the end of the output before this process ends. Called once all was written: a pipe takes what comes only as it is read. */
  readonly closeOutput: () => void;
  /** Where signals to this process arrive. */
  readonly signals: EventEmitter;
  /** Of the server: the client's, without what this command sets for itself. */
  readonly environment?: NodeJS.ProcessEnv;
  /** How long a server whose client has left may be silent, in milliseconds; a minute where it is not said. */
  readonly graceMs?: number;
}

/** How the server's process ended: one of both is null. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const PASSED_ON = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * How long a server may be silent whose client has closed its side, before it is ended as the specification of MCP has clients do it (Lifecycle,
 * Shutdown). A client that has sent all it has may still wait for an answer.
 */
const GRACE_MS = 60_000;

/** How long output is waited for after the server ended, whose own children may hold it open, in milliseconds. */
const LAST_OUTPUT_MS = 2_000;

/** The connection of stdio is all there is: its ids are unique in it, and it has no session. */
const SCOPE = '';

/**
 * Runs a server and forwards everything between it and the client, byte for byte, until the server's process has ended.
 * @throws the error of the system where the server cannot be started, such as ENOENT
 */
export async function proxyStdio(settings: StdioSettings, recordingSettings: RecordingSettings): Promise<ProcessEnd> {
  const { command, args, input, output, signals } = settings;
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(settings.environment !== undefined && { env: settings.environment }),
  });
  const recording = new Recording(recordingSettings);
  const handlers = PASSED_ON.map((signal) => [signal, (): boolean => child.kill(signal)] as const);
  for (const [signal, handler] of handlers) signals.on(signal, handler);
  // A reader that is gone shows in its process; see writeTo.
  const ignore = (): void => undefined;
  child.stdin.on('error', ignore);
  output.on('error', ignore);
  const toClient = new Lines(output, async () => {
    await allWritten(output);
    settings.closeOutput();
  });
  const toServer = new Lines(child.stdin, () => {
    child.stdin.end();
  });
  let lastPart = performance.now();
  const passed = (): void => {
    lastPart = performance.now();
  };
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const fromClient = forward('client', input, { to: toServer, back: toClient, recording, isRunning, passed });
  const fromServer = forward('server', child.stdout, { to: toClient, back: toServer, recording, isRunning, passed });
  const ending = endAfter(fromClient, child, settings.graceMs ?? GRACE_MS, () => lastPart);
  try {
    // The two forwarders never end a proxy by themselves; where one fails, that is a defect, and must not go unseen.
    const end = await Promise.race([endOf(child), failureOf(fromClient), failureOf(fromServer)]);
    await within(LAST_OUTPUT_MS, fromServer);
    return end;
  } finally {
    ending.stop();
    for (const [signal, handler] of handlers) signals.off(signal, handler);
    output.off('error', ignore);
    child.stdout.destroy();
    input.destroy();
    await fromClient;
    recording.closed();
    await recordingSettings.handing.idle();
  }
}

interface Way {
  readonly to: Lines;
  /** Where refusals go. */
  readonly back: Lines;
  readonly recording: Recording;
  /** Whether the server can still be held up: what it left behind when it ended is little, and is not waited with. */
  readonly isRunning: () => boolean;
  /** To be called for each part that went through. */
  readonly passed: () => void;
}

async function forward(from: Side, stream: Readable, way: Way): Promise<void> {
  const { to, recording, isRunning, passed } = way;
  const isHeld = recording.isHeld(from);
  // Who reads Python's way sees two lines where others see one: each is read.
  const splitter = new LineSplitter(LONGEST_PARSED, { atReturns: isHeld });
  const pass = isHeld ? passHeld(from, way) : passShown(from, way);
  await eachPart(stream, splitter, async (part) => {
    await pass(part);
    passed();
    if (isRunning()) await recording.room();
  });
  await to.close();
}

/** For a side whose messages are shown to the recorder, and pass whatever it says. */
function passShown(from: Side, { to, recording }: Way): (part: PartOf) => Promise<void> {
  return async (part) => {
    // Shown first, so that what the other side answers cannot be recorded before it; handing it over is not waited for.
    if (part.kind !== 'piece') recording.forwarded(from, messageOf(part), SCOPE, null);
    await to.forward(part.bytes);
  };
}

/** For a side whose actions pass only once the recorder has them. */
function passHeld(from: Side, { to, back, recording }: Way): (part: PartOf) => Promise<void> {
  return async (part) => {
    if (part.kind === 'piece') return to.forward(part.bytes);
    const refusal = await recording.beforeForwarding(from, messageOf(part), SCOPE, null);
    if (refusal === null) return to.forward(part.bytes);
    // Of a long line the other side has all but the last piece: without that one it is no message that anything can be done with.
    await to.endLine();
    return back.answer(refusal.answer);
  };
}

/** What is known of a line, once all of it is there. */
function messageOf(part: Exclude<PartOf, { kind: 'piece' }>): Received {
  return part.kind === 'line' ? received(part.bytes) : part.received;
}

type PartOf = ReturnType<LineSplitter['push']> extends Generator<infer Part> ? Part : never;

async function eachPart(
  stream: Readable,
  splitter: LineSplitter,
  handle: (part: PartOf) => Promise<void>,
): Promise<void> {
  try {
    for await (const chunk of stream) for (const part of splitter.push(chunk)) await handle(part);
  } catch (error) {
    if (!isEndOfStream(error)) throw error;
  }
  for (const part of splitter.end()) await handle(part);
}

/** A pipe that was closed at either side has ended, and no more. */
function isEndOfStream(error: unknown): boolean {
  return hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'EIO');
}

/**
 * Ends a server that its client has left, and that stays and says nothing: by SIGTERM after a while, by SIGKILL after another.
 * @param lastPart when something went through, by the monotonic clock
 */
function endAfter(
  clientLeft: Promise<void>,
  child: ChildProcess,
  graceMs: number,
  lastPart: () => number,
): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const afterSilence = (since: number, act: () => void): void => {
    if (isStopped) return;
    const left = Math.max(since, lastPart()) + graceMs - performance.now();
    if (left > 0) timer = setTimeout(() => afterSilence(since, act), left);
    else act();
  };
  const begin = (): void =>
    afterSilence(performance.now(), () => {
      child.kill('SIGTERM');
      afterSilence(performance.now(), () => child.kill('SIGKILL'));
    });
  // Where it fails, whoever waits for the forwarder learns of it.
  clientLeft.then(begin, () => undefined);
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Rejected where the task is, and never kept. */
function failureOf(task: Promise<void>): Promise<never> {
  return new Promise((_, reject) => {
    task.catch(reject);
  });
}

async function within(milliseconds: number, task: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await Promise.race([task, late]);
  } finally {
    clearTimeout(timer);
  }
}
