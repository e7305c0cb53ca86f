import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, appended } from './app.ts';
import { type Chromium, launchChromium } from './chromium.ts';
import { followDownloads } from './downloads.ts';

type PermissionCheck = (contents: unknown, permission: string, origin: string, details: object) => boolean;
type PermissionRequest = (
  contents: unknown,
  permission: string,
  answer: (granted: boolean) => void,
  details: object,
) => void;
type RequestFilter = (
  details: { readonly url: string; readonly resourceType: string },
  answer: (response: { cancel?: boolean }) => void,
) => void;

/** Permissions by Electron's names, with Chromium's. */
const PERMISSIONS: readonly (readonly [string, string])[] = [
  ['clipboard-sanitized-write', 'clipboard-write'],
  ['clipboard-read', 'clipboard-read'],
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['media', 'camera'],
  ['media', 'microphone'],
  ['midi', 'midi'],
  ['idle-detection', 'idle-detection'],
  ['storage-access', 'storage-access'],
];

/** A partition: a Chromium of its own, with a profile of its own, begun with the first window. */
export class Session extends EventEmitter {
  readonly partition: string;
  readonly storagePath: string;
  readonly preconnects: string[] = [];
  spellChecker = true;
  spellCheckerLanguages: readonly string[] = ['en-US'];
  proxy: object = { mode: 'system' };
  #check: PermissionCheck | null = null;
  #request: PermissionRequest | null = null;
  device: (() => boolean) | null = null;
  filter: RequestFilter | null = null;
  #chromium: Promise<Chromium> | null = null;

  readonly cookies = {
    get: async ({ url = '' }: { url?: string }): Promise<{ name: string; value: string }[]> => {
      const { cdp } = await this.chromium();
      const { cookies } = await cdp.send<{ cookies: { name: string; value: string; domain: string }[] }>(
        'Storage.getCookies',
      );
      return cookies.filter(({ domain }) => domain === new URL(url).hostname);
    },
  };

  readonly webRequest = {
    onBeforeRequest: (filter: RequestFilter | null): void => {
      this.filter = filter;
    },
  };

  constructor(partition: string) {
    super();
    this.partition = partition;
    this.storagePath = join(app.getPath('userData'), 'Partitions', partition.replace(/^persist:/, '') || 'default');
  }

  setPermissionCheckHandler(check: PermissionCheck | null): void {
    this.#check = check;
  }
  setPermissionRequestHandler(request: PermissionRequest | null): void {
    this.#request = request;
  }
  setDevicePermissionHandler(device: (() => boolean) | null): void {
    this.device = device;
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    this.spellChecker = enabled;
  }
  isSpellCheckerEnabled = (): boolean => this.spellChecker;
  setSpellCheckerLanguages(languages: readonly string[]): void {
    this.spellCheckerLanguages = languages;
  }
  getSpellCheckerLanguages = (): readonly string[] => this.spellCheckerLanguages;
  setProxy(proxy: object): Promise<void> {
    this.proxy = proxy;
    return Promise.resolve();
  }
  flushStorageData = (): void => undefined;

  /** The browser of this partition. */
  chromium(): Promise<Chromium> {
    if (this.#chromium === null) {
      const launched = this.#launch();
      this.#chromium = launched;
      // Also one that is just beginning is ended in order: a profile that is let go of in the middle stays locked.
      app.beforeExit(() =>
        launched.then(
          (chromium) => chromium.close(),
          () => undefined,
        ),
      );
    }
    return this.#chromium;
  }

  async #launch(): Promise<Chromium> {
    mkdirSync(this.storagePath, { recursive: true });
    const chromium = await launchChromium(this.storagePath, appended);
    await followDownloads(chromium.cdp, join(this.storagePath, 'downloads'), this);
    process.send?.({ kind: 'browser', endpoint: chromium.endpoint });
    return chromium;
  }

  /** Lays the handlers' answers out for Chromium. Without handlers Electron grants. */
  async settlePermissions(): Promise<void> {
    const { cdp } = await this.chromium();
    for (const [name, chromiumName] of PERMISSIONS) {
      const setting = (await this.#grants(name)) ? 'granted' : 'denied';
      await cdp
        .send('Browser.setPermission', { permission: { name: chromiumName }, setting })
        // A headless Chromium does not know every one of them.
        .catch(() => undefined);
    }
  }

  async #grants(permission: string): Promise<boolean> {
    const [check, request] = [this.#check, this.#request];
    const requested = new Promise<boolean>((resolve) =>
      request === null ? resolve(true) : request(null, permission, resolve, {}),
    );
    return (check === null || check(null, permission, '', {})) && (await requested);
  }
}

const sessions = new Map<string, Session>();

export const session = {
  fromPartition: (partition: string): Session => {
    const known = sessions.get(partition) ?? new Session(partition);
    sessions.set(partition, known);
    return known;
  },
  get defaultSession(): Session {
    return session.fromPartition('');
  },
};
