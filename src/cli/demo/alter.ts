import { decodeUtf8, utf8 } from '../../protocol/index.ts';

/** A bundle with one byte changed, and what was done. */
export interface Alteration {
  readonly bundle: Uint8Array;
  /** Line of the file, from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/**
 * What may be changed, the first that there is: a text that is the value of a payload's member, a number that is one, the
 * type of an operation. Members of a salted payload stand as `"name":[salt,value]`.
 */
const PLACES = [
  /("disclosures":\{.*?:\["[\w-]{22}",")([A-Za-z0-9])/,
  /("disclosures":\{.*?:\["[\w-]{22}",)([0-9])/,
  /("operation_type":")([A-Za-z0-9_-])/,
] as const;

function isRecord(line: string): boolean {
  return line.startsWith('{"eor":');
}

/**
 * Changes one character of a record in the middle of a bundle, as somebody might who wants it to say something else. The
 * file stays well-formed JSON.
 */
export function alterOneByte(bundle: Uint8Array): Alteration {
  const lines = decodeUtf8(bundle).split('\n');
  for (const place of PLACES) {
    const candidates = lines.flatMap((line, index) => (isRecord(line) && place.test(line) ? [index] : []));
    const index = candidates[Math.floor(candidates.length / 2)];
    if (index === undefined) continue;
    const line = lines[index] ?? '';
    const match = place.exec(line);
    const [, lead = '', before = ''] = match ?? [];
    const at = (match?.index ?? 0) + lead.length;
    const after = before === '7' ? '8' : /[0-9]/.test(before) ? '7' : before === 'x' ? 'y' : 'x';
    lines[index] = line.slice(0, at) + after + line.slice(at + 1);
    return { bundle: utf8(lines.join('\n')), line: index + 1, before, after };
  }
  throw new Error('the bundle has no record');
}
