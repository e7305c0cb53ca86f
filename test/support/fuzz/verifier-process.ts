import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Answer, type Job, lineOf, type Printed, withoutReport } from './job.ts';

/** The three verifiers of bundles and proofs: the protocol's as the command uses it, that in one file, that in Python. */
export const VERIFIERS = ['protocol', 'single-file', 'python'] as const;

/** Who else reads files: the page, which opens containers with what browsers have, and the service, which opens cases. */
export const READERS = [...VERIFIERS, 'page', 'service'] as const;
export type ReaderName = (typeof READERS)[number];

/**
 * How many jobs one process does: whoever verifies a file starts a process for it, and what thousands of others have left behind is not
 * the memory that it takes.
 */
const JOBS_OF_ONE = 3000;

/** The processor's time that one process may take for all its jobs: the system ends one that hangs, however much else the machine does. */
const CPU_SECONDS = 900;

/** In so many first jobs of a process its code is still being compiled. */
const WARM_UP = 150;

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

let isPythonHere: boolean | undefined;

export function hasPython(): boolean {
  isPythonHere ??= spawnSync('python3', ['--version']).status === 0;
  return isPythonHere;
}

/** The verifiers that are programs by themselves. */
export type ProgramName = Exclude<(typeof VERIFIERS)[number], 'protocol'>;

/** Those that print what they are asked to, as long as this process runs: its end takes them along, with the pipes between them. */
const programs = new Map<ProgramName, VerifierProcess>();
let runs = 0;

/**
 * What a verifier's program prints, given arguments, and its exit code: from its own `main`, but in a process that stays, since most of
 * the time of one for each file would go into its start.
 */
export function printedBy(name: ProgramName, ...given: readonly string[]): Promise<Printed> {
  const program = programs.get(name) ?? new VerifierProcess(name);
  programs.set(name, program);
  return program.print(++runs, given);
}

interface Waiting {
  readonly line: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly isWarm: boolean;
  readonly answer: (answer: Answer | Printed) => void;
  /** Answers for a process that broke down over it. */
  readonly crash: (why: string) => void;
}

/**
 * A verifier in a process of its own that stays for many jobs. One that ended or hung answers `crashed` to the job that it was at, and
 * another process takes those that came after it.
 */
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
    return new Promise((resolve) =>
      this.#give(job.id, {
        line: lineOf(job),
        isWarm: this.#jobs % JOBS_OF_ONE >= WARM_UP,
        answer: (answer) => resolve(answer as Answer),
        crash: (why) => resolve({ ...withoutReport('crashed', why), id: job.id, cpuMs: 0, peakBytes: 0 }),
      }),
    );
  }

  /** @throws Error where the process broke down over it */
  print(id: number, given: readonly string[]): Promise<Printed> {
    return new Promise((resolve, reject) =>
      this.#give(id, {
        line: lineOf({ id, arguments: given }),
        isWarm: true,
        answer: (printed) => resolve(printed as Printed),
        crash: (why) => reject(new Error(why)),
      }),
    );
  }

  #give(id: number, waiting: Omit<Waiting, 'child'>): void {
    const child = this.#child ?? this.#start();
    this.#waiting.set(id, { ...waiting, child });
    child.stdin.write(waiting.line);
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
    // Where there is no such shell, one that hangs is left to whoever waits for it.
    const limited = ['-c', `ulimit -t ${CPU_SECONDS} && exec "$@"`, 'sh', command as string, ...args];
    const child =
      process.platform === 'win32'
        ? spawn(command as string, args, { stdio: 'pipe' })
        : spawn('sh', limited, { stdio: 'pipe' });
    this.#child = child;
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4000);
    });
    // A pipe that breaks is told of by the end of the process.
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => this.#ended(child, error.message));
    child.once('close', (code, signal) => this.#ended(child, `it ended (${signal ?? code}): ${errors}`));
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(JSON.parse(line) as Answer | Printed));
    return child;
  }

  #take(answer: Answer | Printed): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    waiting?.answer(waiting.isWarm ? answer : { ...answer, cpuMs: null });
  }

  #ended(child: ChildProcessWithoutNullStreams, why: string): void {
    if (this.#child === child) this.#child = undefined;
    const [current, ...later] = [...this.#waiting].filter(([, waiting]) => waiting.child === child);
    if (current === undefined) return;
    this.#waiting.delete(current[0]);
    current[1].crash(why);
    for (const [id, waiting] of later) this.#give(id, waiting);
  }
}
