import { z } from 'zod';

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

/** What agents may be sorted by; else they stand in the order of their registration. */
export const AGENT_SORTS = [
  'agent_id',
  'display_name',
  'status',
  'responsible_entity',
  'integration_type',
  'created_at',
] as const;
export type AgentSort = (typeof AGENT_SORTS)[number];

export const agentsSearch = z.object({
  filter: text,
  state: z.enum(['active', 'frozen']).optional().catch(undefined),
  sort: z.enum(AGENT_SORTS).optional().catch(undefined),
  desc: flag,
});

/** An epoch with the record whose path is drawn. */
export const epochSearch = z.object({ seq: seqNo });

/** The list of exports, with the form for a new one open or not. */
export const exportsSearch = z.object({ new: flag });

export const dashboardSearch = z.object({ range: z.enum(['hour', 'day', 'week', 'all']).optional().catch(undefined) });

export const doorSearch = z.object({ new: flag });
