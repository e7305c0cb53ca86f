import { type DifferenceNode, differenceOf, type Json } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';

function membersOf({ eor, ear }: StoredOperation, withoutPayload: boolean): Json {
  const { payload, ...rest } = eor;
  const record = withoutPayload || payload === undefined ? rest : { ...rest, payload };
  return { eor: record, ear } as unknown as Json;
}

/**
 * Two stored operations as one tree: members of the record, then the receipt.
 * @param withoutPayload where only one of them has its payload
 */
export function recordDifference(one: StoredOperation, other: StoredOperation, withoutPayload = false): DifferenceNode {
  return differenceOf(membersOf(one, withoutPayload), membersOf(other, withoutPayload));
}
