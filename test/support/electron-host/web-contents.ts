import { EventEmitter } from 'node:events';
import { HostEvent } from './app.ts';
import type { Cdp } from './cdp.ts';
import { frameOf, isMainFrame } from './frames.ts';
import { answerInvoke, type FrameLike } from './ipc-main.ts';
import { preloadScript } from './preload-world.ts';
import type { Session } from './session.ts';

/** What a window was given, over Electron's defaults. */
export interface WebPreferences {
  readonly preload?: string;
  readonly partition?: string;
  readonly contextIsolation?: boolean;
  readonly sandbox?: boolean;
  readonly nodeIntegration?: boolean;
  readonly webSecurity?: boolean;
  readonly webviewTag?: boolean;
  readonly spellcheck?: boolean;
  readonly devTools?: boolean;
}

const DEFAULTS: WebPreferences = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  webviewTag: false,
  spellcheck: true,
  devTools: true,
};

type OpenHandler = (details: { url: string }) => {
  action: 'allow' | 'deny';
  overrideBrowserWindowOptions?: { webPreferences?: WebPreferences };
};

interface Paused {
  readonly requestId: string;
  readonly request: { readonly url: string };
  readonly resourceType: string;
  readonly frameId: string;
  readonly redirectedRequestId?: string;
}

let lastId = 0;

/** A page of a partition's Chromium. Every request of it passes the guards before anything is sent. */
export class WebContents extends EventEmitter {
  readonly id = ++lastId;
  readonly session: Session;
  readonly preferences: WebPreferences;
  targetId = '';
  #cdp: Cdp | null = null;
  #sessionId = '';
  #url = '';
  #mainFrame = '';
  #openHandler: OpenHandler | null = null;
  /** The application itself loads this: guards of navigation are for what the page does. */
  #loading: string | null = null;
  #crashed = false;
  readonly sent: { channel: string; args: unknown[] }[] = [];

  constructor(session: Session, preferences: WebPreferences) {
    super();
    this.session = session;
    this.preferences = { ...DEFAULTS, ...preferences };
  }

