import { BrowserWindow } from 'electron';
import { pagePreferences } from './security.ts';

/** Opens the workstation's window on the service's page; it becomes visible once there is something to see. */
export async function openWindow(serviceUrl: string, preload: string): Promise<BrowserWindow> {
  const window = new BrowserWindow({
    title: 'Countersign',
    width: 1280,
    height: 860,
    minWidth: 720,
    minHeight: 480,
    show: false,
    webPreferences: pagePreferences(preload),
  });
  window.once('ready-to-show', () => window.show());
  await window.loadURL(serviceUrl);
  return window;
}

/** Brings a window to the front, as a second start of the application should. */
export function revealWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.focus();
}
