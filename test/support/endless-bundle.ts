import { gzipSync } from 'node:zlib';

/** So many records a piece has, and so many pieces there are: verifying them all takes far longer than any test waits. */
const PIECE = 400;
const PIECES = 1000;

/**
 * A bundle, compressed, whose records stand there again and again: a small file with so many signatures to check that
 * whatever is to be done meanwhile can be done for certain.
 * @param text of a sound bundle, as it is written: a record a line
 */
export function endlessBundle(text: string): Buffer {
  const lines = text.split('\n');
  const isRecord = (line: string): boolean => line.startsWith('{"eor":');
  const first = lines.findIndex(isRecord);
  const record = lines.find(isRecord)?.replace(/,$/, '');
  if (record === undefined) throw new Error('the bundle has no record on a line of its own');
  const again = gzipSync(`${record},\n`.repeat(PIECE));
  // Compressed files one after the other are one file (RFC 1952 §2.2).
  return Buffer.concat([
    gzipSync(`${lines.slice(0, first).join('\n')}\n`),
    ...Array.from({ length: PIECES }, () => again),
    gzipSync(lines.slice(first).join('\n')),
  ]);
}
