import { defaultRules, factsOf, type Outcome, type PreparedRules, readPayload } from '../../actions/index.ts';
import {
  type BundleRecord,
  type ChosenEntry,
  type ChosenReport,
  clockNote,
  type Json,
  type RecordProof,
} from '../../protocol/index.ts';

/** What is shown of a record in a report: read out of the record for people, and no evidence by itself. */
export interface RecordView {
  readonly seqNo: number;
  /** What the agent did, in one line. */
  readonly summary: string;
  readonly comment: string | null;
  readonly agentId: string;
  readonly person: string | null;
  readonly session: string | null;
  readonly outcome: string;
  readonly error: string | null;
  readonly issuedAt: string;
  readonly receivedAt: string;
  /** That the time of receipt may be wrong, and whose word that is; null where the report does not say so. */
  readonly clockNote: string | null;
  readonly operationId: string;
  readonly operationType: string;
  readonly action: string;
  readonly subject: string;
  /** The payload with texts opened that are JSON; null where it is withheld. */
  readonly payload: Json | null;
  /** The names of its members that are withheld, each as a salted digest. */
  readonly withheldMembers: readonly string[];
  readonly record: BundleRecord;
}

const OUTCOME_WORDS: Readonly<Record<Exclude<Outcome, 'unfinished'>, string>> = {
  ok: 'succeeded',
  failed: 'failed',
  refused: 'refused',
  unknown: 'not known',
};

function viewOf(
  { comment, clock_corrected_at: clockCorrectedAt }: ChosenEntry,
  record: BundleRecord,
  rules: PreparedRules,
): RecordView {
  const { eor, ear, disclosures } = record;
  const read = readPayload(eor.payload ?? null, disclosures);
  const facts = factsOf(eor, read, rules);
  return {
    seqNo: ear.seq_no,
    summary: facts.summary,
    comment: comment ?? null,
    agentId: eor.agent_id,
    person: facts.person,
    session: facts.session,
    outcome: facts.outcome === null ? 'not stated' : OUTCOME_WORDS[facts.outcome],
    error: facts.error,
    issuedAt: eor.issued_at,
    receivedAt: ear.server_received_at,
    clockNote: clockCorrectedAt === undefined ? null : clockNote(clockCorrectedAt),
    operationId: eor.operation_id,
    operationType: eor.operation_type,
    action: eor.action,
    subject: eor.subject,
    payload: read.shown === null ? null : read.tree,
    withheldMembers: read.withheldMembers,
    record,
  };
}

/**
 * The records of a report in the order that its maker chose. An entry without a record, which the judgement of the report
 * tells of, is left out.
 * @param proof of the report, as `proofOf` reads it
 */
export function viewRecords({ entries }: Pick<ChosenReport, 'entries'>, proof: RecordProof): RecordView[] {
  const records = new Map(proof.records.map((record) => [record.ear.seq_no, record]));
  const rules = defaultRules();
  return entries.flatMap((entry) => {
    const record = records.get(entry.seq_no);
    return record === undefined ? [] : [viewOf(entry, record, rules)];
  });
}
