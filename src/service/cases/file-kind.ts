import { createReadStream } from 'node:fs';
import type { CaseFileKind } from '../../api/index.ts';
import { firstBytes, isGzip } from '../../node/index.ts';
import { isRecordProof, parseJson, parseReceipt, unlessRefused } from '../../protocol/index.ts';
import { isCaseFile } from '../../reports/case-file/light.ts';
import { isCollection } from './collection/read-collection.ts';

/** So much is looked at with each read, so that a large file does not hold up other requests. */
const SLICE_BYTES = 256 * 1024;

function isReceiptLine(line: string): boolean {
  return unlessRefused(() => parseReceipt(parseJson(line)), null) !== null;
}

/** What a file is by its first bytes, whatever it is called. Nothing of it is believed: importing it shows. */
export async function kindOfFile(path: string): Promise<CaseFileKind> {
  // With it come the readers of all programs: nothing that a service needs before somebody brings a file.
  const { kindOfHead } = await import('./collection/found-kind.ts');
  const { HEAD_BYTES } = await import('../../actions/found/light.ts');
  const head = await firstBytes(path, HEAD_BYTES);
  if (head.subarray(0, 5).toString('latin1') === '%PDF-') return 'report-pdf';
  if (isGzip(head)) return kindOfHead(head) === null ? 'bundle-gzip' : 'found';
  if (isCaseFile(head)) return 'case-file';
  if (isCollection(head)) return 'collection';
  const text = head.toString('utf8');
  const [firstLine = ''] = text.trimStart().split('\n', 1);
  if (isReceiptLine(firstLine)) return 'receipts';
  if (kindOfHead(head) !== null) return 'found';
  if (!/^\s*\{/.test(text)) return 'unknown';
  // A proof says only at its end what it is; a bundle says it at its beginning.
  const source = () => createReadStream(path, { highWaterMark: SLICE_BYTES });
  return (await isRecordProof(source)) ? 'record-proof' : 'bundle';
}
