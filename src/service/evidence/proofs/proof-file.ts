import { type RecordProof, recordProofBytes } from '../../../protocol/index.ts';
import { fileNameOf } from '../../http/file-names.ts';
import type { ContentAnswer } from '../../http/handler.ts';

export const PROOF_CONTENT_TYPE = 'application/vnd.countersign.record-proof+json';

/** A proof of one record as a file, named by the organization's id and the record's number. */
export function proofFile(proof: RecordProof): ContentAnswer {
  const { org_id, records } = proof;
  return {
    content: recordProofBytes(proof),
    fileName: fileNameOf([org_id, 'record', String(records[0]?.ear.seq_no ?? '')], '.csproof'),
    contentType: PROOF_CONTENT_TYPE,
  };
}
