import { join } from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import { startService } from '../service/index.ts';
import { confineTo, denyPermissions } from './security.ts';
import { openWindow, revealWindow } from './window.ts';

type Service = Awaited<ReturnType<typeof startService>>;

const HOST = '127.0.0.1';
const PORT = 8787;

// The build puts main, preload and renderer side by side: out/main, out/preload, out/renderer.
const PRELOAD = join(import.meta.dirname, '../preload/index.cjs');
const RENDERER = join(import.meta.dirname, '../renderer');

/** The application from start to end: one instance, one service, one window, and a clean close of the ledger. */
export function runDesktop(): void {
  // Two instances would be two writers on one ledger.
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  app.on('second-instance', () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window !== undefined) revealWindow(window);
  });
  // The service lives as long as its window, on every platform: nothing keeps writing unseen.
  app.on('window-all-closed', () => app.quit());

  const service = app.whenReady().then(start);
  closeBeforeQuitting(service);
  service.then(show).catch(reportAndExit);
}

function start(): Promise<Service> {
  const dataDir = join(app.getPath('userData'), 'service');
  return startService({ dataDir, host: HOST, port: PORT, rendererDir: RENDERER });
}

async function show(service: Service): Promise<void> {
  denyPermissions();
  confineTo(new URL(service.url).origin, PRELOAD);
  await openWindow(service.url, PRELOAD);
}

/** Electron does not wait for promises: the first request to quit is held back until the service has closed. */
function closeBeforeQuitting(service: Promise<Service>): void {
  let closing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    service
      .then((running) => running.close())
      .then(() => app.exit(0))
      .catch(reportAndExit);
  });
}

function reportAndExit(error: unknown): void {
  dialog.showErrorBox('Countersign could not continue', error instanceof Error ? error.message : String(error));
  app.exit(1);
}
