import type { z } from 'zod';
import { noQuery } from './fields.ts';
import type { Role } from './roles.ts';

/** One row of the interface: who may call what, with which body and query, and what it answers. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Nobody in particular, any user, the minimum role, or a workstation session as well as any user with a role. */
  readonly access: 'public' | 'authenticated' | 'workstation' | Role;
  /** Where access is `workstation`: the role that a signed-in user needs. */
  readonly memberRole?: Role;
  /**
   * Whether a token that can only submit for one agent may call this. A parameter `:agent_id` of the path must name that
   * agent; records of others the ledger refuses.
   */
  readonly forSubmitTokens?: boolean;
  /** Whether a token that can only register an agent may call this. */
  readonly forEnrolTokens?: boolean;
  /** Whether it is about a session or an account itself: no API token may call it. `fresh` says so as well. */
  readonly needsSession?: boolean;
  /** Whether the person of the session must have proved who they are within the last ten minutes. */
  readonly fresh?: boolean;
  /** Status of success; a handler may answer another one where the interface says so. */
  readonly status: 200 | 201 | 202 | 302;
  /** Another status that comes with the same answer. */
  readonly otherStatus?: 200 | 201 | 503;
  readonly query: z.ZodType;
  readonly body?: z.ZodType;
  /** How the interface describes the body, where `body` lets through what the service reads itself. */
  readonly bodyForm?: z.ZodType;
  /** Whether the handler gets the body as it came, and has it parsed only where it must. */
  readonly raw?: boolean;
  /** Whether it changes nothing, though it is a POST: what it asks for has no room in an address. */
  readonly onlyReads?: boolean;
  /** Whether a standby of a shared log does it too: what it changes belongs to the node, not to the ledger. */
  readonly isOfNode?: boolean;
  /** Whether a standby has the active node do it, and hands its answer on: the administrative log tells who has which file, and that node alone writes it. */
  readonly byActive?: boolean;
  /** Whether the body may be as large as a batch. */
  readonly large?: boolean;
  /** Whether the body is a file of any kind and size, which the handler takes from the wire itself. */
  readonly upload?: boolean;
  /** Whether it begins a session: where nobody has signed in these are counted apart from all others. */
  readonly isWayIn?: boolean;
  /** `text` is plain text, everything else that is not a schema no JSON either. */
  readonly answer: z.ZodType | 'file' | 'redirect' | 'text';
  readonly tag: string;
  readonly summary: string;
}

/** Whether it changes the ledger: then the active node of a shared log alone does it, and a standby refuses it unless it can pass it on. */
export function isRefusedOnStandby({ method, onlyReads, isOfNode, byActive }: Route): boolean {
  return method !== 'GET' && !onlyReads && !isOfNode && !byActive;
}

/** What rows of a method have in common. */
const get = { method: 'GET', query: noQuery, status: 200 } as const;
const post = { method: 'POST', query: noQuery } as const;
const remove = { method: 'DELETE', query: noQuery, status: 200 } as const;
const patch = { method: 'PATCH', query: noQuery, status: 200 } as const;
/** What has no room in an address. */
const ask = { ...post, status: 200, onlyReads: true } as const;

/** Rows with more in common than their method: what they are about, and who may call them. */
export function rowsOf<const Common extends Pick<Route, 'tag' | 'access' | 'memberRole'>>(common: Common) {
  return {
    get: { ...get, ...common },
    post: { ...post, ...common },
    remove: { ...remove, ...common },
    patch: { ...patch, ...common },
    ask: { ...ask, ...common },
  };
}
