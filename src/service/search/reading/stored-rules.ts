import { investigationRules } from '../../../actions/index.ts';
import type { RulesAnswer } from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { investigationRules as storedRules, users } from '../../store/schema.ts';
import type { Writer } from '../../store/writer.ts';
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
  readonly changedAt: number;
  readonly by: string | null;
}

/** Rules as they are shown. @param stored null where they were never changed */
export function rulesAnswer(stored: StoredRules | null): RulesAnswer {
  const text = stored?.rules ?? null;
  return {
    rules: rulesFrom(text) as JsonObject,
    is_default: text === null,
    changed_at: stored === null ? null : new Date(stored.changedAt).toISOString(),
    changed_by: stored?.by ?? null,
  };
}

export function rulesOf({ db }: Store, orgId: string): RulesAnswer {
  const row = db
    .select({ rules: storedRules.rules, changedAt: storedRules.changedAt, by: users.email })
    .from(storedRules)
    .leftJoin(users, eq(users.userId, storedRules.changedBy))
    .where(eq(storedRules.orgId, orgId))
    .get();
  return rulesAnswer(row ?? null);
}

/**
 * Stores the rules of an organization, with the event that says so.
 * @param given null for those that the product brings along
 * @throws ServiceError VALIDATION_ERROR
 */
export async function changeRules(
  { writer, now }: { readonly writer: Writer; readonly now: () => number },
  orgId: string,
  actor: string,
  given: JsonObject | null,
): Promise<RulesAnswer> {
  const rules = given === null ? null : checkedRules(given);
  return writer.transact((store) => {
    const changedAt = now();
    const row = { rules: rules === null ? null : JSON.stringify(rules), changedAt, changedBy: actor };
    store.db
      .insert(storedRules)
      .values({ orgId, ...row })
      .onConflictDoUpdate({ target: storedRules.orgId, set: row })
      .run();
    const target = { targetType: 'investigation_rules', targetId: orgId, details: { rules } };
    recordAdminEvent(store, { orgId, actor, action: 'investigation.rules', ...target }, changedAt);
    return rulesOf(store, orgId);
  });
}
