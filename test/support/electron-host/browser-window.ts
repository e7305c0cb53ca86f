import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { app, HostEvent } from './app.ts';
import type { Cdp } from './cdp.ts';
import { windows } from './registry.ts';
import { session } from './session.ts';
import { WebContents, type WebPreferences } from './web-contents.ts';

interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface WindowOptions extends Partial<Bounds> {
  readonly title?: string;
  readonly show?: boolean;
  readonly webPreferences?: WebPreferences;
}

interface Attached {
  readonly sessionId: string;
  readonly targetInfo: { readonly targetId: string; readonly type: string; readonly openerId?: string };
  readonly waitingForDebugger: boolean;
}

/** Browsers whose new pages are looked at. */
const watched = new WeakSet<Cdp>();

/** The last window that was to open. One after the other: what Chromium tells of a new page does not say whose it is. */
let opening: Promise<void> = Promise.resolve();

/** A window: a page of the partition's Chromium, with a place and states that are only remembered. */
export class BrowserWindow extends EventEmitter {
  readonly webContents: WebContents;
  readonly options: WindowOptions;
  readonly #ready: Promise<void>;
  #bounds: Bounds;
  #destroyed = false;
  #visible: boolean;
  #states = { minimized: false, maximized: false, fullScreen: false, focused: false };

  /** @param opened a page that is there already, since another page opened it */
  constructor(options: WindowOptions = {}, opened?: { cdp: Cdp; attached: Attached }) {
    super();
    this.options = options;
    const { width = 800, height = 600, x = 0, y = 0, show = true } = options;
    this.#bounds = { x, y, width, height };
    this.#visible = show;
    const preferences = options.webPreferences ?? {};
    this.webContents = new WebContents(session.fromPartition(preferences.partition ?? ''), preferences);
    windows.push(this);
    app.emit('web-contents-created', new HostEvent(), this.webContents);
    app.emit('browser-window-created', new HostEvent(), this);
    this.webContents.once('dom-ready', () => setImmediate(() => this.emit('ready-to-show')));
    if (opened === undefined) {
      void this.webContents.session.chromium().catch(() => undefined);
      opening = opening.then(() => this.#open());
      this.#ready = opening;
      opening = opening.catch(() => undefined);
    } else this.#ready = this.#adopt(opened.cdp, opened.attached);
    // A window may be closed before it is there; whoever loads something into it is told.
    this.#ready.catch(() => undefined);
  }

  static getAllWindows = (): BrowserWindow[] => [...windows];
  static getFocusedWindow = (): BrowserWindow | null => windows.find((window) => window.isFocused()) ?? null;
  static fromWebContents = (contents: WebContents): BrowserWindow | null =>
    windows.find((window) => window.webContents === contents) ?? null;

  async loadURL(url: string): Promise<void> {
    await this.#ready;
    await this.webContents.loadURL(url);
  }

  async #open(): Promise<void> {
    const { session: partition } = this.webContents;
    const { cdp } = await partition.chromium();
    await partition.settlePermissions();
    await watchNewPages(cdp);
    const attached = new Promise<Attached>((resolve) => cdp.once('host new page', resolve));
    await cdp.send('Target.createTarget', { url: 'about:blank', newWindow: true });
    await this.#adopt(cdp, await attached);
  }

  async #adopt(cdp: Cdp, { sessionId, targetInfo: { targetId } }: Attached): Promise<void> {
    await this.webContents.attach(cdp, sessionId, targetId);
    cdp.on('Target.targetDestroyed', (gone: { targetId: string }) => {
      if (gone.targetId === targetId && !this.#destroyed) this.#gone();
    });
    await cdp.send('Runtime.runIfWaitingForDebugger', {}, sessionId);
    this.#cdp = cdp;
  }
  #cdp: Cdp | null = null;

