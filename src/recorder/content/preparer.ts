import { contentDigest } from '../../actions/profile/light.ts';
import { nodeCrypto } from '../../node/light.ts';
import { canonicalize, type ExactJson, ExactNumber, type Json } from '../../protocol/light.ts';
import { binaryOf } from '../redact/binary.ts';
import { publishedRules } from '../redact/published-rules.ts';
import type { RecorderKeys } from '../redact/recorder-keys.ts';
import type { Redaction } from '../redact/redaction.ts';
import { TextRedactor } from '../redact/text-redactor.ts';
import { ValueRedactor } from '../redact/value-redactor.ts';
import { type LeftOut, marker } from '../seen/left-out.ts';
import type { Seen, SeenCall } from '../seen/seen.ts';
import { Fields } from './content-fields.ts';
import { cutValue } from './cut.ts';
import { withinKept } from './pointers.ts';
import type { ContentPolicy, Prepared, PreparedContent } from './prepared.ts';

/** How a value says what it lacks once it may be seen: a plain digest would let anybody find by trial what was replaced in a text. */
const MARKED = /\[\.\.\. \d{1,15} of \d{1,15} bytes left out, (sha256:[0-9a-f]{64}) \.\.\.\]/g;

/** How many bytes are left out where a digest stands. */
type Lacking = ReadonlyMap<string, number>;

type WithoutSizes<S> = S extends Seen ? Omit<S, 'shortened'> : never;

/** An event of which the marks have salted digests, and what it lacks. */
interface Marked {
  readonly seen: WithoutSizes<Seen>;
  readonly shortened: Pick<Prepared, 'shortened'>;
  readonly lacking: Lacking;
}

