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
 * Changes the first letter or figure of a text within a payload in the middle of a bundle, as somebody might who wants the record to say
 * something else. The file stays well-formed JSON.
 */
export function alterOneByte(bundle: Uint8Array): Alteration {
  const lines = decodeUtf8(bundle).split('\n');
  const inPayload = /("payload":\{.*?":")([A-Za-z0-9])/;
  const candidates = lines.flatMap((line, index) =>
    line.startsWith('{"eor":') && inPayload.test(line) ? [index] : [],
  );
  const index = candidates[Math.floor(candidates.length / 2)];
  if (index === undefined) throw new Error('the bundle has no payload with a text in it');
  const line = lines[index] ?? '';
  const match = inPayload.exec(line);
  const [, lead = '', before = ''] = match ?? [];
  const at = (match?.index ?? 0) + lead.length;
  const after = before === '7' ? '8' : /[0-9]/.test(before) ? '7' : before === 'x' ? 'y' : 'x';
  lines[index] = line.slice(0, at) + after + line.slice(at + 1);
  return { bundle: utf8(lines.join('\n')), line: index + 1, before, after };
}
