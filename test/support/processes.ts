import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BUILT_COMMAND } from './built-command.ts';
import { atEnd } from './cleanup.ts';
import { until } from './until.ts';

/** The command's door before the sources, which is what runs in a clone of the project. */
export const SOURCES = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url));

/** How long a test may take, in milliseconds: no measure, but for what hangs. What waits in it gives up before (until.ts), and says for what. */
export const PATIENCE_MS = 900_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command in a process of its own, as it was built for this run: the sources take twice as long to start. It ends with the test file, if it has not ended before. */
export class CommandProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  #hasEnded = false;

  /** @param command its door; SOURCES for that of the sources */
  constructor(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    cwd?: string,
    command = BUILT_COMMAND,
  ) {
    // Settings of whoever runs the tests must not become the service's.
    const own = Object.entries(process.env).filter(([name]) => !/^(COUNTERSIGN_|npm_|NODE_OPTIONS$)/.test(name));
    this.#child = spawn(process.execPath, [command, ...args], {
      // Nor their trust store.
      env: { ...Object.fromEntries(own), COUNTERSIGN_TRUST_STORE: '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.#ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code, signal) => {
        this.#hasEnded = true;
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
    atEnd(() => this.kill('SIGKILL'));
  }

  /** Reads no more of its standard error: what it writes there fills the pipe. */
  stopReadingErrors(): void {
    this.#child.stderr?.pause();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Sends a signal to this process alone: one that does not end it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Sends a signal to this process alone, and waits for its end. */
  kill(signal: NodeJS.Signals): Promise<Ended> {
    if (!this.#hasEnded) this.#child.kill(signal);
    return this.#ended;
  }

  /** Waits until the service says where it listens. @returns its address */
  listening(): Promise<string> {
    return until('the service to listen', () => {
      if (this.#hasEnded) throw new Error(`it ended instead: ${this.stderr}`);
      return /listening on (https?:\/\/\S+)\n/.exec(this.stdout)?.[1];
    });
  }
}

/** The command line of a service on a free port. */
export function serving(dataDir: string, ...options: readonly string[]): string[] {
  return ['serve', '--data-dir', dataDir, '--port', '0', '--rate-limit', 'off', ...options];
}

/** A service in a process of its own, on a free port. */
export function serve(dataDir: string, ...options: readonly string[]): CommandProcess {
  return new CommandProcess(serving(dataDir, ...options));
}
