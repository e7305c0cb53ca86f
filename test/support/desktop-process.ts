import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { ROOT } from '../../scripts/support/paths.ts';
import type { DesktopBridge, PassphraseBridge } from '../../src/api/index.ts';
import type { electron } from './electron-host/electron.ts';
import { until } from './until.ts';

declare global {
  interface Window {
    readonly countersign?: DesktopBridge;
    readonly countersignPassphrase?: PassphraseBridge;
  }
}

/** Everything of `electron` that a function run in the main process finds. `host` is there under the host only. */
export type MainProcess = typeof electron;

export interface DesktopOptions {
  /** Folder of user data. */
  readonly userData: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Folder of the application: the checkout, or a packed one. */
  readonly application?: string;
}

export interface DesktopEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DialogShown {
  readonly dialog: string;
  readonly options: { readonly title?: string; readonly message?: string; readonly content?: string };
}

const REGISTER = join(import.meta.dirname, 'electron-host', 'register.js');

export function environmentOf(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  // Settings of whoever runs the tests must not become the desktop's.
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(COUNTERSIGN_|npm_|NODE_OPTIONS$|ELECTRON_)/.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), COUNTERSIGN_TRUST_STORE: '', ...own };
}

type Answer = { readonly value?: unknown; readonly error?: string };

/** The desktop under the small host: a process of its own, driven over its channel and its Chromium's DevTools. */
export class DesktopProcess {
  readonly userData: string;
  readonly dialogs: DialogShown[] = [];
  readonly ended: Promise<DesktopEnd>;
  stdout = '';
  stderr = '';
  hasEnded = false;
  readonly #child: ChildProcess;
  readonly #endpoints: string[] = [];
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;
  #browser: Browser | null = null;
  #isLetGo = false;

  constructor({ userData, args = [], environment, application = ROOT }: DesktopOptions) {
    this.userData = userData;
    const entry = join(application, 'out', 'main', 'index.js');
    this.#child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--import', REGISTER, entry, `--user-data-dir=${userData}`, ...args],
      { env: environmentOf(environment), stdio: ['ignore', 'pipe', 'pipe', 'ipc'], cwd: userData },
    );
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.#child.on('message', (message: { kind: string }) => this.#take(message));
    this.ended = new Promise((resolve) => {
      const end = (code: number | null): void => {
        this.hasEnded = true;
        resolve({ code, stdout: this.stdout, stderr: this.stderr });
      };
      this.#child.once('close', end);
      // Node does not tell of the closing of a process whose channel was let go of.
      this.#child.once('exit', (code) => this.#isLetGo && end(code));
    });
  }

  /** Ends it at once, where it has not ended. */
  async destroy(): Promise<void> {
    await this.#browser?.close().catch(() => undefined);
    this.kill('SIGKILL');
    await this.ended;
  }

  #take(message: { kind: string }): void {
    if (message.kind === 'browser') this.#endpoints.push((message as unknown as { endpoint: string }).endpoint);
    if (message.kind === 'dialog') this.dialogs.push(message as unknown as DialogShown);
    if (message.kind !== 'answer') return;
    const { id, ...answer } = message as unknown as Answer & { id: number };
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  /** Runs a function in the main process; it sees its argument and `electron`, nothing else. */
  async evaluate<R, A = undefined>(task: (all: MainProcess, argument: A) => R, argument?: A): Promise<Awaited<R>> {
    const id = ++this.#lastId;
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#child.send({ id, source: task.toString(), argument }, (error) => error && reject(error));
    });
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as Awaited<R>;
  }

  /** The page of the first window, once it shows something. */
  async page(): Promise<Page> {
    const endpoint = await until('the browser of the window', () => {
      if (this.hasEnded) throw new Error(`the desktop ended instead: ${this.stderr}`);
      return this.#endpoints[0];
    });
    this.#browser ??= await chromium.connectOverCDP(endpoint);
    const browser = this.#browser;
    const page = await until('the window', () =>
      browser
        .contexts()[0]
        ?.pages()
        .find((one) => one.url() !== 'about:blank'),
    );
    await page.waitForLoadState('domcontentloaded');
    return page;
  }

  /** How many pages its browser has. */
  pages(): Page[] {
    return this.#browser?.contexts()[0]?.pages() ?? [];
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.hasEnded) this.#child.kill(signal);
  }

  /** Lets go of its channel, as the end of the process that started it does. */
  letGo(): void {
    this.#isLetGo = true;
    this.#child.disconnect();
  }

  /** Quits as the menu does. */
  async quit(): Promise<DesktopEnd> {
    if (!this.hasEnded) await this.evaluate(({ app }) => void setImmediate(() => app.quit())).catch(() => undefined);
    return this.ended;
  }
}
