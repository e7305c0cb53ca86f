import { setTimeout as pause } from 'node:timers/promises';
import { app } from 'electron';
import { killIfLeft } from '../node/index.ts';
import type { Task } from './command-line.ts';
import { Desktop } from './desktop.ts';
import { silenceChromium } from './security.ts';

/** How long a quit waits for a start that is under way, in milliseconds. Ended in its middle, it is as after a crash. */
const START_MS = 15_000;

type Opening = Extract<Task, { kind: 'desktop' }>;

/** The application from start to end: one instance, one service, one window, and a clean close of the ledger. */
export function runDesktop(opening: Opening): void {
  silenceChromium();
  // Two instances would be two writers on one ledger.
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  app.setAsDefaultProtocolClient('countersign');
  const desktop = new Desktop();
  const fail = (error: unknown): void => {
    desktop.report(error);
    app.exit(1);
  };
  const tell = (error: unknown): void => desktop.report(error);
  app.on('second-instance', (_event, argv) => void desktop.secondStart(argv).catch(tell));
  app.on('activate', () => void desktop.show().catch(tell));
  app.on('open-file', (event, path) => {
    event.preventDefault();
    void desktop.open({ kind: 'desktop', file: path, link: null, hidden: false }).catch(tell);
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    void desktop.open({ kind: 'desktop', file: null, link, hidden: false }).catch(tell);
  });
  app.on('window-all-closed', () => desktop.windowsClosed());
  const started = app.whenReady().then(() => desktop.start(opening));
  started.catch(fail);
  closeBeforeQuitting(desktop, started, fail);
}

/**
 * Electron does not wait for promises: the first request to quit is held back until the service has closed. A quit during
 * the start waits for it, since what is half started cannot be stopped in order.
 */
function closeBeforeQuitting(desktop: Desktop, started: Promise<void>, fail: (error: unknown) => void): void {
  let closing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    void Promise.race([started, pause(START_MS)])
      .catch(() => undefined)
      .then(() => desktop.stop())
      .then(() => {
        killIfLeft();
        app.exit(0);
      })
      .catch(fail);
  });
}
