import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { ITEMS_FOLDER, NAMES } from '../case-folder.ts';
import type { StoredFile } from '../stored-file.ts';
import type { ItemFile } from './item-file.ts';
import { listItems } from './items-table.ts';

/** The items of a case besides its file, by their numbers. Read on the thread of a job: a case that is being imported has no index to ask for them. */
export function furtherItemsOf({ path }: StoredFile): ItemFile[] {
  const folder = dirname(path);
  const sqlite = new Database(join(folder, NAMES.annotations), { readonly: true, fileMustExist: true });
  try {
    return listItems(sqlite).map(({ name, bytes, sha256, stored_as }) => {
      return { name, bytes, sha256, path: join(folder, ITEMS_FOLDER, stored_as) };
    });
  } finally {
    sqlite.close();
  }
}
