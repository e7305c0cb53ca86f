import { app, type MenuItemConstructorOptions } from 'electron';
import { NAV_SCREENS } from '../api/light.ts';

/** What the menus do; each is done by somebody else. */
export interface MenuActions {
  chooseFile(): void;
  openRecent(path: string): void;
  go(path: string): void;
  revealDownload(): void;
  exportKeys(): void;
  showDataFolder(): void;
  showLog(): void;
  setKeepRunning(on: boolean): void;
  setRecorder(on: boolean): void;
  setOpenAtLogin(on: boolean): void;
}

/** What the menus show. */
export interface MenuState {
  readonly recent: readonly string[];
  readonly keepRunning: boolean;
  readonly recorder: boolean;
  readonly openAtLogin: boolean;
}

/** There are nine keys for it. */
const MAX_ACCELERATORS = 9;

/** The application's menus. What the page does by its own keys is not among them. */
export function menuTemplate(actions: MenuActions, state: MenuState): MenuItemConstructorOptions[] {
  const isMac = process.platform === 'darwin';
  return [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: 'File',
      submenu: [
        { id: 'open', label: 'Open…', accelerator: 'CmdOrCtrl+O', click: () => actions.chooseFile() },
        {
          label: 'Open recent',
          enabled: state.recent.length > 0,
          submenu: state.recent.map((path) => ({ label: path, click: () => actions.openRecent(path) })),
        },
        {
          id: 'reveal-download',
          label: 'Show last saved file in folder',
          click: () => actions.revealDownload(),
        },
        { type: 'separator' },
        {
          id: 'keep-running',
          label: 'Keep running for agents when the window closes',
          type: 'checkbox',
          checked: state.keepRunning,
          click: ({ checked }) => actions.setKeepRunning(checked),
        },
        {
          id: 'recorder',
          label: 'Record the agents that are installed on this computer',
          type: 'checkbox',
          checked: state.recorder,
          click: ({ checked }) => actions.setRecorder(checked),
        },
        {
          id: 'open-at-login',
          label: 'Start at login',
          // Electron offers it on macOS and Windows only; on Linux the session's own settings have it.
          visible: process.platform !== 'linux',
          type: 'checkbox',
          checked: state.openAtLogin,
          click: ({ checked }) => actions.setOpenAtLogin(checked),
        },
        { type: 'separator' },
        { id: 'export-keys', label: 'Export the keys for another machine…', click: () => actions.exportKeys() },
        { id: 'data-folder', label: 'Show the data folder', click: () => actions.showDataFolder() },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit', label: 'Quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: 'Go',
      submenu: NAV_SCREENS.map(({ label, path }, n) => ({
        id: `go${path}`,
        label,
        ...(n < MAX_ACCELERATORS ? { accelerator: `CmdOrCtrl+${n + 1}` } : {}),
        click: () => actions.go(path),
      })),
    },
    {
      label: 'View',
      submenu: [
        { role: 'reload' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        // Whoever develops has them; in the product they would be one more way into the page.
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { id: 'log', label: 'Show the log', click: () => actions.showLog() },
        ...(isMac ? [] : [{ role: 'about' as const }]),
      ],
    },
  ];
}
