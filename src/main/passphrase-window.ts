import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { BrowserWindow } from 'electron';
import { z } from 'zod';
import { createServer } from '../node/light.ts';
import { PASSPHRASE_MAX, PASSPHRASE_MIN } from '../service/index.ts';
import { type Channels, channel, NOTHING } from './ipc.ts';
import { pagePreferences } from './security.ts';
import { fillWindow } from './window.ts';

type Purpose = 'open' | 'choose' | 'export';
type Check = (passphrase: string) => Promise<string | null>;

const FILES: Readonly<Record<string, string>> = {
  '/': 'text/html; charset=utf-8',
  '/passphrase.js': 'text/javascript; charset=utf-8',
  '/passphrase.css': 'text/css; charset=utf-8',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A window that asks for a passphrase. The page comes from its own port while it is open; what is typed goes by IPC. */
export class PassphraseWindow {
  readonly #folder: string;
  readonly #preload: string;
  #origin: string | null = null;
  #asked: { purpose: Purpose; check: Check; window: BrowserWindow } | null = null;

  constructor(folder: string, preload: string) {
    this.#folder = folder;
    this.#preload = preload;
  }

  /** Origin of the page while it is open. */
  get origin(): string | null {
    return this.#origin;
  }

  /** What the page can call. */
  readonly channels: Channels = {
    'countersign:passphrase-purpose': channel(NOTHING, () => this.#asked?.purpose),
    'countersign:passphrase-submit': channel(z.tuple([z.string().max(PASSPHRASE_MAX)]), ([passphrase]) =>
      this.#submit(passphrase),
    ),
  };

  /** @returns whether a passphrase was taken; false where the window was closed */
  async ask(purpose: Purpose, check: Check): Promise<boolean> {
    const server = await serve(this.#folder);
    const { port } = server.address() as AddressInfo;
    this.#origin = `http://127.0.0.1:${port}`;
    const window = new BrowserWindow({
      title: 'Countersign',
      width: 560,
      height: purpose === 'open' ? 340 : 460,
      resizable: false,
      maximizable: false,
      webPreferences: pagePreferences(this.#preload),
    });
    let taken = false;
    const closed = new Promise<void>((resolve) => window.once('closed', () => resolve()));
    this.#asked = {
      purpose,
      window,
      check: async (passphrase) => {
        const wrong = await check(passphrase);
        taken ||= wrong === null;
        return wrong;
      },
    };
    await fillWindow(window, `${this.#origin}/`);
    await closed;
    this.#asked = null;
    this.#origin = null;
    server.close();
    server.closeAllConnections();
    return taken;
  }

  async #submit(passphrase: string): Promise<string | null> {
    const asked = this.#asked;
    if (asked === null) return 'This request has expired.';
    if (asked.purpose !== 'open' && passphrase.length < PASSPHRASE_MIN) {
      return `Take at least ${PASSPHRASE_MIN} characters: four words of your own, for instance.`;
    }
    const wrong = await asked.check(passphrase);
    // Closed once the page has its answer.
    if (wrong === null) setImmediate(() => asked.window.close());
    return wrong;
  }
}

/** Three files of the product to whoever asks on this machine; nothing in them is secret, and nothing is taken. */
async function serve(folder: string): Promise<Server> {
  const contents = new Map(
    Object.entries(FILES).map(([path, type]) => {
      const name = path === '/' ? 'index.html' : path.slice(1);
      return [path, { type, body: readFileSync(join(folder, name)) }];
    }),
  );
  const server = createServer((request, response) => {
    const found = contents.get(request.url ?? '');
    response.writeHead(found === undefined ? 404 : 200, {
      'Content-Type': found?.type ?? 'text/plain',
      'Content-Security-Policy': POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    response.end(found?.body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}
