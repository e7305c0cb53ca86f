import { app, type Session, session, type WebPreferences } from 'electron';
import { isWithin } from './origin.ts';

/** Cookies and storage of the service's pages, apart from everything else Electron may ever load. */
const PARTITION = 'persist:countersign';

/** What a window may do: the page is treated as an ordinary web page, whatever it is made to load. */
export function pagePreferences(preload: string): WebPreferences {
  return {
    preload,
    partition: PARTITION,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
    spellcheck: false,
  };
}

/** Text into the clipboard, after a click: what the buttons that copy a digest need. */
const GRANTED = 'clipboard-sanitized-write';

/** Camera, location, devices and all the rest: the product needs none of them, so none is asked about. */
export function denyPermissions(): void {
  const pages: Session = session.fromPartition(PARTITION);
  pages.setPermissionRequestHandler((_contents, permission, answer) => answer(permission === GRANTED));
  pages.setPermissionCheckHandler((_contents, permission) => permission === GRANTED);
  pages.setDevicePermissionHandler(() => false);
}

/**
 * Holds every page, frame and window to the service's origin. Installed for the application and not for one window,
 * so that a window which the page opens is held as well.
 */
export function confineTo(origin: string, preload: string): void {
  app.on('web-contents-created', (_event, contents) => {
    const guard = (event: { url: string; preventDefault(): void }): void => {
      if (!isWithin(origin, event.url)) event.preventDefault();
    };
    contents.on('will-navigate', guard);
    contents.on('will-frame-navigate', guard);
    contents.on('will-redirect', guard);
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) =>
      isWithin(origin, url)
        ? { action: 'allow', overrideBrowserWindowOptions: { webPreferences: pagePreferences(preload) } }
        : { action: 'deny' },
    );
  });
}
