import type Database from 'better-sqlite3';
import { type GivenMarks, looksOf, type RefusedSubmissions } from './given-marks.ts';

/** The tags and bookmarks of an organization's records, read by a connection of the caller's. */
export function ledgerMarks(ledger: Database.Database, orgId: string): GivenMarks {
  const place = 'JOIN operations o ON o.org_id = a.org_id AND o.operation_id = a.operation_id WHERE a.org_id = ?';
  const tagged = ledger.prepare(`SELECT a.tag, o.seq_no AS seqNo FROM tags a ${place} ORDER BY a.tag`);
  const bookmarked = ledger.prepare(`SELECT o.seq_no FROM annotations a ${place} AND a.bookmarked = 1`).pluck();
  const tagsOf = ledger.prepare('SELECT tag FROM tags WHERE org_id = ? AND operation_id = ? ORDER BY place').pluck();
  const isBookmarked = ledger
    .prepare('SELECT bookmarked FROM annotations WHERE org_id = ? AND operation_id = ?')
    .pluck();
  const refused = ledger.prepare(
    `SELECT code, agent_id AS agentId, kid, minute / 1440 AS day, sum(times) AS times, min(first_at) AS firstAt, max(last_at) AS lastAt
     FROM refusals WHERE org_id = ? AND kind = 'submission' GROUP BY code, agent_id, kid, minute / 1440`,
  );
  return {
    tagged: () => {
      const rows = tagged.all(orgId) as { readonly tag: string; readonly seqNo: number }[];
      return new Map([...Map.groupBy(rows, ({ tag }) => tag)].map(([tag, of]) => [tag, of.map(({ seqNo }) => seqNo)]));
    },
    bookmarked: () => bookmarked.all(orgId) as number[],
    of: ({ operationId }) => ({
      tags: tagsOf.all(orgId, operationId) as string[],
      bookmarked: isBookmarked.get(orgId, operationId) === 1,
    }),
    looks: () => looksOf(ledger, orgId),
    refused: () => refused.all(orgId) as RefusedSubmissions[],
  };
}
