import { z } from 'zod';
import { areApart, countRuns, parseRuns } from '../protocol/index.ts';
import { agentId, digest, id, isoTime, name, reason, text, time } from './fields.ts';
import { LIMITS } from './limits.ts';

/* Retention: how long payloads are kept, legal holds, and sweeps that erase (docs/retention.md). */

const days = (what: string) =>
  z
    .int()
    .min(0)
    .max(LIMITS.retention.days, `must be at most ${LIMITS.retention.days} days`)
    .meta({ description: what });

/** A rule of retention as it is given. The first rule of the list that matches a record decides. */
const retentionRule = z
  .strictObject({
    name: name(LIMITS.retention.ruleName),
    agent_id: agentId.exactOptional().meta({ description: 'records of this agent' }),
    operation_type: z
      .string()
      .max(128)
      .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(\.\*)?$/, 'must be an operation type, or a prefix followed by .*')
      .exactOptional()
      .meta({ description: 'records of this type; `mail.*` is every type that begins with `mail.`' }),
    profile: text(1, 128).exactOptional().meta({ description: 'records whose payload names this profile' }),
    floor_days: days('no sweep erases a payload before it has been kept for this long').default(
      LIMITS.retention.defaultFloorDays,
    ),
    ceiling_days: days('a sweep erases a payload once it has been kept for this long; null keeps it for good')
      .nullable()
      .default(null),
  })
  .refine(({ floor_days: floor, ceiling_days: ceiling }) => ceiling === null || ceiling >= floor, {
    message: 'must not be below floor_days',
    path: ['ceiling_days'],
  });
export type RetentionRule = z.output<typeof retentionRule>;

export const retentionRulesBody = z.strictObject({
  rules: z
    .array(retentionRule)
    .max(LIMITS.retention.rules)
    .refine((rules) => new Set(rules.map((rule) => rule.name)).size === rules.length, 'must not use a name twice'),
});

export const retentionRulesAnswer = z.strictObject({
  rules: z.array(retentionRule),
  digest: digest.meta({ description: 'of the rules: SHA-256 of their canonical JSON' }),
  changed_at: isoTime.nullable(),
  changed_by: z.string().nullable().meta({ description: 'e-mail address' }),
});

const seqNo = z.int().min(1);

/** Characters of the runs of all records of a hold: two numbers of 16 digits, a hyphen and a comma for each two of them. */
const MOST_OF_RUNS = (LIMITS.retention.heldRecords / 2) * 34;

/** Some records, by their sequence numbers. */
const seqNoRuns = z
  .string()
  .max(MOST_OF_RUNS)
  .regex(
    /^[1-9][0-9]{0,15}(-[1-9][0-9]{0,15})?(,[1-9][0-9]{0,15}(-[1-9][0-9]{0,15})?)*$/,
    'must be sequence numbers and runs of them, such as 1-500,502',
  )
  .refine((text) => {
    try {
      return areApart(parseRuns(text));
    } catch {
      return false;
    }
  }, 'must be in ascending order, with no number twice')
  .refine((text) => {
    try {
      return countRuns(parseRuns(text)) <= LIMITS.retention.heldRecords;
    } catch {
      return true;
    }
  }, `must be at most ${LIMITS.retention.heldRecords} records`)
  .meta({ description: `of at most ${LIMITS.retention.heldRecords} records, such as \`1-500,502\`` });

/** What a legal hold covers. */
export const holdSelection = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('case'), case_id: text(1, 128) }),
  z.strictObject({ kind: z.literal('person'), person: name(LIMITS.retention.person) }),
  z.strictObject({ kind: z.literal('agent'), agent_id: agentId }),
  z.strictObject({ kind: z.literal('session'), session: name(1024) }),
  z.strictObject({ kind: z.literal('records'), runs: seqNoRuns }),
  z
    .strictObject({
      kind: z.literal('range'),
      agent_id: agentId.exactOptional(),
      from_seq_no: seqNo.exactOptional(),
      to_seq_no: seqNo.exactOptional(),
      from_time: time.exactOptional().meta({ description: 'by the time of receipt, inclusive' }),
      to_time: time.exactOptional().meta({ description: 'by the time of receipt, exclusive' }),
    })
    .refine(({ from_seq_no: from, to_seq_no: to }) => from === undefined || to === undefined || from <= to, {
      message: 'must not be below from_seq_no',
      path: ['to_seq_no'],
    })
    .refine(
      ({ from_time: from, to_time: to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to),
      { message: 'must be after from_time', path: ['to_time'] },
    ),
]);
export type HoldSelection = z.output<typeof holdSelection>;
export const HOLD_KINDS = ['records', 'person', 'session', 'agent', 'range', 'case'] as const;

export const placeHoldBody = z.strictObject({ selection: holdSelection, reason });
export const countHeldBody = z.strictObject({
  selection: holdSelection,
  after: z.int().min(0).default(0).meta({ description: '`examined` of the answer before; 0 begins' }),
});
export const countHeldAnswer = z.strictObject({
  records: z.int().min(0).meta({ description: 'that the hold covers, among those of this answer' }),
  examined: z.int().min(0).meta({ description: 'every record up to here was looked at; ask again with it as `after`' }),
  last: z.int().min(0).meta({ description: 'where the ledger ends' }),
});
export type CountHeldAnswer = z.infer<typeof countHeldAnswer>;
export const releaseHoldBody = z.strictObject({ reason });

