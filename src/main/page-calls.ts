import { app, BrowserWindow, clipboard, dialog, Notification } from 'electron';
import { z } from 'zod';
import type { Upload } from '../api/index.ts';
import { PAGE_SECRET } from '../api/light.ts';
import { openOutside } from './external-links.ts';
import { type Channels, channel, NOTHING } from './ipc.ts';

const FILTERS = [
  { name: 'Bundles, reports and kept receipts', extensions: ['csbundle', 'gz', 'json', 'pdf', 'jsonl'] },
  { name: 'All files', extensions: ['*'] },
];

/** Lets the person choose one file. @returns its path; null where they close the dialog */
export async function chooseFile(): Promise<string | null> {
  const options = { title: 'Open', properties: ['openFile' as const], filters: FILTERS };
  const window = BrowserWindow.getFocusedWindow();
  const { canceled, filePaths } = await (window === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return canceled ? null : (filePaths[0] ?? null);
}

interface Desk {
  /** Files that wait for the page. */
  takeOpened(): readonly Upload[];
  /** @param secret that the page's sessions are bound to */
  entered(secret: string): void;
  revealDownload(): boolean;
}

// What goes into the clipboard or a notification is of a size that people can read, or paste into a report.
const clipboardText = z.string().max(1_000_000);
const endedJob = z.strictObject({ title: z.string().min(1).max(120), body: z.string().max(400) });
const address = z.string().max(2048);

/** Everything that the workspace's page can have the desktop do, with the form of its arguments. */
export function pageChannels(desk: Desk): Channels {
  return {
    'countersign:copy-text': channel(z.tuple([clipboardText]), ([text]) => clipboard.writeText(text)),
    'countersign:take-opened': channel(NOTHING, () => desk.takeOpened()),
    'countersign:entered': channel(z.tuple([z.string().regex(PAGE_SECRET)]), ([secret]) => desk.entered(secret)),
    'countersign:job-ended': channel(z.tuple([endedJob]), ([job], sender) => {
      const window = BrowserWindow.fromWebContents(sender);
      // Who looks at the window sees it there.
      if (window?.isFocused() === true || !Notification.isSupported()) return;
      const notification = new Notification(job);
      notification.on('click', () => {
        window?.show();
        app.focus();
      });
      notification.show();
    }),
    'countersign:reveal-download': channel(NOTHING, () => desk.revealDownload()),
    'countersign:open-external': channel(z.tuple([address]), ([link]) => openOutside(link)),
  };
}
