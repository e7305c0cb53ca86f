import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DesktopProcess } from '../../test/support/desktop-process.ts';
import { quantile } from './figures.ts';

/** Milliseconds since the launch at which something had happened. */
export type Timeline = Readonly<Record<string, number>>;

export interface Launched {
  readonly desktop: DesktopProcess;
  readonly timeline: Timeline;
  /** Processor time of the main process until the window could be used, in milliseconds; its Chromium is not in it. */
  readonly processorMs: number;
}

/** What the main process and the page of its window tell about a launch; times in milliseconds since the Unix epoch. */
interface Told {
  readonly main: Readonly<Record<string, number>>;
  readonly browser: number;
  readonly asked: number;
  readonly paint: number;
  readonly usable: number;
  readonly processorMs: number;
}

/**
 * Launches an application under the host of the tests and waits until its window can be used: a link is on the screen, was
 * painted, and the page's thread is free to answer a click.
 */
export async function launch(options: ConstructorParameters<typeof DesktopProcess>[0]): Promise<Launched> {
  const began = performance.timeOrigin + performance.now();
  const desktop = new DesktopProcess(options);
  const ended = desktop.ended.then(({ stderr }): never => {
    throw new Error(`the application ended instead of opening its window: ${stderr}`);
  });
  ended.catch(() => undefined);
  const usable = desktop.evaluate<Promise<Told>>(async ({ BrowserWindow }) => {
    const { setTimeout: pause } = process.getBuiltinModule('node:timers/promises');
    const loaded = (): string => BrowserWindow.getAllWindows()[0]?.webContents.getURL() ?? '';
    let browser = 0;
    while (!loaded().startsWith('http')) {
      if (browser === 0 && BrowserWindow.getAllWindows()[0]?.webContents.targetId) browser = Date.now();
      await pause(4);
    }
    const page = (await BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(`new Promise((done) => {
      const { timeOrigin: asked } = performance;
      const tell = () => {
        const usable = asked + performance.now();
        new PerformanceObserver((list) => {
          const [paint] = list.getEntriesByName('first-contentful-paint');
          if (paint !== undefined) done({ asked, paint: asked + paint.startTime, usable });
        }).observe({ type: 'paint', buffered: true });
      };
      const observer = new MutationObserver(look);
      function look() {
        if (document.querySelector('a[href]') === null) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(tell));
      }
      observer.observe(document, { childList: true, subtree: true });
      look();
    })`)) as Pick<Told, 'asked' | 'paint' | 'usable'>;
    const { user, system } = process.cpuUsage();
    const marks = performance.getEntriesByType('mark').filter(({ name }) => name.startsWith('start: '));
    const main = marks.map(({ name, startTime }) => [name.slice(7), performance.timeOrigin + startTime] as const);
    return {
      ...page,
      browser: browser === 0 ? page.asked : browser,
      main: Object.fromEntries([['process', performance.timeOrigin], ...main]),
      processorMs: (user + system) / 1000,
    };
  });
  const told = await Promise.race([usable, ended]);
  const { main, browser, asked, paint, processorMs } = told;
  const times = { ...main, 'browser up': browser, 'page asked for': asked, 'first paint': paint, usable: told.usable };
  const timeline = Object.entries(times).map(([name, time]) => [name, Math.round(time - began)] as const);
  return { desktop, timeline: Object.fromEntries(timeline), processorMs: Math.round(processorMs) };
}

/** The median of each time, over launches. */
export function medians(timelines: readonly Timeline[]): Timeline {
  const names = new Set(timelines.flatMap((timeline) => Object.keys(timeline)));
  return Object.fromEntries(
    [...names].map((name) => {
      const sorted = timelines.flatMap((timeline) => timeline[name] ?? []).toSorted((a, b) => a - b);
      return [name, quantile(sorted, 0.5)];
    }),
  );
}

const BARE = `import { createServer } from 'node:http';
import { app, BrowserWindow } from 'electron';
const page = '<!doctype html><title>Bare</title><a href="/">There is nothing here.</a>';
const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
server.listen(0, '127.0.0.1', async () => {
  await app.whenReady();
  const window = new BrowserWindow({ webPreferences: { partition: 'persist:bare' } });
  await window.loadURL('http://127.0.0.1:' + server.address().port);
});
`;

/** Lays out an application with nothing but a window on a page of one line: what host, browser and machine take by themselves. */
export function layOutBare(folder: string): string {
  const main = join(folder, 'out', 'main');
  mkdirSync(main, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(main, 'index.js'), BARE);
  return folder;
}
