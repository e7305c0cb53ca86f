import { EventEmitter } from 'node:events';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HostEvent } from './app.ts';
import type { Cdp } from './cdp.ts';
import { dialog } from './dialog.ts';

/** What a page saves, as Electron tells of it; the save dialog decides where it goes. */
class DownloadItem extends EventEmitter {
  readonly #name: string;
  options: object = {};
  path = '';
  constructor(name: string) {
    super();
    this.#name = name;
  }
  getFilename = (): string => this.#name;
  setSaveDialogOptions(options: object): void {
    this.options = options;
  }
  getSavePath = (): string => this.path;
}

/** Tells a session of its browser's downloads. */
export async function followDownloads(cdp: Cdp, folder: string, session: EventEmitter): Promise<void> {
  const items = new Map<string, DownloadItem>();
  await cdp.send('Browser.setDownloadBehavior', {
    behavior: 'allowAndName',
    downloadPath: folder,
    eventsEnabled: true,
  });
  cdp.on('Browser.downloadWillBegin', ({ guid, suggestedFilename }: { guid: string; suggestedFilename: string }) => {
    const item = new DownloadItem(suggestedFilename);
    items.set(guid, item);
    session.emit('will-download', new HostEvent(), item, null);
  });
  cdp.on(
    'Browser.downloadProgress',
    ({ guid, state, filePath }: { guid: string; state: string; filePath?: string }) => {
      const item = items.get(guid);
      if (item === undefined || state === 'inProgress') return;
      items.delete(guid);
      // The test's own driver may have told Chromium another folder.
      void finish(item, filePath ?? join(folder, guid), state);
    },
  );
}

async function finish(item: DownloadItem, from: string, state: string): Promise<void> {
  // Chromium names the file a moment after it tells of it.
  for (let n = 0; state === 'completed' && !existsSync(from) && n < 100; n++) await pause(10);
  const answer = (await dialog.showSaveDialog(item.options)) as { canceled: boolean; filePath: string };
  if (state === 'completed' && !answer.canceled) {
    copyFileSync(from, answer.filePath);
    item.path = answer.filePath;
  }
  item.emit('done', new HostEvent(), answer.canceled ? 'cancelled' : state);
}
