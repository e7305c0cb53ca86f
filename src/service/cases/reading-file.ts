import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { InvestigationRules } from '../../actions/index.ts';
import { LIMITS, type RulesAnswer, type SavedSearch } from '../../api/index.ts';
import { type JsonObject, parseTime } from '../../protocol/index.ts';
import { rulesFrom } from '../search/content-index/default-rules.ts';
import { checkedRules, rulesAnswer } from '../search/reading/stored-rules.ts';
import { checkSearch } from '../search/search/saved-searches.ts';
import { needRoom } from '../store/base/quotas.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { NAMES } from './case-folder.ts';
import { appendCustody, type Examiner } from './custody/custody-log.ts';
import type { ReadingFile } from './sealed/reading.ts';

interface StoredRules {
  readonly rules: string | null;
  readonly changed_at: number;
  readonly changed_by: string | null;
}

function stored(annotations: Database.Database): StoredRules | undefined {
  const sql = 'SELECT rules, changed_at, changed_by FROM reading_rules';
  return annotations.prepare(sql).get() as StoredRules | undefined;
}

/** The rules by which the payloads of a case are read. */
export function rulesOfCase(annotations: Database.Database): InvestigationRules {
  return rulesFrom(stored(annotations)?.rules);
}

/** The same for a case that is not open: nothing is begun where there is no file of tags, notes and rules. */
export function rulesInFolder(folder: string): InvestigationRules {
  const path = join(folder, NAMES.annotations);
  if (!existsSync(path)) return rulesFrom(null);
  const annotations = new Database(path, { readonly: true, fileMustExist: true });
  try {
    const sql = "SELECT 1 FROM sqlite_schema WHERE name = 'reading_rules'";
    return annotations.prepare(sql).get() === undefined ? rulesFrom(null) : rulesOfCase(annotations);
  } finally {
    annotations.close();
  }
}

export function caseRules(annotations: Database.Database): RulesAnswer {
  const row = stored(annotations);
  return rulesAnswer(row === undefined ? null : { rules: row.rules, changedAt: row.changed_at, by: row.changed_by });
}

/** @throws ServiceError VALIDATION_ERROR */
export function changeCaseRules(
  annotations: Database.Database,
  given: JsonObject | null,
  examiner: Examiner,
): RulesAnswer {
  const rules = given === null ? null : JSON.stringify(checkedRules(given));
  annotations.transaction(() => {
    const set = annotations.prepare('INSERT OR REPLACE INTO reading_rules VALUES (1, ?, ?, ?)');
    set.run(rules, examiner.at, examiner.by);
    appendCustody(annotations, examiner, 'rules.change', { rules: given });
  })();
  return caseRules(annotations);
}

interface StoredSearch extends Omit<SavedSearch, 'search' | 'created_at'> {
  readonly search: string;
  readonly created_at: number;
}

function searchView({ search, created_at, ...row }: StoredSearch): SavedSearch {
  return { ...row, search: JSON.parse(search) as JsonObject, created_at: new Date(created_at).toISOString() };
}

/** Searches of a case, by name. */
export function caseSearches(annotations: Database.Database): SavedSearch[] {
  return (annotations.prepare('SELECT * FROM saved_searches ORDER BY name').all() as StoredSearch[]).map(searchView);
}

/** Saves a search under a name, in the place of one that has it. @throws ServiceError VALIDATION_ERROR, QUOTA_EXCEEDED */
export function saveCaseSearch(
  annotations: Database.Database,
  { name, search }: { readonly name: string; readonly search: JsonObject },
  examiner: Examiner,
): SavedSearch {
  const row: StoredSearch = {
    search_id: randomUUID(),
    name,
    search: checkSearch(search),
    created_at: examiner.at,
    created_by: examiner.by,
  };
  annotations.transaction(() => {
    annotations.prepare('DELETE FROM saved_searches WHERE name = ?').run(name);
    needRoom({
      what: 'saved searches',
      used: caseSearches(annotations).length,
      most: LIMITS.savedSearches,
      remedy: 'delete those that are no longer needed',
    });
    const sql = 'INSERT INTO saved_searches VALUES (@search_id, @name, @search, @created_at, @created_by)';
    annotations.prepare(sql).run(row);
    appendCustody(annotations, examiner, 'search.save', { name, search });
  })();
  return searchView(row);
}

/** Rules and searches of a case that comes from elsewhere, into tables that have none. @throws ServiceError VALIDATION_ERROR */
export function insertReading(annotations: Database.Database, { rules, searches }: ReadingFile): void {
  if (rules !== null) {
    const text = rules.rules === null ? null : JSON.stringify(checkedRules(rules.rules));
    const set = annotations.prepare('INSERT INTO reading_rules VALUES (1, ?, ?, ?)');
    set.run(text, parseTime(rules.changed_at), rules.changed_by);
  }
  const sql = 'INSERT INTO saved_searches VALUES (@search_id, @name, @search, @created_at, @created_by)';
  for (const { search, created_at, ...row } of searches) {
    annotations.prepare(sql).run({ ...row, search: checkSearch(search), created_at: parseTime(created_at) });
  }
}

/** @throws ServiceError NOT_FOUND */
export function deleteCaseSearch(annotations: Database.Database, searchId: string, examiner: Examiner): void {
  annotations.transaction(() => {
    const name = annotations.prepare('SELECT name FROM saved_searches WHERE search_id = ?').pluck().get(searchId);
    if (typeof name !== 'string') throw new ServiceError('NOT_FOUND', 'there is no such saved search');
    annotations.prepare('DELETE FROM saved_searches WHERE search_id = ?').run(searchId);
    appendCustody(annotations, examiner, 'search.delete', { name });
  })();
}
