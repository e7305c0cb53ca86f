/**
 * Reads and checks a tlog-proof as <https://c2sp.org/tlog-proof>, <https://c2sp.org/tlog-checkpoint> and
 * <https://c2sp.org/signed-note> describe it, and RFC 9162 §2.1.3.2 for the path. It shares nothing with src: what it accepts
 * is not accepted because the writer agrees with itself.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';

export interface ReadTlogProof {
  readonly origin: string;
  readonly size: bigint;
  readonly index: bigint;
  /** Not authenticated by itself: here the leaf's data, which the path binds. */
  readonly extra: Buffer | null;
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function base64(text: string, length?: number): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new Error(`not standard base64: ${text}`);
  if (length !== undefined && bytes.length !== length) throw new Error(`not ${length} bytes: ${text}`);
  return bytes;
}

function decimal(text: string): bigint {
  if (!/^(0|[1-9][0-9]*)$/.test(text)) throw new Error(`not a decimal number: ${text}`);
  return BigInt(text);
}

/** RFC 9162 §2.1.3.2. */
function rootOf(leaf: Buffer, index: bigint, size: bigint, path: readonly Buffer[]): Buffer {
  if (index >= size) throw new Error('the index is outside the tree');
  let [fn, sn, r] = [index, size - 1n, leaf];
  for (const p of path) {
    if (sn === 0n) throw new Error('the path is too long');
    if (fn % 2n === 1n || fn === sn) {
      r = sha256(Buffer.of(1), p, r);
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn / 2n, sn / 2n];
    } else r = sha256(Buffer.of(1), r, p);
    [fn, sn] = [fn / 2n, sn / 2n];
  }
  if (sn !== 0n) throw new Error('the path is too short');
  return r;
}

function isSignedBy(publicKey: Uint8Array, origin: string, text: string, lines: readonly string[]): boolean {
  const id = sha256(Buffer.from(`${origin}\n`), Buffer.of(1), publicKey).subarray(0, 4);
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return lines.some((line) => {
    const [, name, signed] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    if (name !== origin || signed === undefined) return false;
    const bytes = base64(signed);
    return bytes.subarray(0, 4).equals(id) && verify(null, Buffer.from(text), key, bytes.subarray(4));
  });
}

/**
 * @param publicKey 32 bytes: the log's
 * @param leafOf computes the leaf's data from the extra data, or knows it
 * @throws Error where anything does not hold
 */
export function readTlogProof(
  file: string,
  publicKey: Uint8Array,
  leafOf: (extra: Buffer | null) => Uint8Array,
): ReadTlogProof {
  const lines = file.split('\n');
  if (lines.shift() !== 'c2sp.org/tlog-proof@v1') throw new Error('the first line is not that of a tlog-proof');
  const extra = lines[0]?.startsWith('extra ') ? base64((lines.shift() ?? '').slice('extra '.length)) : null;
  const [, indexText] = /^index (.*)$/.exec(lines.shift() ?? '') ?? [];
  const index = decimal(indexText ?? '');
  const path: Buffer[] = [];
  for (let line = lines.shift(); line !== ''; line = lines.shift()) path.push(base64(line ?? '', 32));
  const note = lines.join('\n');
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', root = ''] = text.split('\n');
  if (!note.endsWith('\n') || !isSignedBy(publicKey, origin, text, note.slice(end + 2, -1).split('\n'))) {
    throw new Error('the checkpoint is not signed by the log');
  }
  const leaf = sha256(Buffer.of(0), leafOf(extra));
  if (!rootOf(leaf, index, decimal(size), path).equals(base64(root, 32))) throw new Error('the path leads elsewhere');
  return { origin, size: decimal(size), index, extra };
}
