/** What the preload script lays out in the desktop; absent in a browser. */
interface DesktopBridge {
  readonly platform: string;
  readonly versions: { readonly electron?: string; readonly chrome?: string; readonly node?: string };
}

declare global {
  interface Window {
    readonly countersign?: DesktopBridge;
  }
}

/** Where this page is open, in words. */
export function viewerName(): string {
  const desktop = window.countersign;
  if (desktop === undefined) return 'Browser';
  return `Desktop, Electron ${desktop.versions.electron ?? 'of unknown version'} on ${desktop.platform}`;
}
