import { contentDigest } from '../../actions/profile/light.ts';
import { nodeCrypto } from '../../node/light.ts';
import { type ExactJson, ExactNumber } from '../../protocol/light.ts';
import type { RecorderKeys } from '../redact/recorder-keys.ts';
import { type LeftOut, marker } from '../seen/left-out.ts';
import type { Seen } from '../seen/seen.ts';
import type { Prepared } from './prepared.ts';

/** How a value says what it lacks once it may be seen: a plain digest would let anybody find by trial what was replaced in a text. */
const MARKED = /\[\.\.\. \d{1,15} of \d{1,15} bytes left out, (sha256:[0-9a-f]{64}) \.\.\.\]/g;

/** How many bytes are left out where a digest stands. */
export type Lacking = ReadonlyMap<string, number>;

type WithoutSizes<S> = S extends Seen ? Omit<S, 'shortened'> : never;

/** An event of which the marks have salted digests, and what it lacks. */
export interface Marked {
  readonly seen: WithoutSizes<Seen>;
  readonly shortened: Pick<Prepared, 'shortened'>;
  readonly lacking: Lacking;
}

/** What the event of a longer text lacks, named by digests under salts that follow from the recorder's key. */
export function withSaltedMarks(seen: Seen, keys: RecorderKeys): Marked {
  if (seen.shortened === undefined) return { seen, shortened: {}, lacking: new Map() };
  const { left_out, ...known } = seen.shortened;
  const met = new Map<LeftOut, string>();
  const mark = (one: LeftOut): string => {
    const digest = met.get(one) ?? contentDigest(keys.leftOutSalt(one.sha256), one.sha256, nodeCrypto.sha256);
    met.set(one, digest);
    return `[... ${one.bytes} of ${one.whole} bytes left out, ${digest} ...]`;
  };
  const { shortened: _, ...event } = seen;
  const marked = eachText(event, marker(left_out, mark)) as WithoutSizes<Seen>;
  const wholes = [...met].map(([one, digest]) => ({ bytes: one.whole, digest }));
  const lacking = new Map([...met].map(([one, digest]) => [digest, one.bytes]));
  return { seen: marked, shortened: { shortened: { ...known, left_out: wholes } }, lacking };
}

type AnyValue = ExactJson | { readonly [member: string]: unknown };

/** The value with each of its texts changed; names of members stay. */
export function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => eachText(item, change));
  return Object.fromEntries(
    Object.entries(value as { readonly [member: string]: AnyValue }).map(([name, member]) => [
      name,
      eachText(member, change),
    ]),
  );
}

/** How many bytes a value lacks; what only looks like a mark counts nothing. */
export function lackingBytes(canonical: string, lacking: Lacking): number {
  if (lacking.size === 0) return 0;
  let bytes = 0;
  for (const [, digest = ''] of canonical.matchAll(MARKED)) bytes += lacking.get(digest) ?? 0;
  return bytes;
}
