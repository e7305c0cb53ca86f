import { z } from 'zod';
import { fileDigest } from './cases.ts';
import { anyJson, id, isoTime } from './fields.ts';
import { changedMembers, finding } from './verification-report.ts';

export const compareBody = z.strictObject({
  with: z.union([z.strictObject({ case_id: z.uuid() }), z.strictObject({ live: z.literal(true) })]),
});

const seqRun = z.strictObject({ first_seq_no: z.int(), last_seq_no: z.int() });
const side = z.strictObject({
  name: z.string(),
  org_id: z.string().nullable(),
  records: z.int(),
  first_seq_no: z.int().nullable(),
  last_seq_no: z.int().nullable(),
});

const payloadDigest = fileDigest.nullable().meta({
  description: 'computed from the payload, whatever the record claims; null where it is withheld',
});

/** A record that both have under one receipt, with different content. */
export const differingRecord = z.strictObject({
  seq_no: z.int(),
  parts: z
    .array(z.enum(['payload', 'record', 'receipt']))
    .meta({ description: 'the payload, other members of the record, or the signature of the receipt' }),
  this: z.strictObject({ operation_id: z.string(), payload_digest: payloadDigest }),
  other: z.strictObject({ operation_id: z.string(), payload_digest: payloadDigest }),
  changed: z
    .strictObject({ in: z.enum(['this', 'other']), members: changedMembers })
    .nullable()
    .meta({ description: 'what was changed after it was signed, where the other one has what was signed' }),
});
export type DifferingRecord = z.infer<typeof differingRecord>;

/** What came of holding two ledgers of one organization against each other. */
export const comparisonResult = z.strictObject({
  same_organization: z.boolean(),
  this: side,
  other: side,
  relation: z
    .enum(['same', 'this_extends', 'other_extends', 'overlap', 'disjoint', 'contradiction', 'unrelated'])
    .meta({
      description:
        'by the receipts: equal; the one continues where the other ends; each has what the other lacks; nothing in common; ' +
        'two receipts of one seq_no; of two organizations',
    }),
  common: z.int().min(0).meta({ description: 'seq_no that both have' }),
  differing: z.int().min(0).meta({ description: 'of these, how many have two different receipts' }),
  first_differing: z.array(z.int()).meta({ description: 'the first hundred of them' }),
  content_differing: z.int().min(0).meta({
    description: 'seq_no with one and the same receipt in both whose records differ, as computed from their content',
  }),
  first_content_differing: z.array(differingRecord).meta({ description: 'the first hundred of them' }),
  payloads_uncompared: z.int().min(0).meta({ description: 'records of both whose payload only one of the two has' }),
  only_this: z.array(seqRun),
  only_other: z.array(seqRun),
  runs_left_out: z.int().min(0).meta({ description: 'runs beyond the thousand that each list has' }),
  findings: z
    .array(finding)
    .meta({ description: 'of the check "reconciliation": RECORD_OMITTED, EQUIVOCATION, CONTRADICTION' }),
  proof: anyJson.nullable().meta({
    description: 'proof of equivocation for `countersign verify`: two signed statements that exclude each other',
  }),
});
export type ComparisonResult = z.infer<typeof comparisonResult>;

/** A comparison as a job; results are kept until the service stops. */
export const comparison = z.strictObject({
  comparison_id: id,
  case_id: id,
  with: z.union([z.strictObject({ case_id: id }), z.strictObject({ live: z.literal(true) })]),
  status: z.enum(['processing', 'completed', 'failed']),
  created_at: isoTime,
  failure: z.string().nullable(),
  result: comparisonResult.nullable(),
});
export type Comparison = z.infer<typeof comparison>;