  getLastWebPreferences = (): WebPreferences => this.preferences;
  getURL = (): string => this.#url;
  isCrashed = (): boolean => this.#crashed;
  isDestroyed = (): boolean => this.#cdp === null && this.targetId !== '';
  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }
  get mainFrame(): FrameLike {
    return frameOf(this.#url);
  }

  /** Takes a page over that waits to begin. */
  async attach(cdp: Cdp, sessionId: string, targetId: string): Promise<void> {
    this.#cdp = cdp;
    this.#sessionId = sessionId;
    this.targetId = targetId;
    const on = <T>(method: string, take: (params: T) => void): void => void cdp.on(`${sessionId} ${method}`, take);
    on('Fetch.requestPaused', (paused: Paused) => void this.#guard(paused));
    on('Inspector.targetCrashed', () => this.#tellCrash());
    on('Page.loadEventFired', () => this.emit('did-finish-load'));
    on('Page.domContentEventFired', () => this.emit('dom-ready'));
    on('Page.frameNavigated', ({ frame }: { frame: { id: string; url: string; parentId?: string } }) => {
      if (!isMainFrame(frame)) return;
      this.#mainFrame = frame.id;
      this.#url = frame.url;
      this.emit('did-navigate', new HostEvent(), frame.url);
    });
    on('Page.navigatedWithinDocument', ({ frameId, url }: { frameId: string; url: string }) => {
      if (frameId === this.#mainFrame) this.#url = url;
    });
    on('Page.windowOpen', ({ url }: { url: string }) => void this.#asked.push(url));
    on('Runtime.bindingCalled', ({ payload }: { payload: string }) => void this.#invoke(payload));
    await this.#send('Page.enable');
    await this.#send('Runtime.enable');
    await this.#send('Inspector.enable');
    const { frameTree } = await this.#send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree');
    this.#mainFrame = frameTree.frame.id;
    await this.#send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    const { preload } = this.preferences;
    if (preload !== undefined) {
      await this.#send('Runtime.addBinding', { name: '__electronHost' });
      await this.#send('Page.addScriptToEvaluateOnNewDocument', {
        source: preloadScript(preload, this.preferences),
        runImmediately: true,
      });
    }
  }

  /** Addresses that the page asked new windows for, and what its handler says of the next. */
  readonly #asked: string[] = [];
  asksForWindow = (): boolean => this.#asked.length > 0;
  decideOnWindow(): { readonly preferences: WebPreferences } | null {
    const url = this.#asked.shift() ?? 'about:blank';
    const answer = this.#openHandler === null ? { action: 'allow' as const } : this.#openHandler({ url });
    if (answer.action === 'deny') return null;
    return { preferences: { ...this.preferences, ...answer.overrideBrowserWindowOptions?.webPreferences } };
  }

  async loadURL(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve, reject) => {
      this.once('dom-ready', resolve);
      // As in Electron: who waits for a page whose window is closed is told.
      this.once('destroyed', () => reject(new Error(`ERR_FAILED (-2) loading '${url}'`)));
    });
    loaded.catch(() => undefined);
    this.#loading = url;
    const { errorText } = await this.#send<{ errorText?: string }>('Page.navigate', { url });
    if (errorText !== undefined) throw new Error(`${errorText} loading '${url}'`);
    await loaded;
  }

  reload(): void {
    this.#loading = this.#url;
    this.#crashed = false;
    void this.#send('Page.navigate', { url: this.#url }).catch(() => undefined);
  }

  executeJavaScript = async (code: string): Promise<unknown> => {
    const { result } = await this.#send<{ result: { value: unknown } }>('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    return result.value;
  };

  send(channel: string, ...args: unknown[]): void {
    this.sent.push({ channel, args });
    const call = `window.__electronHostTake?.(${JSON.stringify(channel)}, ${JSON.stringify(args)})`;
    void this.#send('Runtime.evaluate', { expression: call }).catch(() => undefined);
  }

  /** For tests; Electron calls it forcefullyCrashRenderer. */
  crash(): void {
    void this.#send('Page.crash').catch(() => undefined);
  }

  focus = (): void => undefined;
  openDevTools = (): void => undefined;

  detach(): void {
    this.#cdp = null;
    this.emit('destroyed');
  }

  #send<T = Record<string, unknown>>(method: string, params: object = {}): Promise<T> {
    if (this.#cdp === null) return Promise.reject(new Error('Object has been destroyed'));
    return this.#cdp.send<T>(method, params, this.#sessionId);
  }

  async #guard(paused: Paused): Promise<void> {
    const allowed = this.#passes(paused) && (await this.#passesFilter(paused));
    const { requestId } = paused;
    await (allowed
      ? this.#send('Fetch.continueRequest', { requestId })
      : this.#send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    ).catch(() => undefined);
  }

  #passes({ resourceType, request: { url }, frameId, redirectedRequestId }: Paused): boolean {
    if (resourceType !== 'Document') return true;
    const main = frameId === this.#mainFrame;
    const event = Object.assign(new HostEvent(), { url, isMainFrame: main });
    if (redirectedRequestId !== undefined) {
      this.emit('will-redirect', event);
      return !event.defaultPrevented;
    }
    if (main && this.#loading === url) {
      this.#loading = null;
      return true;
    }
    this.emit('will-frame-navigate', event);
    if (main && !event.defaultPrevented) this.emit('will-navigate', event);
    return !event.defaultPrevented;
  }

  #passesFilter({ request: { url }, resourceType }: Paused): Promise<boolean> {
    const { filter } = this.session;
    if (filter === null) return Promise.resolve(true);
    return new Promise((resolve) => {
      filter({ url, resourceType }, ({ cancel }) => resolve(cancel !== true));
    });
  }

  async #invoke(payload: string): Promise<void> {
    const { id, channel, args } = JSON.parse(payload) as { id: number; channel: string; args: unknown[] };
    const answer = await answerInvoke({ sender: this, senderFrame: frameOf(this.#url) }, channel, args)
      .then((value) => ({ value }))
      .catch((error: Error) => ({ error: error.message }));
    const expression = `window.__electronHostSettle(${id}, ${JSON.stringify(answer)})`;
    await this.#send('Runtime.evaluate', { expression }).catch(() => undefined);
  }

  #tellCrash(): void {
    if (this.#crashed) return;
    this.#crashed = true;
    this.emit('render-process-gone', new HostEvent(), { reason: 'crashed', exitCode: 5 });
  }
}
