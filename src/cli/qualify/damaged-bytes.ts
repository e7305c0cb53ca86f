import { gzipSync } from 'node:zlib';
import { concatBytes, utf8 } from '../../protocol/index.ts';
import { type About, type Copy, type Expectation, failing, type Mutation, type Subject } from './mutation.ts';

export const TRUNCATIONS = 25;
export const FLIPPED_BITS = 50;

/** A mutation of the text of the file; `change` answers null where it does not apply. */
function textMutation(
  about: About,
  change: (text: string, subject: Subject) => string | Uint8Array | null,
  { expected = 'failed', lacking = 'there is no such place' }: { expected?: Expectation; lacking?: string } = {},
): Mutation {
  return {
    ...about,
    expected,
    copies: (subject) => {
      const copy = change(subject.text, subject);
      return copy === null ? lacking : [{ at: 'the file', make: () => change(subject.text, subject) ?? '' }];
    },
  };
}

/** A mutation of the line of a record: the first that it applies to, from a place that the seed chooses. */
function lineMutation(about: About, pattern: RegExp, replacement: (...found: string[]) => string): Mutation {
  return failing(about, (subject) => {
    const index = subject.record(about.id, (record) => pattern.test(JSON.stringify(record)));
    if (index === null) return 'no record has such a value';
    const line = JSON.stringify(subject.bundle.records[index]);
    return [
      {
        at: `seq_no ${subject.bundle.records[index]?.ear.seq_no}`,
        make: () => subject.text.replace(line, () => line.replace(pattern, replacement)),
      },
    ];
  });
}

/**
 * One bit of a file flipped.
 * @param label chooses the place
 * @param within the bytes that it may be in, from the first to before the last; all of them where left out
 */
export function flippedBit(
  subject: Subject,
  text: string,
  label: string,
  within: readonly [from: number, to: number] | null = null,
): Copy {
  const bytes = utf8(text);
  const [from, to] = within ?? [0, bytes.length];
  const bit = from * 8 + subject.number(label, (to - from) * 8);
  const at = bit >> 3;
  return { at: `bit ${bit & 7} of byte ${at}`, make: () => bytes.with(at, (bytes[at] ?? 0) ^ (1 << (bit & 7))) };
}

