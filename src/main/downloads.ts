import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { app, type Session, shell } from 'electron';

/** What pages save: a dialog of the system says where, and the last one can be shown in its folder. */
export class Downloads {
  #last: string | null = null;
  readonly #onDone: (name: string, ok: boolean) => void;

  /** @param onDone told when a file is there, or was not saved */
  constructor(pages: Session, onDone: (name: string, ok: boolean) => void) {
    this.#onDone = onDone;
    pages.on('will-download', (_event, item) => {
      // A name comes from the page: only its last part counts, so that it leads to no other folder.
      const name = basename(item.getFilename()) || 'countersign';
      item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), name), showsTagField: false });
      item.once('done', (_done, state) => {
        const path = item.getSavePath();
        if (state === 'completed' && path !== '') this.#last = path;
        if (state !== 'cancelled') this.#onDone(basename(path) || name, state === 'completed');
      });
    });
  }

  /** Shows the last saved file in its folder. */
  reveal(): boolean {
    if (this.#last === null || !existsSync(this.#last)) return false;
    shell.showItemInFolder(this.#last);
    return true;
  }
}
