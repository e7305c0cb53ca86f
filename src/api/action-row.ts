import { z } from 'zod';
import { anyJson, id, isoTime } from './fields.ts';
import { MARKS, OUTCOMES } from './row-details.ts';

const count = z.int().min(0);

/** A text as far as a list shows it, or the value where it is JSON. */
export const shown = z.strictObject({
  value: anyJson,
  cut: z.boolean().meta({ description: 'only a part: the whole is in the record' }),
  digest: z.string().nullable(),
  media_type: z.string().nullable(),
  bytes: count.nullable(),
});

/** Whose ledger has a record; both null outside of an archive. */
const ofArchive = {
  organization: z.string().nullable().meta({ description: 'in an archive: of the ledger that has it; else null' }),
  issuer: z.string().nullable().meta({ description: 'in an archive: first service key of the host; else null' }),
};

/** Something that a record touches, and what it does with it. */
export const touchedEntity = z.strictObject({
  kind: z.string(),
  id: z.string(),
  access: z.enum(['read', 'write', 'delete', 'send', 'mentioned']),
  declared: z.boolean().meta({ description: 'the agent declared it, in `touched` of the profile; else it is a guess' }),
  read_from: z.string().meta({ description: 'a JSON Pointer into the payload, or `subject`' }),
  access_from: z.string().nullable().meta({
    description:
      'what tells the access: `declared`, the name of the `tool`, the `action`, a `rule`, the `command`, or the pointer of a word; null where it is only mentioned',
  }),
});
export type ShownEntity = z.infer<typeof touchedEntity>;

/** Who decided on a call, as a record of it says: what was signed, and by which agent. */
export const stepDecision = z.strictObject({
  operation_id: id,
  seq_no: z.int(),
  agent_id: id.meta({ description: 'the agent that signed the record' }),
  at: isoTime.meta({ description: 'issued_at of the record' }),
  outcome: z.string().meta({ description: '`approved`, `modified`, `overridden`, `denied` or `expired`' }),
  by: z.string().nullable(),
  by_kind: z.string().nullable().meta({ description: '`human`, `policy` or `agent`' }),
  mode: z.string().nullable().meta({ description: '`interactive`, `delegated` or `automatic`' }),
  reported: z.boolean().meta({ description: 'who decided is what the agent reports: they signed nothing themselves' }),
  policy: z.string().nullable(),
  reason: z.string().nullable(),
});
export type StepDecision = z.infer<typeof stepDecision>;

/** What a record is to its call, and to a session. */
export const stepKind = z.enum(['start', 'end', 'told', 'asked', 'decided', 'call', 'note', 'gap', 'record']);

/** An action: a call with all its records, or a single record that is of no call. Derived from its records, no evidence. */
export const actionRow = z.strictObject({
  seq_no: z.int().meta({ description: 'of its first record, by which actions are listed' }),
  operation_id: id.meta({ description: 'of its first record' }),
  last_seq_no: z.int(),
  last_operation_id: id,
  call: z.string().nullable().meta({ description: 'what joins its records; null of a single record' }),
  records: z
    .array(
      z.strictObject({
        operation_id: id,
        seq_no: z.int(),
        agent_id: id,
        phase: z.string(),
        issued_at: isoTime,
        server_received_at: isoTime,
      }),
    )
    .meta({ description: 'in the order of seq_no, up to 64' }),
  record_count: z.int().min(1),
  kind: stepKind,
  agent_id: id.meta({ description: 'the agent that acts' }),
  operation_type: z.string(),
  subject: z.string(),
  action: z.string(),
  tool: z.string().nullable(),
  title: z.string().meta({ description: 'one line of up to 200 characters: tool(input) → output' }),
  outcome: z.enum(OUTCOMES).nullable(),
  exit_code: z.int().nullable(),
  error: z.string().nullable(),
  duration_ms: z.number().min(0).nullable(),
  started_at: isoTime.meta({ description: 'issued_at of the record that it begins with' }),
  started_received_at: isoTime,
  ended_at: isoTime
    .nullable()
    .meta({ description: 'issued_at of its end; null of a single record and of one without an end' }),
  ended_received_at: isoTime.nullable(),
  session: z.string().nullable(),
  person: z.string().nullable(),
  hosts: z.array(z.string()),
  ...ofArchive,
  entities: z.array(touchedEntity),
  decisions: z.array(stepDecision).meta({ description: 'about it, in the order of seq_no' }),
  marks: z.array(z.enum(MARKS)).meta({ description: 'of all its records' }),
  witnesses: z
    .array(z.strictObject({ source: z.string(), name: z.string().nullable() }))
    .meta({ description: 'who saw it, as its records say' }),
  tags: z.array(z.string()).meta({ description: 'that people gave any of its records' }),
  bookmarked: z.boolean().meta({ description: 'whether any of its records is' }),
  withheld: z.boolean().meta({ description: 'the payload of none of its records is there' }),
  contents: z
    .strictObject({
      input: shown.nullable(),
      output: shown.nullable(),
      told: z.array(z.strictObject({ kind: z.string(), content: shown })),
    })
    .exactOptional()
    .meta({ description: 'where the request asks for contents' }),
});
export type ActionRow = z.infer<typeof actionRow>;
