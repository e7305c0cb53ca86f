import { z } from 'zod';
import { COHERENCE_CODES, COHERENCE_STATUSES, type CoherenceReport } from '../actions/profile/light.ts';

const number = z.int().min(0);

const coherenceStatus = z.enum(COHERENCE_STATUSES);

const counts = z.strictObject({
  records: number.meta({ description: 'records of the profile' }),
  calls: number,
  decisions: number,
  sessions: number,
  contradictions: number,
  open: number.meta({ description: 'open questions' }),
  notes: number.meta({ description: 'what neither contradicts nor leaves a question, such as a second try' }),
});

/** What of coherence the view of a case has. */
export const caseCoherence = z.strictObject({ status: coherenceStatus, counts });
export type CaseCoherence = z.infer<typeof caseCoherence>;

/** Whether the records of a bundle fit together, whole: docs/agent-actions.md. */
export const coherenceReport: z.ZodType<CoherenceReport> = z.strictObject({
  type: z.literal('countersign.coherence.v1'),
  status: coherenceStatus,
  counts,
  not_checked: z.strictObject({ withheld: number, not_comparable: number, forgotten: number, unreadable: number }),
  findings: z.array(
    z.strictObject({
      code: z.enum(COHERENCE_CODES),
      severity: z.enum(['contradiction', 'open', 'note']),
      where: z.strictObject({
        seq_no: z.int(),
        operation_id: z.string(),
        other_seq_no: z.int().exactOptional(),
        pointer: z.string().exactOptional(),
      }),
      message: z.string(),
    }),
  ),
  codes: z.record(z.string(), number) as unknown as z.ZodType<CoherenceReport['codes']>,
});

/** The same of the live ledger, as far as it is judged. */
export const ledgerCoherence = z.strictObject({
  judged_to: number.meta({ description: 'seq_no up to which records are judged' }),
  pending: number.meta({ description: 'newer records, which are not judged yet' }),
  report: coherenceReport.nullable().meta({
    description: 'null while records are judged from the first one on, as after an erasure',
  }),
});
export type LedgerCoherence = z.infer<typeof ledgerCoherence>;
