import { join } from 'node:path';
import { app, type BrowserWindow, dialog, Menu, powerMonitor, shell } from 'electron';
import type { Upload } from '../api/index.ts';
import { pagesPath, resourcePath } from '../node/index.ts';
import { messageOf } from '../protocol/text/light.ts';
import type { Service } from '../service/index.ts';
import { screenOfLink, type Task, taskOf } from './command-line.ts';
import { Downloads } from './downloads.ts';
import { answerPages } from './ipc.ts';
import { LogFile } from './log-file.ts';
import { menuTemplate } from './menu.ts';
import { chooseFile, pageChannels } from './page-calls.ts';
import type { PassphraseWindow } from './passphrase-window.ts';
import { DesktopRecorder } from './recorder.ts';
import { confinePages, hardenSession } from './security.ts';
import { StateFile } from './state-file.ts';
import { TraySign } from './tray.ts';
import { fillWindow, makeWindow, reloadAfterCrash, revealWindow } from './window.ts';

/** How far a start has come: Electron is ready, the service's code is loaded, the service listens. */
type Milestone = 'ready' | 'loaded' | 'listening';

const PREFIX = 'start: ';

/** Notes, as a mark among the process's own measurements, that a start has come so far. */
function reached(milestone: Milestone): void {
  performance.mark(PREFIX + milestone);
}

/** Milliseconds from the beginning of the process to what was reached, for the log: where a slow start takes its time. */
function milestones(): Readonly<Record<string, number>> {
  const marks = performance.getEntriesByType('mark').filter(({ name }) => name.startsWith(PREFIX));
  return Object.fromEntries(marks.map(({ name, startTime }) => [name.slice(PREFIX.length), Math.round(startTime)]));
}

// The build puts main, preload and renderer side by side: out/main, out/preload, out/renderer.
const PRELOAD = join(import.meta.dirname, '../preload/index.cjs');
const PASSPHRASE_PRELOAD = join(import.meta.dirname, '../preload/passphrase.cjs');

type Opening = Extract<Task, { kind: 'desktop' }>;

