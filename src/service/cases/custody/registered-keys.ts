import { and, eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { agentKeys, agents, users } from '../../store/schema.ts';

/** Keys that people of an organization added for their own decisions (decision 66), revoked ones too. */
export type RegisteredKeys = (
  orgId: string,
  publicKey: string,
) => { readonly email: string; readonly status: string }[];

export function registeredKeys({ db }: Store): RegisteredKeys {
  return (orgId, publicKey) =>
    db
      .select({ email: users.email, status: agentKeys.status })
      .from(agentKeys)
      .innerJoin(agents, and(eq(agents.orgId, agentKeys.orgId), eq(agents.agentId, agentKeys.agentId)))
      .innerJoin(users, eq(users.userId, agents.userId))
      .where(and(eq(agentKeys.orgId, orgId), eq(agentKeys.publicKey, publicKey)))
      .all();
}
