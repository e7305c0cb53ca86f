import type { Role } from '../../api/index.ts';

/** Whoever makes a request: a user with the present role, by a session or by a token. */
export interface Caller {
  readonly userId: string;
  readonly orgId: string | null;
  readonly role: Role | null;
  /** Whether their organization separates duties (src/api/rights.ts). */
  readonly separated: boolean;
  readonly by: 'session' | 'token';
  /** The agent that a token may submit for and do nothing else; null for whoever may do all that the role may. */
  readonly submitsFor: string | null;
  /** Whether a token may register one agent and do nothing else. */
  readonly enrolsOnly: boolean;
  /** When the person of a session last proved who they are, milliseconds; null for a token. */
  readonly provedAt: number | null;
}

/** A caller and the token that says so. */
export interface Authenticated {
  readonly caller: Caller;
  readonly token: string;
}
