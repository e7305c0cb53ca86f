import { ServiceError } from '../../../store/base/service-error.ts';
import type { Store } from '../../../store/open.ts';
import type { Refusals, Refused } from './refusals.ts';

interface RefusalNotes {
  readonly store: Store;
  /** Notes what is refused. */
  readonly refusals: Refusals;
}

const ACCOUNT = `SELECT u.user_id AS userId, m.org_id AS orgId FROM users u JOIN members m ON m.user_id = u.user_id
  WHERE u.email = ?`;

type Account = Pick<Refused, 'userId' | 'orgId'>;

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
      const account = store.statement(ACCOUNT).get(email) as Account | undefined;
      const { code } = error;
      const nothing = { agentId: '', kid: '', operationId: null } as const;
      if (account !== undefined) refusals.note({ ...account, kind: 'sign_in', code, address, ...nothing });
    }
    throw error;
  }
}