/** The application once it is ready: keys, service, window, menus, and a clean end. */
export class Desktop {
  readonly #state = new StateFile(join(app.getPath('userData'), 'desktop.json'));
  readonly #log = new LogFile(join(app.getPath('logs'), 'countersign.log'));
  readonly #recorder = new DesktopRecorder(this.#log);
  readonly #dataDir = join(app.getPath('userData'), 'service');
  readonly #tray = new TraySign(resourcePath('icons', 'tray.png'), {
    open: () => this.show(),
    quit: () => app.quit(),
  });
  readonly #opened: Upload[] = [];
  /** The secret of the page's origin, once the page has its workstation session; the same for all windows. */
  readonly #entered = Promise.withResolvers<string>();
  readonly #waiting: Opening[] = [];
  #downloads: Downloads | null = null;
  #passphrases: PassphraseWindow | null = null;
  #wrappingKey: Uint8Array | null = null;
  #service: Service | null = null;
  #window: BrowserWindow | null = null;
  #stopping: Promise<void> | null = null;

  /** Guards first, then a window, then the service. Names only: the service's key is not read before this. */
  async start(opening: Opening): Promise<void> {
    reached('ready');
    const origins = (): readonly string[] =>
      [this.#origin(), this.#passphrases?.origin ?? null].filter((one) => one !== null);
    const refused = (name: string, code: string): void => this.#log.note('warn', 'a call was refused', { name, code });
    confinePages(origins, PRELOAD);
    const pages = await hardenSession(origins);
    answerPages(
      () => this.#origin(),
      pageChannels({
        takeOpened: () => this.#opened.splice(0),
        entered: (secret) => this.#entered.resolve(secret),
        revealDownload: () => this.#downloads?.reveal() ?? false,
      }),
      refused,
    );
    this.#downloads = new Downloads(pages, (name, ok) =>
      this.#log.note(ok ? 'info' : 'warn', ok ? 'a file was saved' : 'a file was not saved', { name }),
    );
    // The window's process begins while the service is loaded and starts; nothing is shown in it before that has happened.
    const isWanted = !(opening.hidden && this.#state.get().keepRunning);
    const prepared = isWanted ? makeWindow(PRELOAD, this.#state) : null;
    this.#service = await this.#startService(refused);
    if (this.#service === null) {
      app.quit();
      return;
    }
    reached('listening');
    // A quit that came meanwhile has closed it.
    if (prepared?.isDestroyed() === true) return;
    this.#log.note('info', 'started', { version: app.getVersion(), url: this.#service.url, ms: milestones() });
    this.#setMenu();
    this.#tray.show(this.#state.get().keepRunning);
    // Nobody waits for it: the window does not need it.
    void this.#recorder.set(this.#state.get().recorder);
    powerMonitor.on('shutdown', () => app.quit());
    if (prepared !== null) await this.#fill(prepared);
    for (const one of [opening, ...this.#waiting.splice(0)]) await this.open(one);
  }

  /** @returns null where the person leaves instead */
  async #startService(refused: (name: string, code: string) => void): Promise<Service | null> {
    // Loaded only now, which takes as long as all else here: the window's process is on its way.
    const [{ openVault }, { startEmbedded }, { PassphraseWindow }] = await Promise.all([
      import('./key-vault.ts'),
      import('./start-service.ts'),
      import('./passphrase-window.ts'),
    ]);
    reached('loaded');
    const passphrases = new PassphraseWindow(resourcePath('desktop'), PASSPHRASE_PRELOAD);
    this.#passphrases = passphrases;
    answerPages(() => passphrases.origin, passphrases.channels, refused);
    const wrappingKey = await openVault(this.#dataDir, (purpose, check) => passphrases.ask(purpose, check));
    if (wrappingKey === null) return null;
    this.#wrappingKey = wrappingKey;
    return startEmbedded({
      dataDir: this.#dataDir,
      port: this.#port(),
      rendererDir: pagesPath(),
      host: { wrappingKey, log: this.#log },
    });
  }

  /** Shows the window, or makes a new one where the last was closed. */
  async show(): Promise<void> {
    const service = this.#service;
    if (service === null || this.#stopping !== null) return;
    if (this.#window !== null) {
      revealWindow(this.#window);
      return;
    }
    await this.#fill(makeWindow(PRELOAD, this.#state));
  }

  /** Loads the workspace into a new window. */
  async #fill(window: BrowserWindow): Promise<void> {
    this.#window = window;
    window.on('closed', () => {
      this.#window = null;
    });
    // Windows tells its windows of a shutdown, not the application.
    window.on('query-session-end', () => app.quit());
    reloadAfterCrash(window, (reason) => this.#log.note('error', 'the page crashed', { reason }));
    // Once: with it this window, and no other page, may use the case room without an account.
    if (this.#service !== null) await fillWindow(window, this.#service.workstationLink());
  }

  /** What a start, a second start, or the system hands over: a file, a link, or nothing but the wish to see the window. */
  async open(opening: Opening): Promise<void> {
    if (this.#service === null) {
      this.#waiting.push(opening);
      return;
    }
    const { file, link } = opening;
    if ((file !== null || link !== null) && this.#window === null) await this.show();
    if (file !== null) await this.openFile(file);
    const path = link === null ? null : screenOfLink(link);
    if (path !== null) await this.#go(path);
  }

  async openFile(path: string): Promise<void> {
    const file = await this.#upload(path);
    if (file === null) return;
    this.#opened.push(file);
    this.#window?.webContents.send('countersign:opened');
  }

  /** A second start shows this window, and what it brings along. */
  async secondStart(argv: readonly string[]): Promise<void> {
    const task = taskOf(argv, app.isPackaged);
    await this.show();
    if (task.kind === 'desktop') await this.open(task);
  }

  /** The last window is closed: the service goes with it, unless agents are to find it. */
  windowsClosed(): void {
    if (this.#service !== null && !this.#state.get().keepRunning) app.quit();
  }

  /** Seals the open epoch and leaves the data folder; once, however often it is asked. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Tells the person what went wrong, and the log. */
  report(error: unknown): void {
    const message = messageOf(error);
    this.#log.note('error', message, { stack: error instanceof Error ? error.stack : undefined });
    dialog.showErrorBox('Countersign could not continue', `${message}\n\nThe log is at ${this.#log.path}`);
  }

  async #stop(): Promise<void> {
    const service = this.#service;
    this.#tray.show(false);
    // Before the service: what came in is still sent.
    await this.#recorder.set(false);
    await service?.close();
    this.#log.note('info', 'stopped');
  }

  #origin(): string | null {
    return this.#service === null ? null : new URL(this.#service.url).origin;
  }

  /** `--port` for this time, else the one that is remembered. */
  #port(): number {
    const given = app.commandLine.getSwitchValue('port');
    return /^\d{1,5}$/.test(given) ? Number(given) : this.#state.get().port;
  }

  /** Once the page has entered: led away before, it never would. */
  async #go(path: string): Promise<void> {
    await this.#entered.promise;
    this.#window?.webContents.send('countersign:go', path);
    if (this.#window !== null) revealWindow(this.#window);
  }

  async #upload(path: string): Promise<Upload | null> {
    const service = this.#service;
    const window = this.#window;
    if (service === null || window === null) return null;
    try {
      const { handToService } = await import('./opened-files.ts');
      const file = await handToService(path, service.url, {
        pages: window.webContents.session,
        pageSecret: await this.#entered.promise,
      });
      app.addRecentDocument(path);
      this.#state.change({ recent: [path, ...this.#state.get().recent.filter((one) => one !== path)].slice(0, 10) });
      this.#setMenu();
      return file;
    } catch (error) {
      const detail = messageOf(error);
      this.#log.note('warn', 'a file was not taken', { detail });
      await dialog.showMessageBox(window, { type: 'error', message: `${path} was not opened.`, detail });
      return null;
    }
  }

  async #exportKeys(): Promise<void> {
    const key = this.#wrappingKey;
    const passphrases = this.#passphrases;
    if (key === null || passphrases === null) return;
    const { canceled, filePath } = await dialog.showSaveDialog({
      title: 'Export the keys for another machine',
      defaultPath: join(app.getPath('documents'), 'key-protection.json'),
    });
    if (canceled || filePath === '') return;
    const { exportKeys } = await import('./key-vault.ts');
    await passphrases.ask('export', async (passphrase) => {
      await exportKeys(key, passphrase, filePath);
      return null;
    });
  }

  #setMenu(): void {
    const { recent, keepRunning, recorder } = this.#state.get();
    const settle = (task: Promise<unknown>): void => void task.catch((error: unknown) => this.report(error));
    const template = menuTemplate(
      {
        chooseFile: () => settle(chooseFile().then((path) => (path === null ? undefined : this.openFile(path)))),
        openRecent: (path) => settle(this.openFile(path)),
        go: (path) => settle(this.#go(path)),
        revealDownload: () => void this.#downloads?.reveal(),
        exportKeys: () => settle(this.#exportKeys()),
        showDataFolder: () => shell.showItemInFolder(join(this.#dataDir, 'ledger.sqlite')),
        showLog: () => shell.showItemInFolder(this.#log.path),
        setKeepRunning: (on) => {
          this.#state.change({ keepRunning: on });
          this.#tray.show(on);
        },
        setRecorder: (on) => {
          this.#state.change({ recorder: on });
          settle(this.#recorder.set(on));
        },
        setOpenAtLogin: (on) => app.setLoginItemSettings({ openAtLogin: on, args: ['--hidden'] }),
      },
      { recent, keepRunning, recorder, openAtLogin: app.getLoginItemSettings().openAtLogin },
    );
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }
}
