import { z } from 'zod';
import { actionRow, shown } from './action-row.ts';
import { cursor, id, isoTime, listOf, text } from './fields.ts';
import { filters, sessionRow, step } from './investigation.ts';
import { LIMITS } from './limits.ts';
import { zone } from './operations.ts';
import { coverage, unit } from './row-details.ts';

const count = z.int().min(0);
const limit = z.int().min(1).max(LIMITS.page.max).default(LIMITS.page.default);
const order = z.enum(['newest', 'oldest']);

export const actionsBody = filters.omit({ unit: true }).extend({
  order: order.default('newest').meta({ description: 'by the first record of each action' }),
  contents: z.boolean().default(false).meta({ description: 'whether rows have input, output and what was told' }),
  cursor,
  limit,
});
export type ActionsBody = z.infer<typeof actionsBody>;
export const actionsAnswer = listOf(actionRow).extend({
  total: count.nullable().meta({ description: 'actions in all; null where records would have to be read to know' }),
  coverage,
});
export type ActionsAnswer = z.infer<typeof actionsAnswer>;

/** What an action had been told by then. */
export const contextBody = z.strictObject({
  operation_id: id.meta({ description: 'of a record of the action' }),
  order: order.default('oldest'),
  cursor,
  limit,
});
export type ContextBody = z.infer<typeof contextBody>;
export const contextItem = z.strictObject({
  seq_no: z.int(),
  operation_id: id,
  agent_id: id,
  session: z.string().nullable(),
  issued_at: isoTime,
  server_received_at: isoTime,
  kind: z
    .enum(['told', 'output', 'error', 'decision'])
    .meta({ description: 'something that was told; how an earlier call ended; a decision' }),
  tool: z.string().nullable(),
  title: z.string(),
  contents: z
    .array(z.strictObject({ kind: z.string(), content: shown }))
    .meta({ description: 'of what was told with its kind, such as `user`; `output` of a call' }),
});
export type ContextItem = z.infer<typeof contextItem>;
export const contextAnswer = listOf(contextItem).extend({
  action: actionRow,
  of: z.enum(['session', 'agent']).meta({
    description: 'whose context it is: the session and those that led to it, or, without a session, the agent',
  }),
  sessions: z.array(z.string()).meta({ description: 'its own, then the one that opened it, and so on' }),
  total: count,
  coverage,
});
export type ContextAnswer = z.infer<typeof contextAnswer>;

/** Two sessions step by step. */
export const compareSessionsBody = z.strictObject({
  left: text(1, 512),
  right: text(1, 512),
  differing: z.boolean().default(false).meta({ description: 'only lines that differ' }),
  cursor,
  limit,
});
export type CompareSessionsBody = z.infer<typeof compareSessionsBody>;
export const comparedLine = z.strictObject({
  left: step.nullable(),
  right: step.nullable(),
  differences: z
    .array(
      z.strictObject({
        part: z.enum(['input', 'output', 'outcome']),
        pointer: z.string().meta({ description: 'JSON Pointer within the input or output' }),
        kind: z.enum(['added', 'removed', 'changed']),
      }),
    )
    .meta({ description: 'up to 64; none where the two say the same, or where one is missing' }),
  not_shown: z
    .array(z.enum(['input', 'output', 'outcome']))
    .meta({ description: 'what could not be compared, since it is withheld or erased on one side' }),
});
export type ComparedLine = z.infer<typeof comparedLine>;
export const compareSessionsAnswer = listOf(comparedLine).extend({
  left: sessionRow,
  right: sessionRow,
  same: count,
  changed: count,
  not_shown: count.meta({ description: 'lines without a difference in what is shown, of which a part is not shown' }),
  only_left: count,
  only_right: count,
  cut: z.boolean().meta({ description: 'one has more than 2,000 steps: those beyond are not compared' }),
  coverage,
});
export type CompareSessionsAnswer = z.infer<typeof compareSessionsAnswer>;

const member = text(1, 512);
const measure = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('count') }),
  z.strictObject({
    op: z.enum(['sum', 'min', 'max', 'median']),
    of: member.meta({
      description: '`duration`, or a member of payloads as a query names it: `amount`, `/input/value/amount`',
    }),
  }),
]);

/** What a report of records is to say that they come to. */
export const reportSumsBody = z.strictObject({
  unit: unit.default('actions'),
  by: z.array(member).max(2).default([]).meta({ description: 'as in POST /v1/audit/groups' }),
  measure: measure.default({ op: 'count' }),
  zone: zone.default('UTC'),
});
export type ReportSumsBody = z.infer<typeof reportSumsBody>;

export const groupsBody = filters.extend({
  by: z
    .array(member)
    .max(2)
    .default([])
    .meta({ description: '`hour`, `day`, `week` or `month`; a field; a member of payloads as a query names it' }),
  measures: z
    .array(measure)
    .min(1)
    .max(6)
    .default([{ op: 'count' }]),
  order: z
    .enum(['value', 'key'])
    .default('value')
    .meta({ description: 'by the first measure, the greatest first, or by what is grouped by, the least first' }),
  limit: z.int().min(1).max(1000).default(100),
});
export type GroupsBody = z.infer<typeof groupsBody>;
const amount = z.strictObject({
  value: z.string().meta({ description: 'a decimal number, exact' }),
  currency: z.string().nullable().meta({ description: 'as the member `currency` beside the number says' }),
});
const measured = z.strictObject({
  amounts: z.array(amount).meta({
    description: 'one, or one for each currency: amounts of different currencies are never added; none without a value',
  }),
  without: count.meta({ description: 'records or actions of the group without a number' }),
  more: count.meta({ description: 'numbers in further currencies than 64, which are in none of the amounts' }),
});
export const groupsAnswer = z.strictObject({
  data: z.array(z.strictObject({ keys: z.array(z.string().nullable()), count, measures: z.array(measured) })),
  total: count.meta({ description: 'records or actions that the search finds' }),
  groups: count.meta({ description: 'groups in all' }),
  all: z.array(measured).meta({ description: 'the measures over all of them' }),
  coverage,
});
export type GroupsAnswer = z.infer<typeof groupsAnswer>;
