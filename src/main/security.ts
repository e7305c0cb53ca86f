import { app, dialog, type Session, session, type WebPreferences } from 'electron';
import { openOutside } from './external-links.ts';
import { isWithin } from './origin.ts';

/** Cookies and storage of the service's pages, apart from everything else Electron may ever load. */
export const PARTITION = 'persist:countersign';

/** What a window may do: the page is treated as an ordinary web page, whatever it is made to load. */
export function pagePreferences(preload: string): WebPreferences {
  return {
    preload,
    partition: PARTITION,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  };
}

/** Before the application is ready: Chromium asks nobody for anything, and finds no name but this machine's. */
export function silenceChromium(): void {
  app.enableSandbox();
  for (const name of [
    'disable-background-networking',
    'disable-component-update',
    'disable-domain-reliability',
    'no-pings',
  ]) {
    app.commandLine.appendSwitch(name);
  }
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
}

/**
 * What the pages' session grants and reaches: the camera to a person who says yes, no other permission, no device, no dictionary, and the
 * service alone.
 * @param origins of the service, or of the page that asks for a passphrase; asked at each request
 */
export async function hardenSession(origins: () => readonly string[]): Promise<Session> {
  const pages = session.fromPartition(PARTITION);
  // Microphone, location, clipboard and all the rest: the product needs none of them, so none is asked about. A QR code is read with the
  // camera; each time a person is asked, for a page that was taken over could ask as well.
  pages.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const kinds = 'mediaTypes' in details ? details.mediaTypes : undefined;
    const isOwn = origins().some((origin) => isWithin(origin, details.requestingUrl));
    if (permission === 'media' && kinds?.join() === 'video' && isOwn) void askForCamera().then(answer);
    else answer(false);
  });
  pages.setPermissionCheckHandler(() => false);
  pages.setDevicePermissionHandler(() => false);
  pages.setSpellCheckerEnabled(false);
  pages.setSpellCheckerLanguages([]);
  // A second fence behind the policy of the pages: also what a page has Chromium fetch by itself ends here.
  pages.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isReachable(url, origins()) }));
  await pages.setProxy({ mode: 'direct' });
  return pages;
}

/** Whether the person at the machine lets the page see through the camera, this once. */
async function askForCamera(): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Use the camera to read a QR code?',
    detail: 'Pictures are looked at in this window and are neither kept nor sent anywhere.',
    buttons: ['Use the camera', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

function isReachable(url: string, origins: readonly string[]): boolean {
  return /^(blob|data|devtools):/.test(url) || origins.some((origin) => isWithin(origin, url));
}

/**
 * Holds every page, frame and window to the service's origin. Installed for the application and not for one window,
 * so that a window which the page opens is held as well.
 */
export function confinePages(origins: () => readonly string[], preload: string): void {
  app.on('web-contents-created', (_event, contents) => {
    const within = (url: string): boolean => origins().some((origin) => isWithin(origin, url));
    const guard = (event: { url: string; preventDefault(): void }): void => {
      if (!within(event.url)) event.preventDefault();
    };
    contents.on('will-navigate', guard);
    contents.on('will-frame-navigate', guard);
    contents.on('will-redirect', guard);
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      if (within(url)) {
        return { action: 'allow', overrideBrowserWindowOptions: { webPreferences: pagePreferences(preload) } };
      }
      // A link in a page may lead out, over the one gateway, which has a list and asks.
      void openOutside(url);
      return { action: 'deny' };
    });
  });
}
