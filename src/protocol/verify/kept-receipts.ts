import type { BundleSource } from '../bundle/document.ts';
import { concatBytes, decodeUtf8, withoutMark } from '../bytes.ts';
import { parseJson } from '../json.ts';
import { ProtocolError } from '../protocol-error.ts';
import { parseReceipt, type Receipt } from '../statements/receipt.ts';

/** One receipt a line is at most this long; the file may be somebody else's word. */
const MAX_LINE_BYTES = 64 * 1024;

/** A line of a file of kept receipts: a receipt, or why it is not one. Lines count from 1; blank ones are passed over. */
export type KeptLine = { readonly line: number } & ({ readonly receipt: Receipt } | { readonly error: ProtocolError });

/** Reads receipts that agents kept, one EAR a line (protocol V1, V127). @throws only what the source itself throws */
export async function* readKeptReceipts(source: BundleSource): AsyncGenerator<KeptLine> {
  let line = 0;
  for await (const bytes of splitLines(source)) {
    line++;
    try {
      if (bytes.length > MAX_LINE_BYTES) throw new ProtocolError('JSON_INVALID', 'the line is too long for a receipt');
      const text = decodeUtf8(line === 1 ? withoutMark(bytes) : bytes);
      // JSON's own white space and no other: further on a byte order mark is a character (protocol F2).
      if (/[^ \t\r]/.test(text)) yield { line, receipt: parseReceipt(parseJson(text)) };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      yield { line, error };
    }
  }
}

/** Lines of a file, the last one also without line break; an overlong one is cut just beyond the limit. */
async function* splitLines(source: BundleSource): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of source()) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      yield concatBytes(held, chunk.subarray(from, end));
      held = new Uint8Array(0);
      from = end + 1;
    }
    if (held.length <= MAX_LINE_BYTES) held = concatBytes(held, chunk.subarray(from));
  }
  if (held.length > 0) yield held;
}
