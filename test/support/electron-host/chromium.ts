import { type ChildProcess, spawn } from 'node:child_process';
import { chromiumPath } from '../../../scripts/support/capabilities.ts';
import { Cdp } from './cdp.ts';

/** A headless Chromium with a profile of its own. */
export interface Chromium {
  readonly cdp: Cdp;
  /** Where others may drive it as well. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** @param switches further command line switches, such as the application's own */
export async function launchChromium(profile: string, switches: readonly string[]): Promise<Chromium> {
  const path = chromiumPath();
  if (path === undefined) throw new Error('no Chromium found');
  const child = spawn(
    path,
    [
      '--headless=new',
      '--remote-debugging-port=0',
      // The second channel is for its end alone: Chromium ends once the pipe does, however this process comes to an end.
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      '--no-startup-window',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      // Chromium's own services; Electron has none of them built in.
      '--disable-component-update',
      '--disable-sync',
      '--disable-background-networking',
      '--disable-features=Translate,OptimizationHints,MediaRouter',
      // Chromium refuses to sandbox as root; nothing but our own pages is loaded here.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...switches,
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const endpoint = await debuggingEndpoint(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const cdp = await Cdp.connect(endpoint);
  return {
    cdp,
    endpoint,
    close: async () => {
      // Asked first, so that it writes its cookies.
      await cdp.send('Browser.close').catch(() => undefined);
      await ended;
      cdp.close();
    },
  };
}

function debuggingEndpoint(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Chromium ended: ${said}`)));
  });
}
