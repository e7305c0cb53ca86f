import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { codeOf, messageOf } from '../../protocol/text/light.ts';
import { type FeedId, isFeedId, RecordError, recorderHome, wakeIfInstalled } from '../../recorder/index.ts';
import { type Option, type ParsedArgs, UsageError } from '../command.ts';
import type { Terminal } from '../terminal.ts';

/** What a shell exits with where it cannot run a program. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

const STANDARD_OUTPUT = 1;

type Say = (text: string) => void;

/** How the process ended that a proxy ran. */
interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What a proxy of stdio runs, and between what. */
interface Between {
  readonly command: string;
  readonly args: readonly string[];
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly closeOutput: () => void;
  readonly signals: NodeJS.Process;
  readonly environment: NodeJS.ProcessEnv;
}

export const FEED_OPTION: Option = {
  flag: 'feed',
  value: 'FEED',
  help: 'the agent whose calls these are, such as claudecode or gui; default: by the name of the program that makes them',
};

/** Exit codes of a command that runs another program. */
export const PROGRAM_EXIT_CODES: readonly (readonly [string, string])[] = [
  ['126', 'COMMAND cannot be run'],
  ['127', 'there is no such COMMAND'],
];

/** Whose calls a proxy records, by its options. @throws UsageError */
export function proxyNames(args: ParsedArgs, say: Say) {
  const feed = args.text('feed') ?? null;
  if (feed !== null && !isFeedId(feed)) throw new UsageError(`--feed: there is no type of agent "${feed}"`);
  return {
    feed: feed satisfies FeedId | null,
    server: args.text('name') ?? null,
    home: recorderHome(process.env),
    say,
    // The proxy does not end by what keeps a recorder from starting.
    wake: () => haveRecorder(say).catch((error: unknown) => say(messageOf(error))),
  };
}

/** For the person at the terminal: standard output is the server's. */
export function sayer(command: string, terminal: Terminal): Say {
  return (text) => terminal.note(`countersign ${command}: ${text}`);
}

/** Has a recorder run before the first call, as a hook has. Where none can, the policy of the agent decides about each call. */
export async function haveRecorder(say: Say): Promise<void> {
  try {
    await wakeIfInstalled(recorderHome(process.env), process.env);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    say(error.message);
  }
}

/** The variables of this process but for those that the command has set for itself at its start (bin/countersign.js). */
function environmentOfClient({ COUNTERSIGN_SET = '', ...environment }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = new Set(COUNTERSIGN_SET.split(' '));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.has(name)));
}

/**
 * Runs a program between the standard streams of this process, by a proxy that records.
 * @param words the program's command
 * @returns the exit code: the program's own, or a shell's for one that cannot be run
 */
export async function runBetween(
  [command = '', ...args]: readonly string[],
  say: Say,
  proxy: (between: Between) => Promise<ProcessEnd>,
): Promise<number> {
  await haveRecorder(say);
  try {
    const { code, signal } = await proxy({
      command,
      args,
      input: process.stdin,
      output: process.stdout,
      closeOutput: () => closeSync(STANDARD_OUTPUT),
      signals: process,
      environment: environmentOfClient(process.env),
    });
    // Whoever waits for this process is to see what the program's own end was.
    if (signal !== null) process.kill(process.pid, signal);
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') say(`there is no program "${command}"`);
    else if (codeOf(error) === 'EACCES') say(`"${command}" cannot be run`);
    else throw error;
    return codeOf(error) === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE;
  }
}
