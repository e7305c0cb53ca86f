import type Database from 'better-sqlite3';
import { type InvestigationRules, investigationRules } from '../../../actions/index.ts';
import type { RulesAnswer } from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { addressOf, OF_CASE, type Writing } from '../annotations/annotations.ts';
import { rulesFrom } from '../content-index/default-rules.ts';

/** A document of rules takes no more than this, in characters. */
const MAX_RULES = 65_536;

/** Rules as somebody gives them: what they leave out stays that of the defaults, also where these change. @throws ServiceError VALIDATION_ERROR */
export function checkedRules(given: JsonObject): JsonObject {
  if (JSON.stringify(given).length > MAX_RULES) {
    throw new ServiceError('VALIDATION_ERROR', `rules: must be at most ${MAX_RULES} characters of JSON`);
  }
  const parsed = investigationRules.safeParse(given);
  if (parsed.success) return given;
  const [issue] = parsed.error.issues;
  throw new ServiceError(
    'VALIDATION_ERROR',
    `${['rules', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is not sound'}`,
  );
}

interface StoredRules {
  /** Null for those of the product. */
  readonly rules: string | null;
  readonly changed_at: number;
  readonly changed_by: string | null;
}

/** Where rules are kept: a row for each organization, and the only one in the file of a case. */
function placeOf(orgId: string): { readonly table: string; readonly key: string; readonly of: string | number } {
  return orgId === OF_CASE
    ? { table: 'reading_rules', key: 'only', of: 1 }
    : { table: 'investigation_rules', key: 'org_id', of: orgId };
}

function stored(sqlite: Database.Database, orgId: string): StoredRules | undefined {
  const { table, key, of } = placeOf(orgId);
  const sql = `SELECT rules, changed_at, ${addressOf('changed_by', orgId)} AS changed_by FROM ${table} WHERE ${key} = ?`;
  return sqlite.prepare(sql).get(of) as StoredRules | undefined;
}

/** The rules by which payloads are read. */
export function rulesOf(sqlite: Database.Database, orgId = OF_CASE): InvestigationRules {
  return rulesFrom(stored(sqlite, orgId)?.rules);
}

/** Rules as they are shown. */
export function describeRules(sqlite: Database.Database, orgId = OF_CASE): RulesAnswer {
  const row = stored(sqlite, orgId);
  return {
    rules: rulesFrom(row?.rules) as JsonObject,
    is_default: row === undefined || row.rules === null,
    changed_at: row === undefined ? null : new Date(row.changed_at).toISOString(),
    changed_by: row?.changed_by ?? null,
  };
}

/** Who changes rules, and what is called in the transaction that does it. `by` is what the table has of people. */
export type RulesWriting = Pick<Writing, 'by' | 'at' | 'orgId'> & {
  readonly append: (rules: JsonObject | null) => void;
};

/** @param given null for those that the product brings along @throws ServiceError VALIDATION_ERROR */
export function changeRules(
  sqlite: Database.Database,
  given: JsonObject | null,
  { by, at, orgId, append }: RulesWriting,
): RulesAnswer {
  const rules = given === null ? null : JSON.stringify(checkedRules(given));
  sqlite.transaction(() => {
    insertRules(sqlite, { rules, changed_at: at, changed_by: by }, orgId);
    append(given);
  })();
  return describeRules(sqlite, orgId);
}

/** Rules in the place of those that there are. */
export function insertRules(
  sqlite: Database.Database,
  { rules, changed_at, changed_by }: StoredRules,
  orgId = OF_CASE,
): void {
  const { table, key, of } = placeOf(orgId);
  const sql = `INSERT OR REPLACE INTO ${table} (${key}, rules, changed_at, changed_by) VALUES (?, ?, ?, ?)`;
  sqlite.prepare(sql).run(of, rules, changed_at, changed_by);
}
