import type { Json } from '../../protocol/light.ts';
import { contentOf } from '../content/content-of.ts';
import type { ContentName, PreparedContent } from '../content/prepared.ts';
import type { RecorderKeys } from '../redact/recorder-keys.ts';
import type { Redaction } from '../redact/redaction.ts';
import type { WitnessSource } from '../seen/seen.ts';
import type { KeptContent, Told } from './open-call.ts';

/** Those below one member, by where they stand below it. */
function below(redactions: readonly Redaction[], pointer: string): Redaction[] {
  return redactions.flatMap(({ at, type }) =>
    at === pointer || at.startsWith(`${pointer}/`) ? [{ at: at.slice(pointer.length), type }] : [],
  );
}

/** The content of a call that a value becomes; all witnesses of the call state it under one salt, so that equal values have equal digests. */
export function keep(
  prepared: PreparedContent | undefined,
  name: ContentName,
  actionId: string,
  redactions: readonly Redaction[],
  keys: RecorderKeys,
): KeptContent | null {
  if (prepared === undefined) return null;
  const content = contentOf(prepared, keys.contentSalt(actionId, name));
  return { content, same: prepared.same, shape: prepared.shape, redactions: below(redactions, `/${name}`) };
}

/**
 * Whether what two witnesses say that a call was given can be held against each other. Instrumentation and transcripts tell some inputs in
 * a form of their own; a server and a hook are given the very input.
 */
export function areComparable(source: WitnessSource, theirs: KeptContent, shape: string | null): boolean {
  return (source !== 'otlp' && source !== 'transcript' && source !== 'acp') || theirs.shape === shape;
}

/** What is remembered of an output, so that another witness's is held against it; undefined where it is a part, or states no form. */
export function toldOf(output: KeptContent | null): Told | undefined {
  return formOf(output) === undefined || output === null ? undefined : { same: output.same, shape: output.shape };
}

/**
 * What a further witness says that a call gave, next to what the first one says of it.
 * @returns whether it is another output, and the output, which states its form only where the other one has the same
 */
export function outputNextTo(
  own: Told | undefined,
  output: KeptContent | null,
): { readonly isOther: boolean; readonly output: KeptContent | null } {
  const isOfOneForm = own !== undefined && formOf(output) !== undefined && own.shape === output?.shape;
  if (isOfOneForm || output === null) return { isOther: isOfOneForm && own.same !== output?.same, output };
  const { media_type: _, ...content } = output.content;
  return { isOther: false, output: formOf(output) === undefined ? output : { ...output, content } };
}

/** Of base64 the form says what the bytes are, and not how they were told. */
function formOf(output: KeptContent | null): Json | undefined {
  return output?.content['encoding'] === undefined ? output?.content['media_type'] : undefined;
}

/** Members of a payload, with what was replaced in each. */
export class Members {
  readonly #members: { [name: string]: Json } = {};
  readonly #redactions: Redaction[] = [];

  set(name: string, value: Json | undefined | null): this {
    if (value !== undefined && value !== null) this.#members[name] = value;
    return this;
  }

  content(name: string, kept: KeptContent | null): this {
    if (kept === null) return this;
    this.#members[name] = kept.content;
    this.redacted(`/${name}`, kept.redactions);
    return this;
  }

  redacted(pointer: string, redactions: readonly Redaction[]): void {
    for (const { at, type } of redactions) this.#redactions.push({ at: pointer + at, type });
  }

  /** @param others what was replaced in members that were set as they are; what is said of members that are not there is left out */
  payload(others: readonly Redaction[]): { readonly [member: string]: Json } {
    const own = others.filter(({ at }) => Object.hasOwn(this.#members, at.split('/')[1] ?? ''));
    const contents = new Set(['input', 'output', 'witnesses']);
    const rest = own.filter(({ at }) => !contents.has(at.split('/')[1] ?? ''));
    const redactions = listed([...this.#redactions, ...rest]);
    return redactions.length === 0 ? this.#members : { ...this.#members, redactions };
  }
}

/** The most that the profile lists, and the longest pointer. */
const MAX_REDACTIONS = 256;
const MAX_POINTER = 1024;

/**
 * Within the bounds of the profile; a pointer that is too long names the place above. Numbers by the thousand, as in a result of a
 * database, are named by their member, and hide no secret that was replaced.
 */
function listed(redactions: readonly Redaction[]): { at: string; type: string }[] {
  const isMany = redactions.length > MAX_REDACTIONS;
  const met = new Map<string, { at: string; type: string }>();
  for (const { at: full, type } of redactions) {
    let at = isMany && type === 'number' ? `/${full.split('/')[1] ?? ''}` : full;
    while ([...at].length > MAX_POINTER) at = at.slice(0, at.lastIndexOf('/'));
    met.set(JSON.stringify([at, type]), { at, type });
  }
  return [...met.values()].slice(0, MAX_REDACTIONS);
}
