import type { DesktopBridge } from '../../api/index.ts';
import { setDroppedFiles } from './dropped-files.ts';
import { pageSecret } from './page-secret.ts';
import { DESKTOP } from './texts.ts';

declare global {
  interface Window {
    /** What the preload script lays out in the desktop; absent in a browser. */
    readonly countersign?: DesktopBridge;
  }
}

/** Where this page is open, in words. */
export function viewerName(): string {
  const desktop = window.countersign;
  if (desktop === undefined) return DESKTOP.browser;
  return DESKTOP.desktop(desktop.versions.electron ?? DESKTOP.unknownVersion, desktop.platform);
}

/** Follows the menus of the desktop and links of the system to a screen, and opened files to where they are imported. */
export function followDesktop(go: (path: string) => void): void {
  window.countersign?.onGo(go);
  window.countersign?.onFileOpened((file) => {
    setDroppedFiles([file]);
    go('/cases/new');
  });
}

/** Tells the desktop that the page has its workstation session, or was refused one; nothing in a browser. */
export function tellEntered(): void {
  // A refusal is in the desktop's log.
  window.countersign?.entered(pageSecret()).catch(() => undefined);
}

/** A notification of the system that a job ended, where the desktop's window is not in front; nothing in a browser. */
export function notifyJobEnded(title: string, body: string): void {
  // A notification that could not be shown is no reason to disturb whoever does not look.
  window.countersign?.jobEnded({ title, body }).catch(() => undefined);
}
