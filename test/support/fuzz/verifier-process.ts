import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Answer, type Job, type Judged, lineOf } from './job.ts';

export const VERIFIERS = ['protocol', 'single-file', 'python'] as const;
export type VerifierName = (typeof VERIFIERS)[number];

/** How long a verifier may think about one job before it counts as hanging: the machine may have other things to do. */
const PATIENCE_MS = 180_000;

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export function hasPython(): boolean {
  return spawnSync('python3', ['--version']).status === 0;
}

interface Waiting {
  readonly answer: (answer: Answer) => void;
  readonly timer: NodeJS.Timeout;
}

/** A verifier in a process of its own that stays. One that ended or hung answers `crashed`, and the next job starts it again. */
export class VerifierProcess {
  readonly name: VerifierName;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcessWithoutNullStreams | undefined;
  #errors = '';

  constructor(name: VerifierName) {
    this.name = name;
  }

  ask(job: Job): Promise<Answer> {
    const child = this.#child ?? this.#start();
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      this.#waiting.set(job.id, { answer: resolve, timer });
      child.stdin.write(lineOf(job));
    });
  }

  stop(): void {
    this.#child?.stdin.end();
  }

  #start(): ChildProcessWithoutNullStreams {
    const [command, ...args] =
      this.name === 'python'
        ? ['python3', path('../../interop/drive_verifier.py')]
        : [process.execPath, '--disable-warning=ExperimentalWarning', path('driver.ts'), this.name];
    const child = spawn(command as string, args, { stdio: 'pipe' });
    this.#child = child;
    this.#errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-4000);
    });
    // A pipe that breaks is told of by the end of the process.
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => this.#ended(child, error.message));
    child.once('close', (code, signal) => this.#ended(child, `it ended (${signal ?? code}): ${this.#errors}`));
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(JSON.parse(line) as Answer));
    return child;
  }

  #take(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    clearTimeout(waiting?.timer);
    waiting?.answer(answer);
  }

  #ended(child: ChildProcessWithoutNullStreams, why: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    const judged: Judged = { verdict: 'crashed', roots: [], codes: [], shown: null, details: [why] };
    for (const id of [...this.#waiting.keys()]) this.#take({ ...judged, id, cpuMs: 0, peakBytes: 0 });
  }
}
