/**
 * The words of the payload profile countersign.agent-action/1 that a caller of this library chooses, as docs/agent-actions.md
 * states them. Written by hand, because the schema of src/actions/profile would bring zod along.
 */

export const TOOL_TYPES = ['function', 'mcp', 'shell', 'file', 'browser', 'web', 'agent', 'other'] as const;
export type ToolType = (typeof TOOL_TYPES)[number];

/** A tool as the profile names it. All texts have 1 to 256 characters; longer ones are cut. */
export interface Tool {
  readonly name: string;
  readonly type?: ToolType;
  /** Of an MCP tool, its server. */
  readonly server?: string;
  /** The host program's own id of the call. */
  readonly call_id?: string;
}

/** A resource that an action used. */
export interface Touched {
  readonly kind: 'file' | 'host' | 'account' | 'secret' | 'record' | 'payment' | 'process' | 'other';
  /** 1 to 1,024 characters. */
  readonly id: string;
  readonly access: 'read' | 'write' | 'delete' | 'send';
  /** The machine, folder or system in which `id` is unique. */
  readonly within?: string;
  /** Names of the states before and after; null is absence. */
  readonly before?: string | null;
  readonly after?: string | null;
  /** A decimal number as text and a code of ISO 4217. */
  readonly amount?: { readonly value: string; readonly currency: string };
}

export interface Model {
  readonly name: string;
  readonly provider?: string;
  readonly version?: string;
}

/** Who acts, and for whom. */
export interface Actor {
  readonly on_behalf_of?: string;
  readonly identity_source?: 'auth-session' | 'kernel-uid' | 'asserted';
  readonly model?: Model;
  readonly program?: { readonly name: string; readonly version?: string };
  readonly sub_agent?: { readonly id: string; readonly type?: string };
}

export type ToldKind = 'system' | 'user' | 'memory' | 'tool_output' | 'file' | 'agent' | 'other';

export type FailedStatus = 'error' | 'timeout' | 'cancelled' | 'unknown';
export type RefusedStatus = 'denied' | 'blocked' | 'cancelled';

/** How an action ended. */
export interface Outcome {
  readonly status: 'ok' | FailedStatus | RefusedStatus;
  readonly exit_code?: number;
  readonly error?: { readonly type?: string; readonly message?: string };
}

export interface DecidedBy {
  readonly kind: 'human' | 'policy' | 'agent';
  readonly id: string;
  readonly mode?: 'interactive' | 'delegated' | 'automatic';
}

/** A decision on an action that was asked for. */
export interface Decision {
  readonly outcome: 'approved' | 'modified' | 'overridden' | 'denied' | 'expired';
  readonly by: DecidedBy;
  /** For `modified`: the input that may be carried out. */
  readonly input?: unknown;
  readonly policy?: { readonly id: string; readonly version?: string; readonly digest?: string };
  /** Up to 4,096 characters. */
  readonly justification?: string;
}
