import { ServiceError } from '../../base/errors.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { members, users } from '../../store/schema.ts';
import type { Refusals } from './refusals.ts';

interface RefusalNotes {
  readonly store: Store;
  /** Notes what is refused. */
  readonly refusals: Refusals;
}

/**
 * Does a sign-in, and notes where it is refused, for the organization of the account that was tried. Of an address without
 * an account nothing is kept: what somebody types in the wrong field may be a password.
 */
export async function noted<T>(
  { store, refusals }: RefusalNotes,
  { email, address }: { readonly email: string; readonly address: string },
  signIn: () => Promise<T>,
): Promise<T> {
  try {
    return await signIn();
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500) {
      const account = store.db
        .select({ userId: users.userId, orgId: members.orgId })
        .from(users)
        .innerJoin(members, eq(members.userId, users.userId))
        .where(eq(users.email, email))
        .get();
      const { code } = error;
      const nothing = { agentId: '', kid: '', operationId: null } as const;
      if (account !== undefined) refusals.note({ ...account, kind: 'sign_in', code, address, ...nothing });
    }
    throw error;
  }
}
