import { hash } from 'node:crypto';

/** Shorter ones are left as they are: an icon, a digest, a key. */
const SHORTEST = 2_048;

const DATA_URL = /^data:([\w.+-]{1,100}\/[\w.+-]{1,100})(?:;[\w=.+-]{1,100}){0,4};base64,/;

/** How the base64 of well-known kinds of files begins. */
const KINDS: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
  ['UEsDB', 'application/zip'],
  ['H4sI', 'application/gzip'],
];

/** A file embedded in a text as base64. */
export interface Binary {
  readonly media_type: string;
  readonly bytes: number;
  /** SHA-256 of the bytes, 64 hex digits. */
  readonly sha256: string;
}

/** Whether a text looks like the base64 of a file, and not like one letter many times. */
function isBase64(text: string): boolean {
  const head = text.slice(0, 1_024);
  if (![/[A-Z]/, /[a-z]/, /[0-9+/]/].every((kind) => kind.test(head))) return false;
  return /^[A-Za-z0-9+/\r\n]+={0,2}\s*$/.test(text);
}

function holdsText(bytes: Buffer): boolean {
  return bytes.subarray(0, 256).every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte > 31 && byte < 127));
}

/** The file that a text is, in base64 or as a data URL; null for any other text, also for base64 of text. */
export function binaryOf(text: string): Binary | null {
  if (text.length < SHORTEST) return null;
  const url = DATA_URL.exec(text);
  const base64 = url === null ? text : text.slice(url[0].length);
  if (!isBase64(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  if (holdsText(bytes)) return null;
  const known = KINDS.find(([start]) => base64.startsWith(start))?.[1];
  return {
    media_type: url?.[1] ?? known ?? 'application/octet-stream',
    bytes: bytes.length,
    sha256: hash('sha256', bytes, 'hex'),
  };
}
