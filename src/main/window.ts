import { BrowserWindow, dialog, screen } from 'electron';
import { pagePreferences } from './security.ts';
import type { StateFile } from './state-file.ts';
import { placeOf, SMALLEST } from './window-place.ts';

/** Makes the workstation's window where it was; it becomes visible once there is something to see. */
export function makeWindow(preload: string, state: StateFile): BrowserWindow {
  const { place } = state.get();
  const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    title: 'Countersign',
    ...placeOf(place, screens),
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    webPreferences: pagePreferences(preload),
  });
  if (place?.maximized === true) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => state.change({ place: { ...window.getNormalBounds(), maximized: window.isMaximized() } }));
  return window;
}

/** Loads a page into a window. One that is closed meanwhile, as by a quit, has nothing to load, and that is no failure. */
export async function fillWindow(window: BrowserWindow, url: string): Promise<void> {
  try {
    await window.loadURL(url);
  } catch (error) {
    if (!window.isDestroyed()) throw error;
  }
}

/** Brings a window to the front, as a second start of the application should. */
export function revealWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  if (!window.isVisible()) window.show();
  window.focus();
}

/** How many crashes of its page within a minute a window mends by itself. */
const MAX_RELOADS = 3;

/** Loads a page again whose process has crashed; where that does not help, the person decides. */
export function reloadAfterCrash(window: BrowserWindow, onCrash: (reason: string) => void): void {
  let crashes: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    onCrash(reason);
    crashes = [...crashes.filter((time) => time > Date.now() - 60_000), Date.now()];
    if (crashes.length <= MAX_RELOADS) {
      window.webContents.reload();
      return;
    }
    void dialog
      .showMessageBox({
        type: 'error',
        message: 'The window keeps crashing.',
        detail: `Its process ended ${crashes.length} times within a minute (${reason}). The service keeps running. Help, Show the log has more.`,
        buttons: ['Load it again', 'Close the window'],
        cancelId: 1,
      })
      .then(({ response }) => (response === 0 ? window.webContents.reload() : window.destroy()));
  });
}
