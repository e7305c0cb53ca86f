import { EventEmitter } from 'node:events';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { type InstanceLock, lockInstance } from './instance-lock.ts';
import { windows } from './registry.ts';

/** An event that its listeners may prevent. */
export class HostEvent {
  defaultPrevented = false;
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** Switches given to the application, and those that it sets for Chromium. */
const given = new Map(
  process.argv
    .slice(2)
    .filter((argument) => argument.startsWith('--'))
    .map((argument) => {
      const [name = '', ...value] = argument.slice(2).split('=');
      return [name, value.join('=')] as const;
    }),
);
export const appended: string[] = [];

const commandLine = {
  appendSwitch: (name: string, value?: string): void => {
    appended.push(value === undefined ? `--${name}` : `--${name}=${value}`);
  },
  hasSwitch: (name: string): boolean => given.has(name) || appended.some((one) => one.split('=')[0] === `--${name}`),
  getSwitchValue: (name: string): string =>
    given.get(name) ??
    appended
      .find((one) => one.startsWith(`--${name}=`))
      ?.split('=')
      .slice(1)
      .join('=') ??
    '',
};

class App extends EventEmitter {
  readonly commandLine = commandLine;
  readonly isPackaged = process.env['ELECTRON_HOST_PACKAGED'] === '1';
  readonly recentDocuments: string[] = [];
  readonly protocolClients: string[] = [];
  userModelId = '';
  sandboxed = false;
  #loginItem = { openAtLogin: false };
  #paths = new Map<string, string>();
  #quitting = false;
  #exiting = false;
  #lock: InstanceLock | null = null;
  #closers: (() => Promise<void>)[] = [];
  readonly #ready: Promise<void>;
  #isReady = false;

  constructor() {
    super();
    this.#ready = new Promise((resolve) => {
      setImmediate(() => {
        this.#isReady = true;
        this.emit('ready');
        resolve();
      });
    });
  }

  readonly name = packageJson.name;
  getName = (): string => packageJson.name;
  getVersion = (): string => packageJson.version;
  isReady = (): boolean => this.#isReady;
  whenReady = (): Promise<void> => this.#ready;

  getPath(name: string): string {
    const known = this.#paths.get(name);
    if (known !== undefined) return known;
    const userData = this.#paths.get('userData') ?? join(homedir(), '.config', packageJson.name);
    const paths: Record<string, string> = {
      userData,
      sessionData: userData,
      logs: join(userData, 'logs'),
      home: homedir(),
      temp: tmpdir(),
      downloads: join(userData, 'downloads'),
      documents: homedir(),
      exe: process.execPath,
    };
    const path = paths[name];
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  getAppPath = (): string => join(import.meta.dirname, '../../..');

  requestSingleInstanceLock(): boolean {
    this.#lock ??= lockInstance(this.getPath('userData'), ({ argv, cwd }) =>
      this.emit('second-instance', new HostEvent(), argv, cwd, null),
    );
    return this.#lock.isFirst;
  }

  setAsDefaultProtocolClient(protocol: string): boolean {
    this.protocolClients.push(protocol);
    return true;
  }

  setLoginItemSettings(settings: { openAtLogin?: boolean }): void {
    this.#loginItem = { openAtLogin: settings.openAtLogin ?? false };
  }

  getLoginItemSettings = (): { openAtLogin: boolean } => this.#loginItem;
  setAppUserModelId = (id: string): void => {
    this.userModelId = id;
  };
  addRecentDocument = (path: string): void => void this.recentDocuments.unshift(path);
  clearRecentDocuments = (): void => void this.recentDocuments.splice(0);
  enableSandbox = (): void => {
    this.sandboxed = true;
  };
  setAboutPanelOptions = (): void => undefined;
  showAboutPanel = (): void => undefined;
  focus = (): void => undefined;

  /** For the host's own browsers. */
  beforeExit(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  quit(): void {
    if (this.#quitting || this.#exiting) return;
    const before = new HostEvent();
    this.emit('before-quit', before);
    if (before.defaultPrevented) return;
    this.#quitting = true;
    for (const window of [...windows]) {
      window.close();
      // A window that refuses to close ends the quit.
      if (!window.isDestroyed()) {
        this.#quitting = false;
        return;
      }
    }
    this.#finishQuit();
  }

  /** Called when the last window has gone. */
  allWindowsClosed(): void {
    if (this.#quitting || this.#exiting) return;
    if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }

  #finishQuit(): void {
    const will = new HostEvent();
    this.emit('will-quit', will);
    this.#quitting = false;
    if (will.defaultPrevented) return;
    this.emit('quit', {}, 0);
    void this.#end(0);
  }

  exit(code = 0): void {
    if (this.#exiting) return;
    for (const window of [...windows]) window.destroy();
    this.emit('quit', {}, code);
    void this.#end(code);
  }

  async #end(code: number): Promise<void> {
    this.#exiting = true;
    await Promise.all(this.#closers.map((close) => close()));
    await this.#lock?.release();
    process.exit(code);
  }
}

export const app = new App();
export type { App };
