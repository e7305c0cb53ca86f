import { resourcePath } from '../../runtime/resources.ts';

/** How a recorder is started from anywhere, absolute. */
export interface RecorderCommand {
  /** Program and arguments, up to and with `record run`. */
  readonly start: readonly string[];
  /** A Node for programs of a few lines; null where this one is the desktop. */
  readonly node: string | null;
}

/** How often V8 has something run before its compilers optimize it, and how often while a recorder has had no event. */
const TIERS = [
  ['--invocation-count-for-maglev', 400],
  ['--invocation-count-for-maglev-osr', 100],
  ['--invocation-count-for-turbofan', 3_000],
  ['--invocation-count-for-osr', 500],
] as const;
const NEVER = 200_000;

/**
 * As bin/countersign.js would have it, which would have to start once more for that. Loading alone would have some functions optimized: the
 * compilers are 8 MB of Node's own code, which a process that has nothing to do then never reads.
 */
const SMALL = [
  '--max-semi-space-size=1',
  '--heap-growing-percent=60',
  '--expose-gc',
  ...TIERS.map(([flag]) => `${flag}=${NEVER}`),
  '--disable-warning=ExperimentalWarning',
];

/**
 * Has what runs often optimized from now on, in a process that was started without: to be called with the first event. V8 reads these
 * numbers at each decision; they change what is compiled when, and nothing that is compiled.
 */
export function optimizeFromNow(): void {
  for (const [flag, count] of TIERS) {
    if (!process.execArgv.includes(`${flag}=${NEVER}`)) continue;
    process.getBuiltinModule('node:v8').setFlagsFromString(`${flag}=${count}`);
  }
}

/** How to start the recorder that belongs to the running program: the one on the command line, or the desktop. */
export function recorderCommand(): RecorderCommand {
  const { execPath } = process;
  if (process.versions['electron'] !== undefined) {
    return { start: [execPath, '--cli', 'record', 'run'], node: null };
  }
  const command = resourcePath('..', 'bin', 'countersign.js');
  return { start: [execPath, ...SMALL, command, 'record', 'run'], node: execPath };
}
