import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url));
const BARE = fileURLToPath(new URL('./bare-service.ts', import.meta.url));
const NO_CONTENT_INDEX = new URL('./without-content-index.ts', import.meta.url).href;

/** The service as people run it, but without a limit on requests. */
function serve(folder: string): string[] {
  return [BIN, 'serve', '--data-dir', folder, '--port', '0', '--rate-limit', 'off'];
}

/** A service in a separate process, with its own folder. */
export class ServiceProcess {
  readonly dataDir: string;
  readonly #child: ChildProcess;
  readonly #temporary: boolean;
  port = 0;

  private constructor(
    dataDir: string | null,
    program: (dataDir: string) => readonly string[],
    log: number | 'inherit' = 'inherit',
    nodeOptions: readonly string[] = process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? [],
  ) {
    this.#temporary = dataDir === null;
    this.dataDir = dataDir ?? mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-bench-'));
    this.#child = spawn(process.execPath, [...nodeOptions, ...program(this.dataDir)], {
      stdio: ['ignore', 'pipe', log],
    });
  }

  /**
   * The service as people run it, but without a limit on requests.
   * @param dataDir null for a temporary one
   * @param log file descriptor for its standard error
   */
  static start(
    dataDir: string | null = null,
    options: readonly string[] = [],
    log: number | 'inherit' = 'inherit',
  ): Promise<ServiceProcess> {
    return ServiceProcess.#listening(new ServiceProcess(dataDir, (folder) => [...serve(folder), ...options], log));
  }

  /** The active node of a shared log, on a folder that belongs to it. */
  static startNode(dataDir: string, log: string): Promise<ServiceProcess> {
    const options = ['--recorder', 'off', '--shared-log', log, '--node', 'a'];
    return ServiceProcess.#listening(new ServiceProcess(dataDir, (folder) => [...serve(folder), ...options]), 'active');
  }

  /** One whose content index takes nothing in: see without-content-index.ts. */
  static startWithoutContentIndex(dataDir: string | null = null): Promise<ServiceProcess> {
    return ServiceProcess.#listening(new ServiceProcess(dataDir, serve, 'inherit', ['--import', NO_CONTENT_INDEX]));
  }

  /** The least that a service of this kind can do: see bare-service.ts. */
  static startBare(): Promise<ServiceProcess> {
    return ServiceProcess.#listening(new ServiceProcess(null, (folder) => ['--max-semi-space-size=8', BARE, folder]));
  }

  static async #listening(service: ServiceProcess, role = ''): Promise<ServiceProcess> {
    service.port = await new Promise<number>((resolve, reject) => {
      let text = '';
      service.#child.once('error', reject);
      service.#child.once('exit', () => reject(new Error('the service ended instead of listening')));
      service.#child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        const said = role === '' ? 'listening on' : `is ${role}, at`;
        const port = new RegExp(`${said} http://127\\.0\\.0\\.1:(\\d+)\\b`).exec(text)?.[1];
        if (port !== undefined) resolve(Number(port));
      });
    });
    return service;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Resident memory now and at its peak, in megabytes; Linux only. */
  memory(): { readonly residentMb: number; readonly peakMb: number } {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const kilobytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
    return { residentMb: kilobytes('VmRSS') / 1024, peakMb: kilobytes('VmHWM') / 1024 };
  }

  /** Processor time used so far, in seconds: of the whole process and of its first thread, where HTTP is; Linux only. */
  cpu(): { readonly all: number; readonly main: number } {
    const seconds = (path: string): number => {
      const fields = readFileSync(path, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    };
    const { pid } = this.#child;
    return { all: seconds(`/proc/${pid}/stat`), main: seconds(`/proc/${pid}/task/${pid}/stat`) };
  }

  /** Stops it as people do, and waits; a temporary folder goes with it unless it is to stay. */
  async stop({ keep = false } = {}): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
    if (this.#temporary && !keep) rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Ends it on the spot, as a crash does: it seals nothing. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** A JSON call. @throws where it does not succeed */
  async call(method: string, path: string, token: string | null, body?: unknown): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}
