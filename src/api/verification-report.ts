import { z } from 'zod';
import {
  CHECKS,
  type ChangedMember,
  type CheckName,
  type CorrectedTimes,
  FINDING_CHECK,
  type Finding,
  type FindingCode,
  type SaidTimes,
  TIME_STAMP_CODES,
  type VerificationReport,
  type Witnessed,
} from '../protocol/index.ts';
import { anyJson } from './fields.ts';

export const verdict = z.enum(['verified', 'failed', 'incomplete']);
export const reportBundle = z.strictObject({
  format: z.string().nullable(),
  org_id: z.string().nullable(),
  org_name: z.string().nullable(),
  export_id: z.string().nullable(),
  created_at: z.string().nullable(),
  filter: z.strictObject({ start_time: z.string(), end_time: z.string(), agent_id: z.string().nullable() }).nullable(),
  first_seq_no: z.int().nullable(),
  last_seq_no: z.int().nullable(),
  records: z.int(),
  redacted: z.int(),
  agents: z.int(),
  epochs: z.int(),
  admin_events: z.int(),
  cosigned: z.int().exactOptional(),
  stamped: z.int().exactOptional(),
});
export const reportIssuer = z.strictObject({
  kid: z.string().nullable(),
  pinned: z.boolean(),
  service_keys: z.array(z.strictObject({ kid: z.string(), trusted: z.boolean() })),
  linked: z.array(z.string()),
});
export const checkStatus = z.enum(['pass', 'fail', 'not_checked', 'not_applicable']);

/** What has times that may be those of a wrong clock (protocol V147). */
const counts = z.strictObject({ seq_no: z.int(), epoch_no: z.int(), events: z.int() });
export const correctedTimes: z.ZodType<CorrectedTimes[]> = z
  .array(z.strictObject({ corrected_at: z.string(), after: counts, until: counts }))
  .meta({
    description:
      'which records, epochs and administrative events have times that may be those of a wrong clock: numbers above those in after, up to those in until',
  });

/** The members that differ from what was signed. */
export const changedMembers: z.ZodType<readonly ChangedMember[]> = z.array(
  z.strictObject({
    in: z.enum(['payload', 'record', 'receipt']),
    pointer: z.string(),
    expected: z.string().exactOptional(),
    actual: z.string().exactOptional(),
  }),
);

export const finding: z.ZodType<Finding> = z.strictObject({
  id: z.int(),
  code: z.enum(Object.keys(FINDING_CHECK) as [FindingCode, ...FindingCode[]]),
  severity: z.enum(['error', 'warning']),
  check: z.enum(CHECKS),
  where: z.strictObject({
    file: z.string().exactOptional(),
    line: z.int().exactOptional(),
    seq_no: z.int().exactOptional(),
    operation_id: z.string().exactOptional(),
    agent_id: z.string().exactOptional(),
    kid: z.string().exactOptional(),
    epoch_id: z.string().exactOptional(),
    epoch_no: z.int().exactOptional(),
    event_id: z.string().exactOptional(),
    member: z.string().exactOptional(),
  }),
  expected: z.string().exactOptional(),
  actual: z.string().exactOptional(),
  message: z.string(),
  evidence: z
    .array(anyJson)
    .meta({ description: 'the signed statements that prove it' })
    .exactOptional() as unknown as z.ZodExactOptional<z.ZodType<NonNullable<Finding['evidence']>>>,
  changed: changedMembers
    .meta({ description: 'the members that differ from what was signed, where a file that was given has that' })
    .exactOptional(),
  caused_by: z.int().exactOptional(),
});

export function each<K extends string, S extends z.ZodType>(names: readonly K[], schema: S): z.ZodObject<Record<K, S>> {
  return z.strictObject(Object.fromEntries(names.map((one) => [one, schema])) as Record<K, S>);
}

/** How far witnesses stand behind the records (protocol V183). */
export const witnessed: z.ZodType<Witnessed> = z.strictObject({
  threshold: z.int(),
  organizations: z.int(),
  size: z.int(),
  until: z.string().nullable(),
  checkpoints: z.array(
    z.strictObject({
      file: z.string(),
      size: z.int(),
      root: z.string(),
      reaches: z.int(),
      cosigned_by: z.array(z.strictObject({ organization: z.string(), at: z.string() })),
      not_held: z.array(z.string()),
      until: z.string().nullable(),
    }),
  ),
});

const text = z.string().nullable();
const mistimed = z
  .strictObject({
    count: z.int(),
    first: z.strictObject({ seq_no: z.int().exactOptional(), event_no: z.int().exactOptional(), at: z.string() }),
  })
  .nullable();

/** What others than the service say about the times (protocol V181). */
const saidTimes: z.ZodType<SaidTimes> = z.strictObject({
  stamps: z.array(
    z.strictObject({
      file: z.string(),
      verdict,
      size: z.int().nullable(),
      root: text,
      existed_before: text,
      said_by: text,
      reaches: z.int(),
      late: mistimed,
      tokens: z.array(
        z.strictObject({
          authority: text,
          at: text,
          accuracy: z.int().nullable(),
          existed_before: text,
          made_not_before: text,
          digest: text,
          serial: text,
          policy: text,
          hash: text,
          code: z.enum(TIME_STAMP_CODES).nullable(),
          message: text,
        }),
      ),
    }),
  ),
  not_before: z.array(
    z.strictObject({
      not_before: z.string(),
      said_by: text,
      event_no: z.int(),
      from_seq_no: z.int().nullable(),
      early: mistimed,
    }),
  ),
  not_noted: z.array(z.string()),
});

/** The report of protocol V140, whole. */
export const verificationReport: z.ZodType<VerificationReport> = z.strictObject({
  type: z.literal('countersign.verification-report.v1'),
  verdict,
  summary: z.string(),
  recognised: z.boolean(),
  bundle: reportBundle,
  issuer: reportIssuer,
  checks: each<CheckName, z.ZodType<VerificationReport['checks'][CheckName]>>(
    CHECKS,
    z.strictObject({
      status: checkStatus,
      reason: z.string().nullable(),
      counts: z.record(z.string(), z.number()),
    }),
  ),
  findings: z.array(finding),
  finding_counts: z.record(z.string(), z.int()) as unknown as z.ZodType<VerificationReport['finding_counts']>,
  damage: z.strictObject({
    runs: z.array(
      z.strictObject({
        first_seq_no: z.int(),
        last_seq_no: z.int(),
        state: z.enum(['proven', 'damaged', 'unproven', 'missing']),
      }),
    ),
    joined: z.int(),
  }),
  withheld: z.strictObject({
    runs: z.array(z.strictObject({ first_seq_no: z.int(), last_seq_no: z.int(), salted: z.boolean() })),
    joined: z.int(),
  }),
  corrected_times: correctedTimes.nullable(),
  witnessed: witnessed.exactOptional(),
  times: saidTimes.exactOptional(),
});
