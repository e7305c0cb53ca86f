import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { InvestigationRules } from '../../actions/index.ts';
import { parseTime } from '../../protocol/index.ts';
import { checkSearch, insertSearch } from '../search/annotations/saved-searches.ts';
import { rulesFrom } from '../search/content-index/default-rules.ts';
import { checkedRules, insertRules, rulesOf } from '../search/reading/stored-rules.ts';
import { NAMES } from './case-folder.ts';
import type { ReadingFile } from './sealed/reading.ts';

/** The rules by which the payloads of a case are read that is not open: nothing is begun where there is no file of tags, notes and rules. */
export function rulesInFolder(folder: string): InvestigationRules {
  const path = join(folder, NAMES.annotations);
  if (!existsSync(path)) return rulesFrom(null);
  const annotations = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const sql = "SELECT 1 FROM sqlite_schema WHERE name = 'reading_rules'";
    return annotations.prepare(sql).get() === undefined ? rulesFrom(null) : rulesOf(annotations);
  } finally {
    annotations.close();
  }
}

/** Rules and searches of a case that comes from elsewhere, into tables that have none. @throws ServiceError VALIDATION_ERROR */
export function insertReading(annotations: Database.Database, { rules, searches }: ReadingFile): void {
  if (rules !== null) {
    const { changed_at, changed_by } = rules;
    const text = rules.rules === null ? null : JSON.stringify(checkedRules(rules.rules));
    insertRules(annotations, { rules: text, changed_at: parseTime(changed_at), changed_by });
  }
  for (const { search, created_at, ...row } of searches) {
    insertSearch(annotations, { ...row, search: checkSearch(search), created_at: parseTime(created_at) });
  }
}
