import { createHash } from 'node:crypto';
import { encodingOf } from '../../../actions/found/light.ts';
import type { TranscriptLine } from '../../../actions/transcripts/index.ts';
import { gunzipFile, isGzip } from '../../../node/index.ts';
import { CaseRefused } from '../case-source.ts';
import type { FoundFile } from './found-files.ts';
import { bytesOf } from './read-collection.ts';

/** What a compressed file may hold: beyond this reading it stops, and says so. */
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024 * 1024;
/** The most of a line of a transcript that is kept; of a longer one its head, its size and the digest of all of it. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const NEWLINE = 0x0a;

/** The bytes of a file as it was before it was compressed. @throws DamagedArchive, CaseRefused FILE_TOO_LARGE */
async function* plainBytes(file: FoundFile): AsyncGenerator<Uint8Array> {
  const { value: first } = await bytesOf(file, { ...file, bytes: Math.min(file.bytes, 2) }).next();
  if (first === undefined || !isGzip(first)) {
    yield* bytesOf(file, file);
    return;
  }
  let unpacked = 0;
  const part = { start: file.offset, end: file.offset + file.bytes - 1 };
  for await (const chunk of gunzipFile(file.path, { part })) {
    unpacked += chunk.length;
    if (unpacked > MAX_UNPACKED_BYTES) {
      throw new CaseRefused('FILE_TOO_LARGE', `more than ${MAX_UNPACKED_BYTES} bytes once unpacked`);
    }
    yield chunk;
  }
}

/** A file as text, in pieces. Bytes that are no text are replaced. */
export async function* textsOf(file: FoundFile): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const chunk of plainBytes(file)) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

/** The lines of a file in UTF-8, as the readers of transcripts take them. */
export async function* linesOf(file: FoundFile): AsyncGenerator<TranscriptLine> {
  let line = 1;
  let parts: Uint8Array[] = [];
  let [kept, bytes] = [0, 0];
  let hash = createHash('sha256');
  const take = (part: Uint8Array): void => {
    bytes += part.length;
    hash.update(part);
    if (kept < MAX_LINE_BYTES) parts.push(part.subarray(0, MAX_LINE_BYTES - kept));
    kept = Math.min(bytes, MAX_LINE_BYTES);
  };
  const ended = (): TranscriptLine => {
    const text = new TextDecoder().decode(Buffer.concat(parts)).replace(/\r$/, '');
    const cut = bytes > MAX_LINE_BYTES ? { cut: { bytes, sha256: hash.digest('hex') } } : {};
    [parts, kept, bytes, hash] = [[], 0, 0, createHash('sha256')];
    return { line: line++, text, ...cut };
  };
  for await (const chunk of plainBytes(file)) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, end));
      yield ended();
      from = end + 1;
    }
    take(chunk.subarray(from));
  }
  if (bytes > 0) yield ended();
}
