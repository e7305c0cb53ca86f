import { and, eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { agentKeys, agents, users } from '../../store/schema.ts';

/** Keys that people of an organization added for their own decisions (decision 66), revoked ones too. */
export type RegisteredKeys = (orgId: string, publicKey: string) => KeyHolder[];

interface KeyHolder {
  readonly email: string;
  readonly name: string;
  readonly status: string;
}

/** What is known here of a key that signed for a person, of those who registered it. */
export function keyState(
  holders: readonly KeyHolder[],
  isSigner: (holder: KeyHolder) => boolean,
): 'active' | 'revoked' | 'other' | 'unknown' {
  const statuses = holders.filter(isSigner).map(({ status }) => status);
  if (statuses.includes('active')) return 'active';
  if (statuses.length > 0) return 'revoked';
  return holders.length > 0 ? 'other' : 'unknown';
}

export function registeredKeys({ db }: Store): RegisteredKeys {
  return (orgId, publicKey) =>
    db
      .select({ email: users.email, name: users.name, status: agentKeys.status })
      .from(agentKeys)
      .innerJoin(agents, and(eq(agents.orgId, agentKeys.orgId), eq(agents.agentId, agentKeys.agentId)))
      .innerJoin(users, eq(users.userId, agents.userId))
      .where(and(eq(agentKeys.orgId, orgId), eq(agentKeys.publicKey, publicKey)))
      .all();
}
