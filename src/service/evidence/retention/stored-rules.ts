import type { AnswerOf, RetentionRule } from '../../../api/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import { canonicalize, formatTime, type Json, retentionRulesDigest } from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { retentionRules, users } from '../../store/schema.ts';
import type { Writer } from '../../store/writer.ts';

export function rulesDigest(rules: readonly RetentionRule[]): string {
  return retentionRulesDigest(rules, nodeCrypto.sha256);
}

/** The rules of an organization, in order; none where nobody gave any: then everything is kept for good. */
export function rulesOf({ statement }: Store, orgId: string): RetentionRule[] {
  const text = statement('SELECT rules FROM retention_rules WHERE org_id = ?').pluck().get(orgId);
  // Written by changeRules alone, after the schema of the interface has parsed them.
  return typeof text === 'string' ? (JSON.parse(text) as RetentionRule[]) : [];
}

export function describeRules(store: Store, orgId: string): AnswerOf<'retentionRules'> {
  const rules = rulesOf(store, orgId);
  const row = store.db
    .select({ changedAt: retentionRules.changedAt, changedBy: retentionRules.changedBy, email: users.email })
    .from(retentionRules)
    .leftJoin(users, eq(users.userId, retentionRules.changedBy))
    .where(eq(retentionRules.orgId, orgId))
    .get();
  return {
    rules,
    digest: rulesDigest(rules),
    changed_at: row === undefined ? null : formatTime(row.changedAt),
    changed_by: row === undefined ? null : (row.email ?? row.changedBy),
  };
}

/** Replaces the rules of an organization, with the event that has them whole. A sweep under way ends: it began by others. */
export async function changeRules(
  { writer, now }: { readonly writer: Writer; readonly now: () => number },
  { orgId, userId: actor }: { readonly orgId: string; readonly userId: string },
  rules: readonly RetentionRule[],
): Promise<AnswerOf<'retentionRules'>> {
  return writer.transact((store) => {
    const changedAt = now();
    const row = { rules: canonicalize(rules), changedAt, changedBy: actor };
    store.db
      .insert(retentionRules)
      .values({ orgId, ...row })
      .onConflictDoUpdate({ target: retentionRules.orgId, set: row })
      .run();
    const details = { rules: rules as unknown as Json, rules_digest: rulesDigest(rules) };
    const target = { targetType: 'retention_rules', targetId: orgId, details };
    recordAdminEvent(store, { orgId, actor, action: 'retention.rules', ...target }, changedAt);
    return describeRules(store, orgId);
  });
}
