import type { Upload } from './cases.ts';

/** A job that ended while nobody looked. */
export interface EndedJob {
  readonly title: string;
  readonly body: string;
}

/** All that a page can have the desktop do. Each call is checked there: who asks, and what for. */
export interface DesktopBridge {
  readonly platform: string;
  readonly versions: {
    readonly electron?: string | undefined;
    readonly chrome?: string | undefined;
    readonly node?: string | undefined;
  };
  /** Puts text into the clipboard; the page itself is granted no permission. */
  copyText(text: string): Promise<void>;
  /**
   * Calls with each file that is opened by a double click, a drag onto the dock, the menu, or another start. The desktop has
   * handed it to the service, which says what the file claims; the page gets neither its path nor its bytes.
   */
  onFileOpened(listener: (file: Upload) => void): void;
  /**
   * The page has its workstation session. Under it the desktop hands over files that are opened, for which it needs what the
   * session is bound to: the secret of the page's origin.
   */
  entered(pageSecret: string): Promise<void>;
  /** Calls with the path of a screen that a menu or a `countersign:` link leads to. */
  onGo(listener: (path: string) => void): void;
  /** A notification of the system, where the window is not in front. */
  jobEnded(job: EndedJob): Promise<void>;
  /** Shows the last saved file in its folder. @returns whether there is one */
  revealDownload(): Promise<boolean>;
  /** Opens an address outside, where it is on the list; asks before. @returns whether it was opened */
  openExternal(address: string): Promise<boolean>;
}

/** What the page that asks for a passphrase can have the desktop do. */
export interface PassphraseBridge {
  /** Why it asks. */
  purpose(): Promise<'open' | 'choose' | 'export'>;
  /** @returns what is wrong with it, or null: the window closes then */
  submit(passphrase: string): Promise<string | null>;
}
