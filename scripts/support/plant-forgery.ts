import { decodeUtf8, disclosuresText, type Json, parseBundleRecord, utf8 } from '../../src/protocol/index.ts';

/** Whose record is altered, and the amount that is put in the place of another in every member that states it. */
export interface Forgery {
  readonly tool: string;
  readonly user: string;
  readonly from: number;
  readonly to: number;
}

/** A bundle with one record altered. */
export interface Planted {
  readonly bundle: Uint8Array;
  readonly seqNo: number;
  /** The members of the payload that were altered, as they were. */
  readonly originals: { readonly [member: string]: Json };
}

/**
 * Alters what one record shows, as somebody would who wants it to state another amount: every disclosed member that names the
 * amount, so that the record contradicts itself nowhere. Signatures and digests stay as they are.
 * @throws Error if there is not exactly one such record
 */
export function plantForgery(bundle: Uint8Array, { tool, user, from, to }: Forgery): Planted {
  const lines = decodeUtf8(bundle).split('\n');
  const found = lines.flatMap((line, index) =>
    line.startsWith('{"eor":') && line.includes(`"subject":"${user}"`) && line.includes(`"action":"${tool}"`)
      ? [index]
      : [],
  );
  const [at] = found;
  if (at === undefined || found.length > 1) throw new Error(`${found.length} records of ${tool} about ${user}`);
  const line = lines[at] ?? '';
  const end = line.endsWith(',') ? ',' : '';
  const { ear, disclosures = {} } = parseBundleRecord(utf8(line.slice(0, line.length - end.length)));
  const amount = new RegExp(`\\b${from}\\b`, 'g');
  const originals: Record<string, Json> = {};
  const altered = Object.entries(disclosures).map(([name, [salt, value]]) => {
    const text = JSON.stringify(value);
    const next = text.replace(amount, String(to));
    if (next !== text) originals[name] = value;
    return [name, [salt, JSON.parse(next) as Json]] as const;
  });
  const text = (members: typeof disclosures): string => `"disclosures":${disclosuresText(members)}`;
  lines[at] = line.replace(text(disclosures), () => text(Object.fromEntries(altered)));
  return { bundle: utf8(lines.join('\n')), seqNo: ear.seq_no, originals };
}