export const legalHold = z.strictObject({
  hold_id: id,
  selection: holdSelection,
  selection_digest: digest.meta({ description: 'of the selection with `salt`, as the administrative log has it' }),
  salt: z.string(),
  records: z.int().min(0).nullable().meta({
    description: 'of records, and of those of a case in this ledger: how many, fixed when the hold was placed',
  }),
  reason: z.string(),
  placed_by: z.string().meta({ description: 'e-mail address, or the id of an account that is gone' }),
  placed_at: isoTime,
  released_by: z.string().nullable(),
  released_at: isoTime.nullable(),
  release_reason: z.string().nullable(),
});
export type LegalHold = z.infer<typeof legalHold>;
export const holdAnswer = z.strictObject({ hold: legalHold });
export const holdsAnswer = z.strictObject({ holds: z.array(legalHold) });

export const sweepBody = z.strictObject({
  dry_run: z.boolean().default(false).meta({ description: 'only count: nothing is erased' }),
});

export const SWEEP_STATES = ['running', 'completed', 'stopped', 'failed'] as const;

const sweepRule = z.strictObject({
  name: z.string(),
  before: isoTime.nullable().meta({ description: 'payloads received before this are due; null: kept for good' }),
  erased: z.int().min(0).meta({ description: 'in a dry run: would be erased' }),
});

const sweepHold = z.strictObject({
  hold_id: id,
  kind: z.enum(HOLD_KINDS),
  held: z.int().min(0).meta({ description: 'due records that this hold kept' }),
});

const sweepArchive = z.strictObject({
  due: z.int().min(0).meta({ description: 'payloads that would leave the archive' }),
  held: z.int().min(0).meta({ description: 'due payloads there that one or more holds keep' }),
  runs_left: z.int().min(0).meta({ description: 'runs that were not counted, because they cannot be searched yet' }),
});

export type SweepArchive = z.infer<typeof sweepArchive>;

export const sweep = z.strictObject({
  sweep_id: id,
  dry_run: z.boolean(),
  status: z.enum(SWEEP_STATES),
  stopped_because: z.enum(['asked', 'rules_changed']).nullable(),
  begun_by: z.string(),
  begun_at: isoTime,
  ended_at: isoTime.nullable(),
  examined: z.int().min(0).meta({ description: 'up to this seq_no' }),
  to_examine: z.int().min(0).meta({ description: 'the last seq_no that may be due' }),
  erased: z.int().min(0).meta({ description: 'in a dry run: would be erased' }),
  held: z.int().min(0).meta({ description: 'due records that one or more holds kept' }),
  rules: z.array(sweepRule),
  holds: z.array(sweepHold),
  archive: sweepArchive.exactOptional().meta({
    description: 'in a dry run of an organization whose rules decide about an archive: what is due there',
  }),
  certificate_digest: digest.nullable(),
  failure: z.string().nullable(),
});
export type Sweep = z.infer<typeof sweep>;
export const sweepAnswer = z.strictObject({ sweep });
export const sweepsAnswer = z.strictObject({ sweeps: z.array(sweep) });

/** What a sweep did, signed by the service (protocol R70). */
export const retentionCertificate = z.strictObject({
  type: z.literal('countersign.retention-certificate.v1'),
  org_id: id,
  sweep_id: id,
  actor: id,
  begun_at: isoTime,
  ended_at: isoTime,
  stopped_because: z.enum(['asked', 'rules_changed']).nullable(),
  rules_digest: digest,
  rules: z.array(z.strictObject({ rule: retentionRule, before: isoTime.nullable(), erased: z.int().min(0) })),
  holds: z.array(
    z.strictObject({
      hold_id: id,
      kind: z.enum(HOLD_KINDS),
      selection_digest: digest,
      placed_at: isoTime,
      released_at: isoTime.nullable(),
    }),
  ),
  agents: z.array(
    z.strictObject({
      agent_id: id,
      records: z.int().min(1),
      runs: z.string().meta({ description: 'such as `1-500,502`: every record of this agent in a run was erased' }),
    }),
  ),
  records: z.int().min(0),
  operations_digest: digest.meta({
    description: 'SHA-256 of the operation ids erased, each followed by a line feed, in the order of seq_no',
  }),
  service_kid: id,
  service_public_key: z.string().meta({ description: 'the key: `service_kid` is its thumbprint' }),
  service_signature: z.string(),
});

/** How long one record is kept. */
export const recordRetention = z.strictObject({
  operation_id: id,
  seq_no: seqNo,
  state: z.enum(['kept', 'due', 'held', 'erased']).meta({
    description: '`due`: the next sweep erases it; `held`: a hold keeps it; `erased`: nothing of the payload is left',
  }),
  rule: z.string().nullable().meta({ description: 'name of the rule that decides; null where none matches' }),
  not_before: isoTime.nullable().meta({ description: 'no sweep erases it before this' }),
  due_at: isoTime.nullable().meta({ description: 'sweeps erase it from then on; null: kept for good' }),
  holds: z.array(z.strictObject({ hold_id: id, kind: z.enum(HOLD_KINDS), placed_at: isoTime })),
});
export type RecordRetention = z.infer<typeof recordRetention>;
