import { type CancelSignal, readContents } from '../../protocol/index.ts';
import { CaseRefused, caseSource } from './case-source.ts';
import type { StoredFile } from './stored-file.ts';
import { refuseUnreadable } from './unreadable-records.ts';

/**
 * A compressed bundle whose end is missing, refused with what of it arrived: it can neither be verified nor browsed, and
 * whoever brought it has to know what to ask for.
 */
export async function refuseCutOff(file: StoredFile, signal: CancelSignal): Promise<CaseRefused> {
  let plain = 0;
  let hasManifest = false;
  let unreadable = 0;
  const seqNos: number[] = [];
  const source = caseSource(file.path, file.kind, { ...file, acceptsCutOff: true });
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source()) {
      signal.throwIfAborted();
      plain += chunk.length;
      yield chunk;
    }
  }
  for await (const contents of readContents(measured)) {
    for (const content of contents) {
      if (content.kind === 'record') seqNos.push(content.value.ear.seq_no);
      hasManifest ||= content.kind === 'manifest';
      if (content.kind === 'unreadable') refuseUnreadable(seqNos.length, ++unreadable);
    }
  }
  return new CaseRefused(
    'FILE_CUT_OFF',
    `the compressed file ends too early. ${number(file.bytes)} bytes of it arrived, which hold ${number(plain)} bytes of ` +
      `the bundle with ${recordsText(seqNos)}. ` +
      (hasManifest
        ? 'What is missing is the end of the compression, with its checksum. '
        : 'What is missing is all that comes after, with the signed manifest that says how many records there are. ') +
      'Such a part is neither verified nor browsed: have the file sent again, and compare its size or digest',
  );
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function recordsText(seqNos: readonly number[]): string {
  const [first, last] = [seqNos.at(0), seqNos.at(-1)];
  if (first === undefined || last === undefined) return 'no whole record';
  if (seqNos.length === 1) return `one whole record (seq_no ${first})`;
  return `${number(seqNos.length)} whole records (seq_no ${first} to ${last})`;
}
