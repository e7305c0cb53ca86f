import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Answer, type Job, lineOf, withoutReport } from './job.ts';

/** The three verifiers of bundles and proofs: the protocol's as the command uses it, that in one file, that in Python. */
export const VERIFIERS = ['protocol', 'single-file', 'python'] as const;

/** Who else reads files: the page, which opens containers with what browsers have, and the service, which opens cases. */
export const READERS = [...VERIFIERS, 'page', 'service'] as const;
export type ReaderName = (typeof READERS)[number];

/** How long a verifier may think about one job before it counts as hanging: the machine may have other things to do. */
const PATIENCE_MS = 180_000;

/**
 * How many jobs one process does: whoever verifies a file starts a process for it, and what thousands of others have left behind is not
 * the memory that it takes.
 */
const JOBS_OF_ONE = 3000;

/** In so many first jobs of a process its code is still being compiled. */
const WARM_UP = 150;

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0;
}

interface Waiting {
  readonly child: ChildProcessWithoutNullStreams;
  readonly isWarm: boolean;
  readonly answer: (answer: Answer) => void;
  readonly timer: NodeJS.Timeout;
}

/** A verifier in a process of its own that stays for many jobs. One that ended or hung answers `crashed`, and the next job starts it again. */
export class VerifierProcess {
  readonly name: ReaderName;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcessWithoutNullStreams | undefined;
  #jobs = 0;

  constructor(name: ReaderName) {
    this.name = name;
  }

  ask(job: Job): Promise<Answer> {
    if (++this.#jobs % JOBS_OF_ONE === 0) this.#renew();
    const child = this.#child ?? this.#start();
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      this.#waiting.set(job.id, { child, isWarm: this.#jobs % JOBS_OF_ONE >= WARM_UP, answer: resolve, timer });
      child.stdin.write(lineOf(job));
    });
  }

  stop(): void {
    this.#child?.stdin.end();
  }

  /** Lets the process end after what it was given, and another one take what follows. */
  #renew(): void {
    this.stop();
    this.#child = undefined;
  }

  #start(): ChildProcessWithoutNullStreams {
    const [command, ...args] =
      this.name === 'python'
        ? ['python3', path('../../interop/drive_verifier.py')]
        : [process.execPath, '--disable-warning=ExperimentalWarning', path('driver.ts'), this.name];
    const child = spawn(command as string, args, { stdio: 'pipe' });
    this.#child = child;
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4000);
    });
    // A pipe that breaks is told of by the end of the process.
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => this.#ended(child, error.message));
    child.once('close', (code, signal) => this.#ended(child, `it ended (${signal ?? code}): ${errors}`));
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(JSON.parse(line) as Answer));
    return child;
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    clearTimeout(waiting?.timer);
    waiting?.answer(waiting.isWarm ? answer : { ...answer, cpuMs: null });
  }

  #ended(child: ChildProcessWithoutNullStreams, why: string): void {
    if (this.#child === child) this.#child = undefined;
    const judged = withoutReport('crashed', why);
    for (const [id, waiting] of [...this.#waiting]) {
      if (waiting.child === child) this.#take({ ...judged, id, cpuMs: 0, peakBytes: 0 });
    }
  }
}
