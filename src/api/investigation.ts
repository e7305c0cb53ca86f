import { z } from 'zod';
import { fieldsHaving } from '../actions/light.ts';
import { actionRow, shown, stepDecision, stepKind, touchedEntity } from './action-row.ts';
import { agentId, cursor, id, isoTime, jsonObject, listOf, name, pageEnd, text, time } from './fields.ts';
import { LIMITS } from './limits.ts';
import { auditRow, exclusions, queryText, zone } from './operations.ts';
import { coverage, MARKS, OUTCOMES, rowDetails, unit } from './row-details.ts';

/** The filters that every question about many records takes. */
export const filters = z.strictObject({
  agentId: agentId.optional(),
  operationType: z.string().max(128).optional(),
  subject: text(1, 512).optional(),
  startTime: time.optional(),
  endTime: time.optional(),
  beforeSeq: z.int().min(1).optional(),
  without: exclusions.optional(),
  query: queryText.optional(),
  zone: zone.optional(),
  unit: unit.default('records'),
});
const limit = z.int().min(1).max(LIMITS.page.max).default(LIMITS.page.default);
const count = z.int().min(0);

/** Fields whose values are counted: those of records, those read from payloads, or the pointer of a payload's member. */
const FACET_FIELDS = fieldsHaving('facet');
const facetField = z.union([
  z.enum(FACET_FIELDS),
  z.string().max(512).regex(/^\//, 'must be a field or a JSON Pointer'),
]);

export const facetsBody = filters.extend({
  fields: z.array(facetField).min(1).max(12),
  values: z
    .int()
    .min(1)
    .max(50)
    .default(10)
    .meta({ description: 'values of each field at most, the most frequent first' }),
});
export const facetsAnswer = z.strictObject({
  total: count,
  coverage,
  facets: z.array(
    z.strictObject({
      field: z.string(),
      values: z.array(z.strictObject({ value: z.string(), count })),
      more: count.meta({ description: 'further values' }),
      none: count.meta({ description: 'records without a value' }),
    }),
  ),
});
export type FacetsAnswer = z.infer<typeof facetsAnswer>;

/** Names and values that a query can be completed with. */
export const namesBody = z.strictObject({
  field: z
    .string()
    .max(512)
    .optional()
    .meta({ description: 'values of this field; names of members where it is left out' }),
  begins: z.string().max(256).default(''),
  values: z.int().min(1).max(50).default(20),
});
export const namesAnswer = z.strictObject({ data: z.array(z.strictObject({ text: z.string(), count })) });
export type NamesAnswer = z.infer<typeof namesAnswer>;

const tally = { records: count, calls: count, failed: count, refused: count, unfinished: count };

/** A session: what agents did for one purpose, from its first record to its last. */
export const sessionRow = z.strictObject({
  session: z.string(),
  parent: z.string().nullable(),
  agents: z.array(z.string()),
  people: z.array(z.string()),
  first_at: isoTime,
  last_at: isoTime,
  first_seq: z.int(),
  last_seq: z.int(),
  actions: count,
  ...tally,
  tools: z.array(z.strictObject({ value: z.string(), count })).meta({ description: 'the most used first, up to 8' }),
  begins_with: z.string().nullable().meta({ description: 'one line of what was asked first, or of the first record' }),
  ended: z
    .boolean()
    .nullable()
    .meta({ description: 'whether its end was recorded; null where its records say nothing of it' }),
});
export type WorkSession = z.infer<typeof sessionRow>;
export const sessionsBody = filters.extend({
  order: z.enum(['newest', 'oldest', 'longest']).default('newest'),
  cursor,
  limit,
});
export type SessionsBody = z.infer<typeof sessionsBody>;
export const sessionsAnswer = listOf(sessionRow).extend({ coverage });
export type SessionsAnswer = z.infer<typeof sessionsAnswer>;

/** A step of a session: a call with its moments joined, or a record that is no call. */
export const step = z.strictObject({
  seq_no: z.int(),
  operation_id: id,
  moments: z.array(z.strictObject({ operation_id: id, seq_no: z.int(), phase: z.string(), at: isoTime })),
  agent_id: id,
  lane: z.strictObject({ kind: z.enum(['person', 'agent', 'sub_agent', 'tool']), id: z.string() }),
  kind: stepKind,
  title: z.string(),
  tool: z.string().nullable(),
  at: isoTime,
  ended_at: isoTime.nullable(),
  duration_ms: z.number().min(0).nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  error: z.string().nullable(),
  input: shown.nullable(),
  output: shown.nullable(),
  told: z.array(z.strictObject({ kind: z.string(), content: shown })),
  entities: z.array(touchedEntity),
  decisions: z.array(stepDecision).meta({ description: 'about it, in the order of seq_no' }),
  marks: z.array(z.enum(MARKS)),
  causes: z.array(id),
  session: z.string().meta({ description: 'its own, where steps of sessions below are asked for too' }),
});
export type Step = z.infer<typeof step>;
export const stepsBody = z.strictObject({
  session: text(1, 512),
  below: z.boolean().default(true).meta({ description: 'steps of the sessions that this one opened too' }),
  cursor,
  limit: z.int().min(1).max(1000).default(200),
});
export type StepsBody = z.infer<typeof stepsBody>;
export const stepsAnswer = z.strictObject({
  session: sessionRow,
  below: z.array(sessionRow),
  data: z.array(step),
  ...pageEnd,
  coverage,
});
export type StepsAnswer = z.infer<typeof stepsAnswer>;

/** Something that records touch: a file, a host, an account, a reservation. */
export const entityRow = z.strictObject({
  kind: z.string(),
  id: z.string(),
  records: count,
  actions: count,
  agents: z.array(z.string()).meta({ description: 'up to 8' }),
  first_at: isoTime,
  last_at: isoTime,
  reads: count,
  writes: count,
  deletes: count,
  sends: count,
});
export type EntityRow = z.infer<typeof entityRow>;
export const entitiesBody = filters.extend({
  kind: z.string().min(1).max(64).optional(),
  contains: z.string().min(1).max(256).optional(),
  cursor,
  limit,
});
export type EntitiesBody = z.infer<typeof entitiesBody>;
export const entitiesAnswer = z.strictObject({
  data: z.array(entityRow),
  kinds: z.array(z.strictObject({ value: z.string(), count })),
  ...pageEnd,
  coverage,
});
export type EntitiesAnswer = z.infer<typeof entitiesAnswer>;
export const touchesBody = z.strictObject({
  kind: z.string().min(1).max(64),
  id: text(1, 1024),
  order: z.enum(['newest', 'oldest']).default('oldest'),
  unit: unit.default('records').meta({ description: 'a row a record, or a row an action' }),
  cursor,
  limit,
});
export type TouchesBody = z.infer<typeof touchesBody>;
export const touchesAnswer = z.strictObject({
  entity: entityRow,
  data: z.array(
    auditRow.extend({
      details: rowDetails,
      access: touchedEntity.shape.access,
      declared: touchedEntity.shape.declared,
      read_from: touchedEntity.shape.read_from.nullable(),
      access_from: touchedEntity.shape.access_from,
      before: z.string().nullable(),
      after: z.string().nullable(),
      amount: z.strictObject({ value: z.string(), currency: z.string().nullable() }).nullable(),
      of_action: actionRow.exactOptional().meta({ description: 'where actions are asked for' }),
    }),
  ),
  ...pageEnd,
  coverage,
});
export type TouchesAnswer = z.infer<typeof touchesAnswer>;

/** What one record was read as. */
export const readingAnswer = z.strictObject({
  operation_id: id,
  details: rowDetails,
  person: z.string().nullable(),
  sub_agent: z.string().nullable(),
  entities: z.array(touchedEntity),
  marks: z.array(
    z.strictObject({
      code: z.enum(MARKS),
      why: z.string(),
      evidence: z.array(id).meta({ description: 'other records that show it' }),
    }),
  ),
  call: z
    .array(z.strictObject({ operation_id: id, seq_no: z.int(), phase: z.string() }))
    .meta({ description: 'all records of its call, in order' }),
});
export type OperationReading = z.infer<typeof readingAnswer>;

/** The rules of an organization or case by which payloads are read (src/actions/facts/rules.ts has their form). */
export const rulesAnswer = z.strictObject({
  rules: jsonObject,
  is_default: z.boolean(),
  changed_at: isoTime.nullable(),
  changed_by: z.string().nullable(),
});
export type RulesAnswer = z.infer<typeof rulesAnswer>;
export const rulesBody = z.strictObject({
  rules: jsonObject.nullable().meta({ description: 'null: those that the product brings along' }),
});

/** A search under a name, of everybody in the organization or case. */
export const savedSearch = z.strictObject({
  search_id: id,
  name: z.string(),
  search: jsonObject.meta({ description: 'filters as POST /v1/audit/query takes them, and how the page shows them' }),
  created_at: isoTime,
  created_by: z.string().nullable(),
});
export type SavedSearch = z.infer<typeof savedSearch>;
export const saveSearchBody = z.strictObject({ name: name(LIMITS.savedSearchName), search: jsonObject });
export const savedSearchesAnswer = z.strictObject({ searches: z.array(savedSearch) });

/** The range that is asked for, by when records were issued; without a start the 24 hours before the end, or before the newest record. */
export const activityQuery = z.strictObject({ startTime: time.optional(), endTime: time.optional() });
export type ActivityQuery = z.infer<typeof activityQuery>;

/** What agents did lately, or in a range, for the dashboard. */
export const activityAnswer = z.strictObject({
  coverage,
  since: isoTime.meta({ description: 'counts are of records issued from then on' }),
  until: isoTime.nullable().meta({ description: 'and before then; null where no end was asked for' }),
  records: count,
  calls: count,
  failed: count,
  refused: count,
  unfinished: count,
  sessions: z.array(sessionRow).meta({ description: 'the newest 8, of a range with records in it' }),
  troubles: z
    .array(auditRow.extend({ details: rowDetails }))
    .meta({ description: 'the newest failed and refused calls, each once, up to 8' }),
  marks: z.array(z.strictObject({ value: z.enum(MARKS), count })),
  agents: z.array(
    z.strictObject({
      agent_id: id,
      records: count,
      usual: z.number().nullable().meta({
        description:
          'median records of a day on which it was active; null before it has seven, and for a range that was asked for',
      }),
      state: z.enum(['usual', 'busy', 'quiet', 'silent']),
      last_at: isoTime.nullable(),
    }),
  ),
  further_agents: count.meta({ description: 'with less than those, of which up to 50 are listed' }),
});
export type Activity = z.infer<typeof activityAnswer>;