/** Spelling and damage: what happens to the bytes of a file, whatever they mean. */
export const DAMAGED_BYTES: readonly Mutation[] = [
  {
    id: 'truncate',
    title: 'the file cut short',
    attack: 'none: damage, or a hidden end',
    expected: 'failed',
    copies: (subject) => {
      const bytes = utf8(subject.text);
      return Array.from({ length: TRUNCATIONS }, (_, n) => {
        // The last one lacks a single byte.
        const length = n === 0 ? bytes.length - 1 : subject.number(`truncate ${n}`, bytes.length);
        return { at: `after byte ${length}`, make: () => bytes.slice(0, length) };
      });
    },
  },
  {
    id: 'flip-bit',
    title: 'one bit of the file flipped',
    attack: 'none: damage',
    expected: 'failed',
    copies: (subject) => Array.from({ length: FLIPPED_BITS }, (_, n) => flippedBit(subject, subject.text, `bit ${n}`)),
  },
  {
    id: 'blank-block',
    title: 'a block of 512 bytes overwritten with zeros',
    attack: 'none: damage of a disk',
    expected: 'failed',
    copies: (subject) => {
      const bytes = utf8(subject.text);
      const from = subject.number('blank-block', bytes.length);
      return [{ at: `byte ${from}`, make: () => bytes.slice().fill(0, from, from + 512) }];
    },
  },
  textMutation({ id: 'truncate-gzip', title: 'compressed, then cut short', attack: 'none: damage' }, (text) => {
    const packed = gzipSync(text);
    return packed.subarray(0, packed.length - 9);
  }),
  textMutation(
    { id: 'trailing-bytes', title: 'something appended after the end', attack: 'hide a second document' },
    (text) => `${text}{}`,
  ),
  textMutation(
    {
      id: 'byte-order-mark',
      title: 'a byte order mark put behind the first bracket',
      attack: 'have two readers disagree',
    },
    (text) => text.replace('{', '{\ufeff'),
  ),
  textMutation({ id: 'utf-16', title: 'written as UTF-16', attack: 'have two readers disagree' }, (text) =>
    concatBytes(Uint8Array.of(0xff, 0xfe), Buffer.from(text, 'utf16le')),
  ),
  textMutation(
    { id: 'ill-formed-utf-8', title: 'an ill-formed byte in a text', attack: 'have two readers disagree' },
    (text, { bundle }) => {
      const at = text.indexOf(JSON.stringify(bundle.org.org_id));
      return at === -1 ? null : concatBytes(utf8(text.slice(0, at + 2)), Uint8Array.of(0xff), utf8(text.slice(at + 2)));
    },
  ),
  textMutation({ id: 'format-version', title: 'another format version', attack: 'have other rules apply' }, (text) =>
    text.replace('countersign.bundle.v1', 'countersign.bundle.v2'),
  ),
  textMutation(
    { id: 'duplicate-member', title: 'a top-level member twice', attack: 'show one reader this, another that' },
    (text) => text.replace('"org":', '"org":{"org_id":"org_of_somebody_else","name":"Other"},\n"org":'),
  ),
  textMutation(
    { id: 'delete-member', title: 'a top-level member deleted', attack: 'leave out what would show the rest' },
    (text) => text.replace(/"admin_events":\[.*\],\n/, ''),
  ),
  textMutation(
    { id: 'unknown-member', title: 'an unknown top-level member added', attack: 'smuggle in what nobody signed' },
    (text) => text.replace('"org":', '"note":"nobody signed this",\n"org":'),
  ),
  lineMutation(
    {
      id: 'duplicate-member-in-record',
      title: 'a member of a record twice',
      attack: 'show one reader this, another that',
    },
    /"action":/,
    (found) => `"action":"something else",${found}`,
  ),
  lineMutation(
    { id: 'duplicate-member-in-payload', title: 'a member of a payload twice', attack: 'the same, deeper' },
    /"payload":\{("(?:[^"\\]|\\.)*"):/,
    (_, name = '') => `"payload":{${name}:null,${name}:`,
  ),
  lineMutation(
    { id: 'unknown-member-in-record', title: 'an unknown member of a record', attack: 'smuggle in what nobody signed' },
    /"eor":\{/,
    (found) => `${found}"note":"nobody signed this",`,
  ),
  lineMutation(
    { id: 'upper-case-digest', title: 'a digest in upper case', attack: 'have two readers disagree' },
    /"payload_hash":"sha256:([0-9]*[a-f])/,
    (found) => found.replace(/[0-9a-f]*[a-f]$/, (digits) => digits.toUpperCase()),
  ),
  lineMutation(
    { id: 'padded-signature', title: 'a signature with padding', attack: 'have two readers disagree' },
    /("signature":"[A-Za-z0-9_-]{86})"/,
    (_, found = '') => `${found}=="`,
  ),
  lineMutation(
    { id: 'upper-case-exponent', title: 'a number with an upper-case exponent', attack: 'have two readers disagree' },
    /("seq_no":\d+)/,
    (found) => `${found}E0`,
  ),
  lineMutation(
    {
      id: 'inexact-number',
      title: 'a number with digits that a double does not keep',
      attack: 'show another number than was signed',
    },
    /("seq_no":\d+)/,
    (found) => `${found}.00000000000000000000001`,
  ),
  lineMutation(
    { id: 'upper-case-escape', title: 'an escape with an upper-case digit', attack: 'have two readers disagree' },
    // These letters, and no other lower-case ones, have a digit above 9 in their code: the value stays the same.
    /("(?:subject|action|operation_type|agent_id)":"[^"\\]*?)([j-oz])/,
    (_, before = '', letter = '') => `${before}\\u00${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  ),
  lineMutation(
    { id: 'lone-surrogate', title: 'a lone surrogate in a text', attack: 'have two readers disagree' },
    /"subject":"/,
    (found) => `${found}\\ud800`,
  ),
  lineMutation(
    { id: 'number-as-text', title: 'a number written as text', attack: 'have two readers disagree' },
    /"ttl_ms":(\d+)/,
    (_, digits = '') => `"ttl_ms":"${digits}"`,
  ),
];

/** Copies that say the same as the original: a verifier that refuses them would detect nothing by refusing the others. */
export const CONTROLS: readonly Mutation[] = [
  textMutation(
    { id: 'control-rewritten', title: 'control: rewritten, unchanged', attack: 'none: the same bundle' },
    (text) => text,
    { expected: 'verified' },
  ),
  textMutation(
    { id: 'control-white-space', title: 'control: other line ends', attack: 'none: the same bundle' },
    (text) => `${text.replaceAll('\n', '\r\n')}\r\n`,
    { expected: 'verified' },
  ),
  textMutation(
    { id: 'control-compressed', title: 'control: compressed', attack: 'none: the same bundle' },
    (text) => gzipSync(text),
    { expected: 'verified' },
  ),
];
