import type Database from 'better-sqlite3';
import type { FoundSummary } from '../../../api/index.ts';

/** What the index of a case has of files that were found. */
export function foundSummary(sqlite: Database.Database): FoundSummary {
  const counts = sqlite
    .prepare(
      `SELECT count(*) AS files, count(*) FILTER (WHERE kind = 'transcript') AS transcripts,
         count(*) FILTER (WHERE kind IS NOT NULL AND kind NOT IN ('transcript', 'beside')) AS logs, coalesce(sum(events), 0) AS events,
         coalesce(sum(signs), 0) AS signs, count(*) FILTER (WHERE signs > 0) AS signed_files, coalesce(sum(unread), 0) AS unread
       FROM found_files`,
    )
    .get() as Pick<FoundSummary, 'files' | 'transcripts' | 'logs' | 'events' | 'signs' | 'unread'> & {
    readonly signed_files: number;
  };
  const { signed_files: altered, ...totals } = counts;
  const number = (sql: string): number => sqlite.prepare(sql).pluck().get() as number;
  const fact = (name: string): number =>
    Number(sqlite.prepare('SELECT value FROM facts WHERE name = ?').pluck().get(name) ?? 0);
  return {
    ...totals,
    items: sqlite.prepare('SELECT DISTINCT item_no FROM found_files ORDER BY item_no').pluck().all() as number[],
    altered_files: altered,
    sessions: number('SELECT count(*) FROM (SELECT DISTINCT agent_id, session FROM found WHERE session IS NOT NULL)'),
    actions: number("SELECT count(*) FROM found WHERE action NOT IN ('session_started', 'told')"),
    corroborated: number('SELECT count(DISTINCT n) FROM corroborations'),
    shared_sessions: fact('found_shared_sessions'),
    same: fact('found_same'),
    differing: number("SELECT count(*) FROM differences WHERE state = 'differs'"),
    only_found: number("SELECT count(*) FROM differences WHERE state = 'only_found'"),
    only_ledger: number("SELECT count(*) FROM differences WHERE state = 'only_ledger'"),
  };
}
