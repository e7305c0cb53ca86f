import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENT_PROGRAMS, type AgentProgramId, programBin } from '../../../scripts/support/agent-programs.ts';
import { endProgramsIn } from '../../../scripts/support/test-run.ts';
import { type AgentFile, readAgentFile } from '../../../src/recorder/base/agent-file.ts';
import {
  askStatus,
  RecordError,
  type RecorderHome,
  type RunningStatus,
  recorderHome,
} from '../../../src/recorder/index.ts';
import { atEnd } from '../cleanup.ts';
import { temporaryFolder } from '../folders.ts';
import { CommandProcess, type Ended } from '../processes.ts';
import type { Account } from '../service.ts';
import { until } from '../until.ts';

/** How long a program may take for one run, in milliseconds: no measure. */
const RUN_LIMIT_MS = 8 * 60_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: what moves a terminal's cursor begins with one
const CONTROLS = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)/g;

export interface Terminal {
  readonly ended: Promise<number | null>;
  /** All that the program has shown. */
  shown(): string;
  type(keys: string): void;
}

/** A program with a HOME of its own, in which Countersign is installed as people do it: by the command line, with hooks in its files. */
export class RecordedAgent {
  readonly id: AgentProgramId;
  /** Of the person. */
  readonly folder = temporaryFolder();
  readonly project = join(this.folder, 'project');
  readonly environment: Readonly<Record<string, string>>;
  readonly recorder: RecorderHome;

  constructor(id: AgentProgramId, environment: Readonly<Record<string, string>>) {
    this.id = id;
    const bin = programBin(id);
    if (bin === undefined) throw new Error(`${AGENT_PROGRAMS[id].name} is not installed: run npm run test:agents`);
    const path = [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
    this.environment = { HOME: this.folder, PATH: path, LANG: 'C.UTF-8', TERM: 'dumb', ...environment };
    this.recorder = recorderHome(this.environment);
    mkdirSync(this.project);
    atEnd(() => this.stopRecorder('SIGTERM'));
    // First, since a hook of theirs starts a recorder.
    atEnd(() => endProgramsIn(this.folder));
  }

  put(name: string, text: string): string {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Runs `countersign record install`, and throws what it says where it fails. */
  async install({ client }: Account, url: string, ...options: readonly string[]): Promise<AgentFile> {
    const args = ['record', 'install', this.id, '--service', url, '--token', client.token ?? '', '--yes', ...options];
    const { code, stderr } = await new CommandProcess(args, { ...this.environment }, this.project).ended;
    if (code !== 0) throw new Error(`record install ended with ${code}: ${stderr}`);
    return readAgentFile(this.recorder, this.id);
  }

  /** Runs the program in its project to its end. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.start(...args).ended;
  }

  /** The same of a run that may be interrupted, as Ctrl-C does it to all that runs in a terminal. */
  start(...args: readonly string[]): { readonly ended: Promise<Ended>; interrupt(): void } {
    const child = spawn(AGENT_PROGRAMS[this.id].command, args, {
      cwd: this.project,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: RUN_LIMIT_MS,
      killSignal: 'SIGKILL',
      detached: true,
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal, ...said }));
    });
    const { pid } = child;
    return { ended, interrupt: () => void (pid !== undefined && process.kill(-pid, 'SIGINT')) };
  }

  /** Runs the program at a terminal, as script(1) of Linux makes one. */
  atTerminal(...args: readonly string[]): Terminal {
    const quoted = args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' ');
    const command = `stty cols 120 rows 40; exec ${AGENT_PROGRAMS[this.id].command} ${quoted}`;
    const child = spawn('script', ['-qfec', command, '/dev/null'], {
      cwd: this.project,
      env: { ...this.environment, TERM: 'xterm-256color' },
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: RUN_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return {
      ended,
      // Without what moves the cursor, and white space: programs write the same text in many ways.
      shown: () => shown.replaceAll(CONTROLS, '').replaceAll(/\s+/g, ''),
      type: (keys) => void child.stdin.write(keys),
    };
  }

  /** Starts the recorder as a system's supervisor does, and waits until it answers. */
  async startRecorder(): Promise<void> {
    const recorder = new CommandProcess(['record', 'run', '--quiet'], { ...this.environment });
    await until('the recorder to answer', () => this.#status());
    // Its end is that of the recorder, which a test may want.
    recorder.ended.catch(() => undefined);
  }

  /** Starts one where none runs. */
  async ensureRecorder(): Promise<void> {
    if ((await this.#status()) === undefined) await this.startRecorder();
  }

  /** Waits until everything that was recorded is at the service. */
  async sent(): Promise<void> {
    await until('the recorder to have sent everything', async () => (await this.#status())?.waiting === 0);
  }

  async #status(): Promise<RunningStatus | undefined> {
    try {
      return await askStatus(this.recorder);
    } catch (error) {
      if (error instanceof RecordError) return undefined;
      throw error;
    }
  }

  /** Ends the recorder that a hook started, where one runs, and waits until it is gone. */
  async stopRecorder(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const pid = this.#recorderPid();
    if (pid === null || !isAlive(pid)) return;
    process.kill(pid, signal);
    await until('the recorder to end', () => !isAlive(pid));
  }

  #recorderPid(): number | null {
    try {
      return Number(readFileSync(this.recorder.pid, 'utf8').split('\n', 1)[0]);
    } catch {
      // None was started yet.
      return null;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and that nobody has asked after is none.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
