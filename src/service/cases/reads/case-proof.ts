import { assembleRecordProof, type RecordProof, RecordProofError } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { caseLogNodes } from '../case-log.ts';
import { epochOf, inclusionOf } from './case-epochs.ts';
import { readRecord } from './case-record-text.ts';
import { caseBundleAgent, caseOrg, caseServiceKeys } from './directory.ts';
import type { OpenCase } from './open-case.ts';

/** @throws ServiceError CONFLICT */
function notProvable(how: string): never {
  throw new ServiceError('CONFLICT', `there is no proof of this record: ${how}`);
}

/**
 * The proof of a record of a case (protocol R3), from what its bundle shows: what is withheld there stays so.
 * @throws ServiceError NOT_FOUND; CONFLICT where the bundle does not lead from the record to an epoch
 */
export function proveCaseOperation(open: OpenCase, operationId: string, seqNo: number | undefined): RecordProof {
  const { record } = readRecord(open, operationId, seqNo);
  const { eor, ear } = record;
  const org = caseOrg(open) ?? notProvable('the organization of the bundle cannot be read');
  const epoch = epochOf(open, ear.seq_no) ?? notProvable('the bundle holds no epoch that seals it');
  if (inclusionOf(open, epoch, ear) === null) notProvable('it does not lead to the root of the log in its epoch');
  const directory = {
    orgId: org.org_id,
    agents: [caseBundleAgent(open, eor.agent_id)],
    serviceKeys: caseServiceKeys(open),
  };
  try {
    return assembleRecordProof(directory, [record], epoch, caseLogNodes(open));
  } catch (error) {
    if (error instanceof RecordProofError) notProvable(error.message);
    throw error;
  }
}