  close(): void {
    if (this.#destroyed) return;
    const event = new HostEvent();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }

  destroy(): void {
    if (this.#destroyed) return;
    const { targetId } = this.webContents;
    void this.#cdp?.send('Target.closeTarget', { targetId }).catch(() => undefined);
    this.#gone();
  }

  #gone(): void {
    this.#destroyed = true;
    windows.splice(windows.indexOf(this), 1);
    this.webContents.detach();
    this.emit('closed');
    if (windows.length === 0) app.allWindowsClosed();
  }

  isDestroyed = (): boolean => this.#destroyed;
  isVisible = (): boolean => this.#visible;
  isMinimized = (): boolean => this.#states.minimized;
  isMaximized = (): boolean => this.#states.maximized;
  isFullScreen = (): boolean => this.#states.fullScreen;
  isFocused = (): boolean => this.#states.focused;
  show(): void {
    this.#visible = true;
    this.focus();
    this.emit('show');
  }
  hide(): void {
    this.#visible = false;
    this.#states.focused = false;
    this.emit('hide');
  }
  minimize(): void {
    this.#states.minimized = true;
    this.#states.focused = false;
  }
  restore(): void {
    this.#states.minimized = false;
  }
  maximize(): void {
    this.#states.maximized = true;
  }
  focus(): void {
    for (const window of windows) if (window !== this) window.blur();
    this.#states.focused = true;
  }
  blur(): void {
    this.#states.focused = false;
  }
  setBounds(bounds: Partial<Bounds>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    this.emit('resize');
    this.emit('move');
  }
  getBounds = (): Bounds => this.#bounds;
  getNormalBounds = (): Bounds => this.#bounds;
  setMenuBarVisibility = (): void => undefined;
  setProgressBar = (): void => undefined;
  flashFrame = (): void => undefined;
}

/** Every page stops before it begins, so that its window's preferences are there first, or it is refused. */
async function watchNewPages(cdp: Cdp): Promise<void> {
  if (watched.has(cdp)) return;
  watched.add(cdp);
  cdp.on('Target.attachedToTarget', (attached: Attached) => {
    const { sessionId, targetInfo } = attached;
    if (targetInfo.type !== 'page') {
      void cdp.send('Runtime.runIfWaitingForDebugger', {}, sessionId).catch(() => undefined);
      return;
    }
    // A link into a new window hides its opener; Chromium has told of it just before.
    const opener =
      windows.find(({ webContents }) => webContents.targetId === targetInfo.openerId) ??
      windows.find(({ webContents }) => webContents.asksForWindow());
    if (opener === undefined) {
      // A page that the test's own driver made, not the application.
      if (!cdp.emit('host new page', attached)) void cdp.send('Runtime.runIfWaitingForDebugger', {}, sessionId);
      return;
    }
    const allowed = opener.webContents.decideOnWindow();
    if (allowed === null) void refuse(cdp, attached).catch(() => undefined);
    else new BrowserWindow({ webPreferences: allowed.preferences }, { cdp, attached });
  });
  await cdp.send('Target.setDiscoverTargets', { discover: true });
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
}

/** How long a refused window may take to ask for its page; one without an address never does. */
const ASKS_WITHIN_MS = 2000;

/** Takes a window away that was refused, once its first request has failed: closing lets go what is still paused. */
async function refuse(cdp: Cdp, { sessionId, targetInfo: { targetId } }: Attached): Promise<void> {
  const failed = new Promise<void>((resolve) => {
    cdp.on(`${sessionId} Fetch.requestPaused`, ({ requestId }: { requestId: string }) => {
      void cdp
        .send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, sessionId)
        .catch(() => undefined)
        .then(() => resolve());
    });
  });
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, sessionId);
  await cdp.send('Runtime.runIfWaitingForDebugger', {}, sessionId);
  await Promise.race([failed, pause(ASKS_WITHIN_MS, undefined, { ref: false })]);
  await cdp.send('Target.closeTarget', { targetId });
}
