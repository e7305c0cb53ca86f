import { AgentError, type ServiceConnection } from '../../agent/light.ts';
import { isMembers, type Receipt } from '../../protocol/light.ts';
import type { AgentFile } from '../base/agent-file.ts';
import type { WaitingRecord } from '../spool/waiting.ts';

export interface Refusal {
  readonly record: WaitingRecord;
  /** The service's code (docs/limits.md, Errors). */
  readonly code: string;
  readonly message: string;
}

export interface Submission {
  /** The records that were acknowledged, with their receipts: the first ones, in order. */
  readonly acknowledged: readonly { readonly record: WaitingRecord; readonly receipt: Receipt }[];
  /** The first record that was refused; the later ones build on it. */
  readonly refusal: Refusal | null;
}

/**
 * Sends records in the order of their chain. Those that the service has already are answered with the same receipts.
 * @throws AgentError where the whole was refused, the service is away, or an answer is not what it has to be
 */
export async function submitBatch(
  service: ServiceConnection,
  { org_id: orgId, agent_id: agentId }: AgentFile,
  records: readonly WaitingRecord[],
): Promise<Submission> {
  const answer = await service.client.postText(
    '/v1/operations/batch',
    `{"records":[${records.map(({ body }) => body).join(',')}]}`,
  );
  const results = isMembers(answer) && Array.isArray(answer['results']) ? (answer['results'] as unknown[]) : [];
  if (results.length !== records.length) throw invalid('has not one result for each record');
  const acknowledged: { record: WaitingRecord; receipt: Receipt }[] = [];
  let refusal: Refusal | null = null;
  for (const [index, record] of records.entries()) {
    const result = results[index];
    if (!isMembers(result)) throw invalid('has a result without a form');
    const refused = refusalOf(result['error']);
    if (refused !== null) {
      refusal = { record, ...refused };
      break;
    }
    const of = { orgId, agentId, operationId: record.operation_id, chainHash: record.chain_hash };
    acknowledged.push({ record, receipt: service.readReceipt(result['receipt'], of) });
  }
  await service.checkSignatures(acknowledged.map(({ receipt }) => receipt));
  return { acknowledged, refusal };
}

function refusalOf(error: unknown): { readonly code: string; readonly message: string } | null {
  if (error === undefined) return null;
  if (!isMembers(error) || typeof error['code'] !== 'string') throw invalid('has an error without a code');
  return { code: error['code'], message: typeof error['message'] === 'string' ? error['message'] : '' };
}

function invalid(what: string): AgentError {
  return new AgentError('ANSWER_INVALID', `the service's answer to a batch ${what}`);
}
