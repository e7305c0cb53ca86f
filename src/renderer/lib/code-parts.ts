import { fromBase64Url, sha256, toBase64Url, toHex, unlessRefused, utf8 } from '../../protocol/index.ts';

/** What one QR code holds in level M, in bytes (ISO/IEC 18004, Table 7, version 40). */
const MOST_BYTES = 2331;
/** Characters of a part: a code of this size is read by the camera of a laptop. */
const PART = 1000;
/** A whole text of this many parts is more than anything that is handed over by codes. */
const MOST_PARTS = 64;

const LINE = /^countersign\.part\.v1 (\d{1,2})\/(\d{1,2}) ([0-9a-f]{16}) ([A-Za-z0-9_-]+)$/;

function digestOf(bytes: Uint8Array): string {
  return toHex(sha256(bytes).subarray(0, 8));
}

/**
 * The texts of the QR codes for a text: the text itself where one code holds it, else a line for each part, which names the whole that it is of.
 * In base64url, so that what reads codes and types them changes no character.
 */
export function codesOf(text: string): string[] {
  const bytes = utf8(text);
  if (bytes.length <= MOST_BYTES) return [text];
  const whole = toBase64Url(bytes);
  const of = Math.ceil(whole.length / PART);
  return Array.from(
    { length: of },
    (_, n) => `countersign.part.v1 ${n + 1}/${of} ${digestOf(bytes)} ${whole.slice(n * PART, (n + 1) * PART)}`,
  );
}

/** What lines come to of which some may be parts of a text. */
interface Joined {
  /** The whole text once all of its parts are there; the lines as they are where none is a part. */
  readonly text: string | null;
  /** How many parts are there, and how many there are. */
  readonly have: number;
  readonly of: number;
}

/** Puts parts together, in whatever order they came and however often: those of the text that the newest line is of. */
export function joined(lines: string): Joined {
  const found = lines.split(/\r?\n/).flatMap((line) => {
    const [, no, of, digest = '', data = ''] = LINE.exec(line.trim()) ?? [];
    return no === undefined ? [] : [{ no: Number(no), of: Number(of), digest, data }];
  });
  const newest = found.at(-1);
  if (newest === undefined) return { text: lines, have: 0, of: 0 };
  const { digest, of } = newest;
  const parts = new Map(
    found.flatMap((part) => (part.digest === digest && part.of === of ? [[part.no, part.data]] : [])),
  );
  const have = { have: Math.min(parts.size, of), of };
  if (parts.size < of || of > MOST_PARTS) return { text: null, ...have };
  const whole = Array.from({ length: of }, (_, n) => parts.get(n + 1) ?? '').join('');
  const bytes = unlessRefused(() => fromBase64Url(whole, Math.floor((whole.length * 3) / 4)), null);
  return { text: bytes !== null && digestOf(bytes) === digest ? new TextDecoder().decode(bytes) : null, ...have };
}
