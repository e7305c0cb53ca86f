import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { messageOf } from '../../../protocol/index.ts';
import { ReportError } from '../report-error.ts';

/** Larger than any font of one style; a collection of all CJK fonts has more. */
const MAX_FONT_BYTES = 64 * 1024 * 1024;

/** How TrueType and OpenType files begin (OpenType 1.9, §4.1). */
const BEGINNINGS = new Set(['00010000', '4f54544f', '74727565']);

/** A font that whoever makes a report gave, as the options of the report name it. */
export interface GivenFont {
  readonly path: string;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Looks at a font file before a report is begun with it.
 * @throws ReportError FONT_UNUSABLE where it cannot be read, or is no single font; opening it may find more
 */
export async function checkFont(path: string): Promise<GivenFont> {
  const unusable = (why: string): ReportError => new ReportError('FONT_UNUSABLE', `font ${path}: ${why}`);
  let bytes: Buffer;
  try {
    if ((await stat(path)).size > MAX_FONT_BYTES) throw unusable('it is larger than 64 MiB');
    bytes = await readFile(path);
  } catch (error) {
    throw error instanceof ReportError ? error : unusable(messageOf(error));
  }
  const beginning = bytes.subarray(0, 4).toString('hex');
  if (beginning === '74746366') throw unusable('it is a collection: name a file with a single font');
  if (!BEGINNINGS.has(beginning)) throw unusable('it is neither a TrueType nor an OpenType font');
  return { path, sha256: createHash('sha256').update(bytes).digest('hex') };
}