/** What the event of a longer text lacks, named by digests under salts that follow from the recorder's key. */
function withSaltedMarks(seen: Seen, keys: RecorderKeys): Marked {
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
function eachText(value: unknown, change: (text: string) => string): unknown {
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
function lackingBytes(canonical: string, lacking: Lacking): number {
  if (lacking.size === 0) return 0;
  let bytes = 0;
  for (const [, digest = ''] of canonical.matchAll(MARKED)) bytes += lacking.get(digest) ?? 0;
  return bytes;
}

/** The most of one content that is kept, in bytes of canonical JSON. */
const MAX_CONTENT = 65_536;
/** A content of more bytes is cut where it is read, by each witness at another place: by the beginnings of its texts it is still known. */
const WHOLE = 2 * 1024 * 1024;
const BEGINNING = 32 * 1024;
/** The most contents of one kind of record that the profile takes. */
const MAX_TOLD = 64;

/** What a content of an event is prepared with. */
interface Around {
  readonly log: Redaction[];
  readonly lacking: Lacking;
  readonly limit?: number;
}

/** Takes the secrets out of what was seen, and keeps it within the limits. Everything that is signed has passed here. */
export class Preparer {
  readonly #keys: RecorderKeys;
  readonly #values: ValueRedactor;

  private constructor(keys: RecorderKeys, values: ValueRedactor) {
    this.#keys = keys;
    this.#values = values;
  }

  /**
   * @param secrets the recorder's own secrets as texts, asked for at each event: wherever one stands, it is replaced
   */
  static async open(keys: RecorderKeys, secrets: () => Iterable<string>): Promise<Preparer> {
    const texts = new TextRedactor((secret) => keys.suffix(secret), secrets, await publishedRules());
    return new Preparer(keys, new ValueRedactor(texts));
  }

  /**
   * What was seen without its secrets, cut to the limits of the profile. The same event gives the same again, and what was prepared
   * before is not changed.
   */
  prepare(given: Seen, { content }: { readonly content: ContentPolicy }): Prepared {
    const { seen, shortened, lacking } = withSaltedMarks(given, this.#keys);
    const log: Redaction[] = [];
    const fields = new Fields(this.#values, log, content);
    const raw_digest = contentDigest(this.#keys.rawSalt(seen.event_id), seen.raw_sha256, nodeCrypto.sha256);
    const common = { ...fields.common(seen), raw_digest, ...shortened };
    switch (seen.kind) {
      case 'call': {
        const { input, output, raw_sha256: _, ...rest } = seen;
        const contents = {
          ...(input === undefined
            ? {}
            : { input: this.#content(input, '/input', content !== 'digest', { log, lacking }) }),
          ...(output === undefined
            ? {}
            : {
                output: {
                  ...this.#content(output, '/output', content === 'full', { log, lacking }),
                  ...(lacking.size === 0 && formOf(seen, output)),
                },
              }),
        };
        return { ...rest, ...common, ...fields.call(seen), ...contents, redactions: log };
      }
      case 'decision': {
        const { input, raw_sha256: _, ...rest } = seen;
        const keeps = content !== 'digest';
        const kept = input === undefined ? {} : { input: this.#content(input, '/input', keeps, { log, lacking }) };
        return { ...rest, ...common, ...fields.decision(seen), ...kept, redactions: log };
      }
      case 'told': {
        const { told: all, raw_sha256: _, ...rest } = seen;
        if (all.length > MAX_TOLD) log.push({ at: '/told', type: 'left-out' });
        const limit = Math.max(1_024, Math.floor(MAX_CONTENT / Math.max(1, Math.min(all.length, MAX_TOLD))));
        const told = all.slice(0, MAX_TOLD).map(({ kind, value }, i) => ({
          kind,
          content: this.#content(value, `/told/${i}/content`, content !== 'digest', { log, lacking, limit }),
        }));
        return { ...rest, ...common, told, redactions: log };
      }
      default: {
        const { raw_sha256: _, ...rest } = fields.other(seen);
        return { ...rest, ...common, redactions: log };
      }
    }
  }

  #content(
    value: ExactJson,
    at: string,
    keeps: boolean,
    { log, lacking, limit = MAX_CONTENT }: Around,
  ): PreparedContent {
    const binary = typeof value === 'string' && !value.startsWith('data:') ? binaryOf(value) : null;
    if (binary !== null && typeof value === 'string') {
      const { bytes, media_type } = binary;
      const canonical = canonicalize(value);
      const known = { canonical, shape: shapeOf(value), bytes, binary: { media_type } };
      return { ...known, kept: undefined, truncated: false, same: this.#keys.same(canonical) };
    }
    const { value: whole, redactions } = this.#values.redact(value, `${at}/value`);
    const canonical = canonicalize(whole);
    const size = Buffer.byteLength(canonical);
    const left = lackingBytes(canonical, lacking);
    const bytes = size + left;
    const kept = keeps ? cutValue(whole, size, limit) : undefined;
    const truncated = keeps && bytes > limit;
    const places = keeps ? withinKept(redactions, `${at}/value`, kept) : redactions.map(({ type }) => ({ at, type }));
    for (const place of unlike(places)) log.push(place);
    const shape = shapeOf(whole);
    const known = bytes > WHOLE ? beginningsOf(whole) : canonical;
    return { canonical, shape, kept, truncated, bytes, binary: null, same: this.#keys.same(known) };
  }
}

/** Who is told an output by the program itself, as it told its model. */
const TOLD_BY_PROGRAM: ReadonlySet<Seen['source']> = new Set(['hook', 'plugin', 'transcript']);

/** The form of an output, where the whole of it is there. */
function formOf({ source, extra, unlike_hooks }: SeenCall, output: ExactJson): Pick<PreparedContent, 'form'> {
  const isUnlike = unlike_hooks === true || extra?.['output_cut_by_program'] === true;
  if (isUnlike || !TOLD_BY_PROGRAM.has(source)) return {};
  return { form: typeof output === 'string' ? 'text/plain' : 'application/json' };
}

/** See PreparedContent. */
export function shapeOf(value: Json): string {
  if (value === null || typeof value !== 'object') return typeof value;
  return Array.isArray(value) ? 'array' : JSON.stringify(Object.keys(value).sort());
}

function beginningsOf(value: Json): string {
  return canonicalize(eachText(value, (text) => text.slice(0, BEGINNING).toWellFormed()) as Json);
}

/** Each place of a type once: a hundred thousand secrets in what was cut away are in one place. */
function unlike(places: readonly Redaction[]): Iterable<Redaction> {
  return new Map(places.map((place) => [`${place.at}\n${place.type}`, place])).values();
}
