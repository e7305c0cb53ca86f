import { type BundleContent, decodeUtf8, parseBundleRecord } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { OpenCase } from './open-case.ts';

export interface ReadRecord {
  readonly n: number;
  readonly line: number;
  readonly seqNo: number;
  /** Exactly as the bundle has it. */
  readonly text: string;
  readonly record: (BundleContent & { readonly kind: 'record' })['value'];
}

/**
 * A record by its operation_id; of several that bear it the first of the file, or the one of a seq_no.
 * @throws ServiceError NOT_FOUND; CONFLICT for an action that was found and that nobody signed
 */
export function readRecord(open: OpenCase, operationId: string, seqNo: number | undefined): ReadRecord {
  const sql = `SELECT n, line, seq_no AS seqNo FROM records
    WHERE operation_id = @operationId AND (@seqNo IS NULL OR seq_no = @seqNo) ORDER BY n LIMIT 1`;
  const found = open.statement(sql).get({ operationId, seqNo: seqNo ?? null }) as
    | { readonly n: number; readonly line: number; readonly seqNo: number }
    | undefined;
  if (found === undefined) {
    // It is in the lists, and has neither record nor receipt: whoever asks for these is told so.
    if (open.statement('SELECT 1 FROM found WHERE operation_id = ? LIMIT 1').get(operationId) !== undefined) {
      throw new ServiceError(
        'CONFLICT',
        'nobody signed this action when it happened: there is no record of it, and no proof',
      );
    }
    throw new ServiceError('NOT_FOUND', 'there is no such operation in this case');
  }
  const bytes = open.textOf(found.n);
  return { ...found, text: decodeUtf8(bytes), record: parseBundleRecord(bytes) };
}
