import { z } from 'zod';
import { ROLES } from '../../contract/index.ts';

/* What the address of a screen may hold besides its path. Whatever is not as it should be is left out. */

const text = z.string().min(1).optional().catch(undefined);
const seqNo = z.number().int().min(1).optional().catch(undefined);
const flag = z.literal(true).optional().catch(undefined);

/** Columns of the audit search that may be shown besides seq_no. */
export const COLUMNS = ['received', 'issued', 'agent', 'type', 'action', 'subject', 'operation'] as const;
export type Column = (typeof COLUMNS)[number];

const without = z.array(z.tuple([z.enum(['agent_id', 'operation_type', 'subject', 'action']), z.string()]));

/** The audit search: filters as the interface has them, what the page leaves out itself, and how it is shown. */
export const auditSearch = z.object({
  agentId: text,
  operationType: text,
  subject: text,
  startTime: text,
  endTime: text,
  beforeSeq: seqNo,
  /** Values that rows must not have: member and value. */
  without: without.optional().catch(undefined),
  columns: z.array(z.enum(COLUMNS)).optional().catch(undefined),
  /** The row whose details are shown. */
  selected: text,
});
export type AuditSearch = z.infer<typeof auditSearch>;

/** The chain of an agent: where it is shown from. */
export const chainSearch = z.object({ seq: seqNo, at: text });

export const agentsSearch = z.object({ filter: text, state: z.enum(['active', 'frozen']).optional().catch(undefined) });

/** Connecting an agent: with which of its keys. */
export const connectSearch = z.object({ kid: text });

export const peopleSearch = z.object({ filter: text, role: z.enum(ROLES).optional().catch(undefined) });

/** Accepting an invitation: its code, where a link brings it. */
export const joinSearch = z.object({ code: text });

/** An epoch with the record whose path is drawn. */
export const epochSearch = z.object({ seq: seqNo });

export const dashboardSearch = z.object({ range: z.enum(['hour', 'day', 'week', 'all']).optional().catch(undefined) });

export const doorSearch = z.object({ new: flag });
