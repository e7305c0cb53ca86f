import { canonicalize, formatDigest, type Json, type Sha256, utf8 } from '../../../protocol/index.ts';
import { isMembers } from '../../../protocol/light.ts';
import { pointerOf } from '../check-payload.ts';
import type { Content } from '../content.ts';

type Members = { readonly [member: string]: Json };

function walk(a: Json, b: Json, path: (string | number)[]): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) {
      const [one, other] = [a[i], b[i]];
      if (one !== undefined && other !== undefined && !walk(one, other, path)) continue;
      path.push(i);
      return true;
    }
    return false;
  }
  if (isMembers(a) && isMembers(b)) {
    for (const name of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
      const [one, other] = [member(a, name), member(b, name)];
      if (one !== undefined && other !== undefined && !walk(one, other, path)) continue;
      path.push(name);
      return true;
    }
    return false;
  }
  return !Object.is(normal(a), normal(b));
}

function member(members: Members, name: string): Json | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** -0 and 0 are one number in canonical form. */
function normal(value: Json): Json {
  return value === 0 ? 0 : value;
}

/**
 * Where two values first differ, members taken in the order of their canonical form: a JSON Pointer into both. Null where
 * they are the same value.
 */
function firstDifference(a: Json, b: Json): string | null {
  // Found from the inside out: the innermost step comes first.
  const path: (string | number)[] = [];
  return walk(a, b, path) ? pointerOf(path.reverse()) : null;
}

/** What is kept of a content in order to compare it. */
export interface KnownContent {
  /** Its salted digest, as stated or computed; null where neither is possible. */
  readonly digest: string | null;
  readonly salt: string | null;
  /** Digest of the value's canonical form alone, where the whole value is there. */
  readonly whole: string | null;
  readonly form: string;
  /** Whether only a part of the value is there: nothing shows that it is a part of what the digest is of. */
  readonly cut: boolean;
  /** The whole value, as long as there is room for it. */
  value: Json | undefined;
}

export interface Comparison {
  readonly same: boolean | null;
  /** Where the values first differ; null where one of the values is not there. */
  readonly pointer: string | null;
}

export interface KeptState {
  readonly kept: Set<{ readonly known: KnownContent; readonly bytes: number }>;
  bytes: number;
}

export const newKept = (): KeptState => ({ kept: new Set(), bytes: 0 });

/** Values that are kept so that a difference can be pointed at: the newest that fit into a number of bytes. */
class KeptValues {
  readonly #limit: number;
  readonly #state: KeptState;

  constructor(limit: number, state: KeptState) {
    this.#limit = limit;
    this.#state = state;
  }

  keep(known: KnownContent, bytes: number): void {
    const state = this.#state;
    state.kept.add({ known, bytes });
    state.bytes += bytes;
    for (const oldest of state.kept) {
      if (state.bytes <= this.#limit) return;
      state.kept.delete(oldest);
      state.bytes -= oldest.bytes;
      oldest.known.value = undefined;
    }
  }
}

/** A parsed value takes several times the room of its text. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;
/** What keeping a value costs besides its text. */
const ENTRY_BYTES = 256;

/** Reads contents for comparison. */
export class Contents {
  readonly #hash: Sha256;
  readonly #values: KeptValues;

  constructor(hash: Sha256, state: KeptState) {
    this.#hash = hash;
    this.#values = new KeptValues(MAX_KEPT_BYTES, state);
  }

  /**
   * @returns what is kept of it, and whether a stated digest is not that of the value
   * @throws ProtocolError NOT_CANONICAL
   */
  read(content: Content): { readonly known: KnownContent; readonly mismatch: boolean } {
    const { digest: stated = null, salt = null, encoding = '', media_type = '' } = content;
    const form = `${encoding} ${media_type}`;
    if (content.truncated === true || !('value' in content)) {
      const cut = content.truncated === true;
      return { known: { digest: stated, salt, whole: null, form, cut, value: undefined }, mismatch: false };
    }
    // Every value came out of JSON.
    const value = content.value as Json;
    const text = canonicalize(value);
    const digest = this.#digest(`[${JSON.stringify(salt ?? '')},${text}]`);
    const known: KnownContent = { digest, salt, whole: this.#digest(text), form, cut: false, value };
    this.#values.keep(known, ENTRY_BYTES + 2 * text.length);
    return { known, mismatch: stated !== null && stated !== digest };
  }

  #digest(text: string): string {
    return formatDigest(this.#hash(utf8(text)));
  }
}

/** A digest that another record quotes. */
export function quoted(digest: string): KnownContent {
  return { digest, salt: null, whole: null, form: '', cut: false, value: undefined };
}

/**
 * Whether two contents are the same, as far as they are known.
 * @param oneSalt whether both must have the same salt, as all contents of one action's input do
 */
export function compareContents(a: KnownContent, b: KnownContent, oneSalt: boolean): Comparison {
  if (a.whole !== null && b.whole !== null) {
    if (a.whole === b.whole) return { same: true, pointer: null };
    const pointer = a.value === undefined || b.value === undefined ? null : firstDifference(a.value, b.value);
    return { same: false, pointer };
  }
  if (a.digest === null || b.digest === null) return { same: null, pointer: null };
  // What people read of a cut value may be of something else than its digest.
  if (a.digest === b.digest) return { same: a.cut || b.cut ? null : true, pointer: null };
  const comparable = oneSalt || (a.salt !== null && a.salt === b.salt);
  return { same: comparable ? false : null, pointer: null };
}
