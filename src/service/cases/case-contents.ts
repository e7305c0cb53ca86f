import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Catalog, contentPaths, removeContent } from '../search/content-index/catalog.ts';
import { ShelfWriter } from '../search/content-index/shelf-writer.ts';
import { CaseRecords } from './case-records.ts';
import { rulesInFolder } from './reading-file.ts';

/**
 * Takes records of a case into its content index, until all are in it or there is no time left.
 * @param goesOn asked before each step
 */
export function indexContents(records: CaseRecords, folder: string, goesOn: () => boolean): void {
  const catalog = Catalog.open(folder);
  try {
    const writer = new ShelfWriter(catalog, folder, records);
    let more = true;
    while (more && goesOn()) ({ more } = writer.step());
    // A file never changes: only what is not judged to its end is continued.
    if (more) writer.save();
  } finally {
    catalog.close();
  }
}

/**
 * Makes the content index of a case that is imported. A crash leaves a part of it, which the first query completes.
 * @param rulesFolder where the reading rules of the case are
 */
export function indexImported(indexPath: string, rulesFolder: string, goesOn: () => boolean): Promise<void> {
  const folder = dirname(indexPath);
  removeContent(folder);
  return withRecords(indexPath, rulesFolder, (records) => indexContents(records, folder, goesOn));
}

/** Reads the records of a case by its index alone. */
export async function withRecords<T>(
  indexPath: string,
  rulesFolder: string,
  use: (records: CaseRecords) => T | Promise<T>,
): Promise<T> {
  const index = new Database(indexPath, { readonly: true, fileMustExist: true });
  try {
    // Nobody writes it meanwhile: to lock and look at the file once more for each record takes as long as to read it.
    index.exec('BEGIN');
    const rules = rulesInFolder(rulesFolder);
    return await use(new CaseRecords(index, () => rules));
  } finally {
    index.close();
  }
}

/** A connection to the catalog of a case's content index, for reading. */
export function openCatalogOf(folder: string): Database.Database {
  return new Database(contentPaths(folder).catalog, { readonly: true, fileMustExist: true });
}
