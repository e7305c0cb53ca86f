import { resourcePath } from '../../node/light.ts';

/** How a recorder is started from anywhere, absolute. */
export interface RecorderCommand {
  /** Program and arguments, up to and with `record run`. */
  readonly start: readonly string[];
  /** A Node for programs of a few lines; null where this one is the desktop. */
  readonly node: string | null;
}

/** As bin/countersign.js would have it, which would have to start once more for that. */
const SMALL = [
  '--max-semi-space-size=8',
  '--single-threaded-gc',
  '--heap-growing-percent=60',
  '--expose-gc',
  '--disable-warning=ExperimentalWarning',
];

/** How to start the recorder that belongs to the running program: the one on the command line, or the desktop. */
export function recorderCommand(): RecorderCommand {
  const { execPath } = process;
  if (process.versions['electron'] !== undefined) {
    return { start: [execPath, '--cli', 'record', 'run'], node: null };
  }
  const command = resourcePath('..', 'bin', 'countersign.js');
  return { start: [execPath, ...SMALL, command, 'record', 'run'], node: execPath };
}
