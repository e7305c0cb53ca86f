// What the project uses of the module `electron`, over Node and a headless Chromium; see README.md of this folder.
import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { BrowserWindow } from './browser-window.ts';
import { dialog, dialogs } from './dialog.ts';
import { ipcMain } from './ipc-main.ts';
import { Menu, Notification, Tray } from './kept.ts';
import { safeStorage } from './safe-storage.ts';
import { session } from './session.ts';

/** What left the application. */
const left = { opened: [] as string[], revealed: [] as string[], copied: [] as string[] };

const shell = {
  openExternal: async (address: string): Promise<void> => void left.opened.push(address),
  showItemInFolder: (path: string): void => void left.revealed.push(path),
};
const clipboard = { writeText: (text: string): void => void left.copied.push(text) };
const powerMonitor = new EventEmitter();
const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
};
const nativeImage = { createFromPath: (path: string) => ({ path, setTemplateImage: () => undefined }) };
const crashReporter = { start: () => undefined };

export {
  app,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  Notification,
  nativeImage,
  powerMonitor,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
};

// Electron quits in order when it is told to end.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
// The test that started it is gone: nobody is left to quit it.
process.once('disconnect', () => process.exit(1));

export const electron = {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  Notification,
  powerMonitor,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
  host: { dialogs, left },
};

// The test's side of the channel has functions run here, as Playwright's driver does with the real one.
process.on('message', ({ id, source, argument }: { id: number; source: string; argument: unknown }) => {
  const run = async (): Promise<unknown> => {
    const task = new Function(`return ${source}`)() as (all: typeof electron, argument: unknown) => unknown;
    return task(electron, argument);
  };
  run()
    .then((value) => process.send?.({ kind: 'answer', id, value }))
    .catch((error: unknown) => process.send?.({ kind: 'answer', id, error: String(error) }));
});
// Electron runs until it is told to quit, with windows or without.
setInterval(() => undefined, 2 ** 30);
