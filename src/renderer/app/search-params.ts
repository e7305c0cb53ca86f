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
  /** Of a case: an investigator's tag. */
  tag: text,
  /** Values that rows must not have: member and value. */
  without: without.optional().catch(undefined),
  columns: z.array(z.enum(COLUMNS)).optional().catch(undefined),
  /** The row whose details are shown. */
  selected: text,
});
export type AuditSearch = z.infer<typeof auditSearch>;

/** An operation of a case: which one, where a bad bundle has several under one operation_id. */
export const operationSearch = z.object({ seq: seqNo });
export type OperationSearch = z.infer<typeof operationSearch>;

/** The chain of an agent: where it is shown from. */
export const chainSearch = z.object({ seq: seqNo, at: text });
export type ChainSearch = z.infer<typeof chainSearch>;

export const agentsSearch = z.object({ filter: text, state: z.enum(['active', 'frozen']).optional().catch(undefined) });
export type AgentsSearch = z.infer<typeof agentsSearch>;

/** An epoch with the record whose path is drawn. */
export const epochSearch = z.object({ seq: seqNo });
export type EpochSearch = z.infer<typeof epochSearch>;

export const dashboardSearch = z.object({ range: z.enum(['hour', 'day', 'week', 'all']).optional().catch(undefined) });

/** Columns that the list of cases can be sorted by. */
export const CASE_COLUMNS = ['name', 'verdict', 'organization', 'records', 'size', 'imported'] as const;
export type CaseColumn = (typeof CASE_COLUMNS)[number];
/** The list of cases: what it is filtered and sorted by; with a minus in front downwards. */
export const casesSearch = z.object({
  filter: text,
  sort: z
    .string()
    .regex(new RegExp(`^-?(${CASE_COLUMNS.join('|')})$`))
    .optional()
    .catch(undefined),
});

/** What a case is compared with: the case_id of another, or the live ledger; and the comparison that was made. */
export const compareSearch = z.object({ with: text, id: text });

export const doorSearch = z.object({ new: flag });
