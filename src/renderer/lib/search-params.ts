import { z } from 'zod';
import { type FieldsHaving, fieldsHaving, RECORD_FIELDS } from '../../actions/index.ts';
import { EXCLUDABLE, errorCode, LIMITS, RECORDED_PROGRAMS, REFUSAL_KINDS, ROLES } from '../../api/index.ts';
import { sortParam } from './sort-rows.ts';
import { rangeParams } from './workspace-range.ts';

/* What the address of a screen may hold besides its path. Whatever is not as it should be is left out. */

const text = z.string().min(1).optional().catch(undefined);
const seqNo = z.number().int().min(1).optional().catch(undefined);
/** The router reads a number or `true` in an address as such; as a query it is a word. */
const queryText = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .pipe(z.string().min(1).max(LIMITS.query))
  .optional()
  .catch(undefined);
const flag = z.literal(true).optional().catch(undefined);

/** What the list shows besides fields: one line of what was read, and who saw it. */
type Listed = FieldsHaving<'listed'> | 'summary' | 'witness';
const FIRST: readonly Listed[] = ['received', 'issued', 'agent', 'tool', 'outcome', 'summary'];
/** Columns of the audit search that may be shown besides seq_no. */
export const COLUMNS: readonly Listed[] = [...new Set([...FIRST, ...fieldsHaving('listed'), 'witness' as const])];
export type Column = Listed;

/** Filters that ask for one value of a field, by their members in a request. */
export const VALUE_FILTERS = fieldsHaving('filter').map((name) => RECORD_FIELDS[name].filter);
const valueFilters = Object.fromEntries(VALUE_FILTERS.map((member) => [member, text])) as Record<
  (typeof VALUE_FILTERS)[number],
  typeof text
>;

const without = z.array(z.tuple([z.enum(EXCLUDABLE), z.string()])).max(LIMITS.exclusions);

/** The audit search: filters as the interface has them, and how what is found is shown. */
export const auditSearch = z.object({
  /** In the query language (docs/query-language.md). */
  query: queryText,
  ...valueFilters,
  ...rangeParams,
  beforeSeq: seqNo,
  /** Values that rows must not have: member and value. */
  without: without.optional().catch(undefined),
  columns: z.array(z.enum(COLUMNS)).optional().catch(undefined),
  order: z.enum(['oldest']).optional().catch(undefined),
  /** What a row is: an action, or a single signed record. */
  unit: z.enum(['records']).optional().catch(undefined),
  /** What is found is grouped by these, and not listed: up to two fields, members, or steps of time. */
  by: z.array(z.string().min(1).max(512)).max(2).optional().catch(undefined),
  /** What is added up of each group: `sum amount`. */
  measure: text,
  /** The row whose details are shown. */
  selected: text,
  /** Which part of them, where it is not the first. */
  part: z.enum(['told']).optional().catch(undefined),
});
export type AuditSearch = z.infer<typeof auditSearch>;

/** An operation of a case: which one, where a bad bundle has several under one operation_id. */
export const operationSearch = z.object({ seq: seqNo });
export type OperationSearch = z.infer<typeof operationSearch>;

/** The chain of an agent: where it is shown from. */
export const chainSearch = z.object({ seq: seqNo, at: text });
export type ChainSearch = z.infer<typeof chainSearch>;

/** What agents may be sorted by; else they stand in the order of their registration. */
const AGENT_SORTS = ['agent_id', 'display_name', 'status', 'responsible_entity', 'integration_type', 'created_at'];

export const agentsSearch = z.object({
  filter: text,
  state: z.enum(['active', 'frozen']).optional().catch(undefined),
  sort: sortParam(AGENT_SORTS),
});
export type AgentsSearch = z.infer<typeof agentsSearch>;

/** Connecting an agent: with which of its keys. */
export const connectSearch = z.object({ kid: text });

/** Recording a program: which one. */
export const recordSearch = z.object({ program: z.enum(RECORDED_PROGRAMS).optional().catch(undefined) });

export const peopleSearch = z.object({ filter: text, role: z.enum(ROLES).optional().catch(undefined) });

/** Accepting an invitation: its code, where a link brings it. */
export const joinSearch = z.object({ code: text });

/** Setting up: how recording is to begin afterwards; else the dashboard follows. */
export const setUpSearch = z.object({ next: z.enum(['record', 'register']).optional().catch(undefined) });

/** The one-time link into the case room. */
export const enterSearch = z.object({ code: text });

/** An epoch with the record whose path is drawn. */
export const epochSearch = z.object({ seq: seqNo });
export type EpochSearch = z.infer<typeof epochSearch>;

/** The list of exports, with the form for a new one open or not, and which people that one begins with leaving out. */
export const exportsSearch = z.object({ new: flag, people: queryText });

export const dashboardSearch = z.object(rangeParams);

/** The list of cases: what it is filtered and sorted by. */
export const casesSearch = z.object({
  filter: text,
  sort: sortParam(['name', 'verdict', 'organization', 'records', 'size', 'imported']),
});

/** In place of a case_id: the live ledger. */
export const COMPARED_WITH_LIVE = 'live';

/** What a case is compared with: the case_id of another, or the live ledger; and the comparison that was made. */
export const compareSearch = z.object({ with: text, id: text });

/** The webhooks: the one that is shown, and of its deliveries the one. */
export const webhooksSearch = z.object({ webhook: text, delivery: text });

/** The administrative log: filters as the interface has them, and the event whose details are shown. */
export const adminEventsSearch = z.object({
  action: text,
  actor: text,
  targetType: text,
  targetId: text,
  startTime: text,
  endTime: text,
  selected: text,
});
export type AdminEventsSearch = z.infer<typeof adminEventsSearch>;

/** What was refused: filters as the interface has them. */
export const refusedSearch = z.object({
  kind: z.enum(REFUSAL_KINDS).optional().catch(undefined),
  code: errorCode.optional().catch(undefined),
  agentId: text,
  startTime: text,
  endTime: text,
});
export type RefusedSearch = z.infer<typeof refusedSearch>;

/** The sections of the settings, in their order. */
export const SETTINGS_SECTIONS = ['service', 'sign-in', 'mail', 'keys', 'trust', 'backups', 'about'] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];
export const settingsSearch = z.object({ section: z.enum(SETTINGS_SECTIONS).optional().catch(undefined) });
