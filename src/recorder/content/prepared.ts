import type { Json } from '../../protocol/light.ts';
import type { Redaction } from '../redact/redaction.ts';
import type { SeenCall, SeenDecision, SeenGap, SeenNote, SeenSession, SeenTold, SeenTools } from '../seen/seen.ts';

/** How much of inputs and outputs is kept: both, inputs alone, or neither (their digests are always kept). */
export type ContentPolicy = 'full' | 'input' | 'digest';

/** Which content of an action it is: each has its own salt, which all witnesses of the action share. */
export type ContentName = 'input' | 'output' | 'presented' | 'told';

/**
 * A value without its secrets, before it becomes a content of the profile: `contentOf(prepared, salt)` makes that, with the salt of the
 * action, `keys.contentSalt(actionId, name)`. In memory only: what is kept of an open call is the content, and `same`.
 */
export interface PreparedContent {
  /** Canonical form of the whole value, redacted and well-formed: one text, however many values it has. */
  readonly canonical: string;
  /** What kind of value it is, for telling whether two witnesses tell it in the same form: the names of members of an object, else its type. */
  readonly shape: string;
  /** What is kept of it, cut to the limits; undefined where only the digest is. */
  readonly kept: Json | undefined;
  /** Whether `kept` is a part of the whole value. */
  readonly truncated: boolean;
  /** Bytes of the canonical form. */
  readonly bytes: number;
  /** Of a value that is nothing but base64. */
  readonly binary: { readonly media_type: string } | null;
  /** Of a whole output, as the program itself tells it to hooks and transcripts: those of one form are held against each other. */
  readonly form?: string;
  /**
   * Keyed digest of the whole value, 64 hex digits: equal for equal values, whoever saw them and whenever, and says nothing without the key. Of a
   * value beyond 2 MiB it is of the beginnings of its texts, which every witness has. For joining: it never leaves the machine.
   */
  readonly same: string;
}

interface Cleaned {
  readonly extra: { readonly [member: string]: Json } | null;
  /**
   * Salted digest of the bytes that came in, `contentDigest(keys.rawSalt(event_id), raw_sha256)`. The plain one would let anybody who sees
   * the rest of the event find by trial what was replaced in it.
   */
  readonly raw_digest: string;
  /**
   * What was replaced, by where it is in a payload of the profile: /input/value/..., /output/value/..., /told/N/content/value/...,
   * /tool/..., /outcome/error/..., /touched/N/..., /session/..., /actor/model/..., /actor/sub_agent/..., /actor/program/version,
   * /decision/by/id, /decision/justification, /note/kind, /note/text, /gap/reason, /tools/server, /witnesses/0/name,
   * /x_recorder/cwd, /x_recorder/extra/..., and in any number.
   */
  readonly redactions: readonly Redaction[];
  /** What came in too long to be kept: its size, and what this event lacks of it, with salted digests. */
  readonly shortened?: {
    readonly bytes: number;
    readonly left_out: readonly { readonly bytes: number; readonly digest: string }[];
    readonly cut_off?: true;
  };
}

type Clean<S, Replaced extends PropertyKey = never> = Omit<S, 'raw_sha256' | 'extra' | 'shortened' | Replaced> &
  Cleaned;

export type PreparedCall = Clean<SeenCall, 'input' | 'output'> & {
  readonly input?: PreparedContent;
  readonly output?: PreparedContent;
};
export type PreparedDecision = Clean<SeenDecision, 'input'> & { readonly input?: PreparedContent };
export type PreparedTold = Clean<SeenTold, 'told'> & {
  readonly told: readonly { readonly kind: SeenTold['told'][number]['kind']; readonly content: PreparedContent }[];
};

/** What was seen, without its secrets and within the limits of the profile: all that anything after this room gets. */
export type Prepared =
  | PreparedCall
  | PreparedDecision
  | PreparedTold
  | Clean<SeenSession>
  | Clean<SeenTools>
  | Clean<SeenNote>
  | Clean<SeenGap>;
