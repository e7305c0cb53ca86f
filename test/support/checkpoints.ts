/** Checkpoints as a service signs them, as somebody alters them, and what a verifier is to say of each (protocol V120). */
import {
  checkpointOrigin,
  concatBytes,
  consistencyPath,
  type FindingCode,
  formatConsistencyProof,
  fromBase64Url,
  merkleRoot,
  parseDigest,
  publicKeyOf,
  receiptLeafHash,
  receiptSignedBytes,
  sha256,
  toBase64Url,
  utf8,
  type Verdict,
} from '../../src/protocol/index.ts';
import { makeBundle, ORG_ID, otherDigest, type Plan, serviceKid, serviceSeed, sign } from './bundle-maker.ts';
import { at } from './bytes.ts';
import { ONE_AGENT, RANGE, tampered, WHOLE, withRecord, withRecords } from './dishonest.ts';

const ORIGIN = checkpointOrigin(ORG_ID);
const leaves = makeBundle(WHOLE).receipts.map((receipt) => receiptLeafHash(receiptSignedBytes(receipt)));

/** The root of the log of WHOLE at a size, 32 bytes. */
export const rootAt = (size: number): Uint8Array => merkleRoot(leaves.slice(0, size));
export const anotherRoot: Uint8Array = parseDigest(otherDigest('another root of the log'));

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** What is signed of a checkpoint. */
export function noteText(
  size: number | string,
  root: Uint8Array,
  origin = ORIGIN,
  extensions: readonly string[] = [],
): string {
  return [origin, size, base64(root), ...extensions].map((line) => `${line}\n`).join('');
}

interface Signing {
  /** Whose signature: a service key by its index. */
  readonly service?: number;
  readonly name?: string;
  /** What is signed instead of the text. */
  readonly over?: string;
  readonly type?: number;
}

/** One signature line over a text. */
export function signatureLine(
  text: string,
  { service = 0, name = ORIGIN, over = text, type = 1 }: Signing = {},
): string {
  const publicKey = publicKeyOf(serviceSeed(service));
  const id = sha256(concatBytes(utf8(name), Uint8Array.of(0x0a, type), publicKey)).subarray(0, 4);
  const signature = fromBase64Url(sign(serviceSeed(service), utf8(over)), 64);
  return `— ${name} ${base64(concatBytes(id, signature))}`;
}

/** A whole checkpoint: the text and lines over it. */
export function noted(text: string, ...lines: readonly string[]): string {
  return `${text}\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** What the service signs at a size. */
export function checkpointAt(size: number, root: Uint8Array = rootAt(size), signing: Signing = {}): string {
  const text = noteText(size, root);
  return noted(text, signatureLine(text, signing));
}

const sound = checkpointAt(5);
const [soundText, soundLine] = [noteText(5, rootAt(5)), signatureLine(noteText(5, rootAt(5)))];
const WITNESS = `— witness.example/w1 ${base64(new Uint8Array(76).fill(9))}`;

/** A checkpoint of so many bytes, by an extension line. */
function ofLength(bytes: number): string {
  const rest = bytes - utf8(noted(noteText(5, rootAt(5), ORIGIN, ['']), soundLine)).length;
  const text = noteText(5, rootAt(5), ORIGIN, ['x'.repeat(rest)]);
  return noted(text, signatureLine(text));
}

/** Files that are no checkpoint. */
export const noCheckpoints: readonly (readonly [what: string, file: string | Uint8Array])[] = [
  ['nothing', ''],
  ['a line break', '\n'],
  ['JSON', '{"size":5}\n'],
  ['no signature', `${soundText}\n`],
  ['no empty line', `${soundText}${soundLine}\n`],
  ['an empty line more at the end', `${sound}\n`],
  ['an empty line more before the signatures', `${soundText}\n\n${soundLine}\n`],
  ['an empty line within the text', noted(`${soundText}\nextension\n`, soundLine)],
  ['carriage returns at some ends', sound.replace('\n', '\r\n')],
  ['a carriage return within a line', sound.replaceAll('\n', '\r\n').replace('5', '\r5')],
  ['a byte order mark further on', sound.replace('\n', '\n\ufeff')],
  ['a tab', noted(noteText(5, rootAt(5), ORIGIN, ['a\tb']), soundLine)],
  ['bytes that are no UTF-8', concatBytes(utf8(sound), Uint8Array.of(0xff, 0x0a))],
  ['no root', noted(`${ORIGIN}\n5\n`, soundLine)],
  ['no origin', noted(`\n5\n${base64(rootAt(5))}\n`, soundLine)],
  ...['0', '05', '+5', '-5', '5.0', '5e0', ' 5', '5 ', '٥', '9007199254740992', '1'.repeat(40), ''].map(
    (size): [string, string] => [`the size "${size}"`, noted(noteText(size, rootAt(5)), soundLine)],
  ),
  ['a root of 31 bytes', noted(noteText(5, rootAt(5).subarray(1)), soundLine)],
  ['a root without padding', sound.replace('=\n', '\n')],
  ['a root in base64url', noted(noteText(5, new Uint8Array(32).fill(0xff)).replaceAll('/', '_'), soundLine)],
  ['trailing bits in the root', noted(noteText(5, new Uint8Array(32)).replace('A=', 'B='), soundLine)],
  ['a hyphen for the dash', noted(soundText, soundLine.replace('—', '-'))],
  ['two spaces', noted(soundText, soundLine.replace('— ', '—  '))],
  ['a space at the end of a line', noted(soundText, `${soundLine} `)],
  ['no key name', noted(soundText, soundLine.replace(`${ORIGIN} `, ''))],
  ['a plus sign in a key name', noted(soundText, soundLine, WITNESS.replace('w1', 'w+1'))],
  ['white space in a key name', noted(soundText, soundLine, WITNESS.replace('w1', 'w\u20031'))],
  ['a next line in a key name', noted(soundText, soundLine, WITNESS.replace('w1', 'w\u00851'))],
  ['a signature in base64url', noted(soundText, soundLine, WITNESS.replace('CQkJ', '-_kJ'))],
  ['a signature without padding', noted(soundText, soundLine, `— w ${base64(new Uint8Array(7)).slice(0, -2)}`)],
  ['a signature of a key id alone', noted(soundText, soundLine, `— w ${base64(new Uint8Array(4))}`)],
  ['17 signature lines', noted(soundText, soundLine, ...Array<string>(16).fill(WITNESS))],
  ['131,073 bytes', ofLength(131_073)],
];

/** The same checkpoint, as programs that kept it may have changed the file. */
export const keptOtherwise: readonly (readonly [what: string, change: (file: string) => string])[] = [
  ['a byte order mark', (file) => `\ufeff${file}`],
  ['carriage returns', (file) => file.replaceAll('\n', '\r\n')],
  ['no end of the last line', (file) => file.slice(0, -1)],
  ['all three', (file) => `\ufeff${file.slice(0, -1).replaceAll('\n', '\r\n')}`],
];

/** Checkpoints that are given with a bundle, and what a verifier says. */
export interface KeptCase {
  readonly what: string;
  readonly made: Plan;
  readonly checkpoints: readonly (string | Uint8Array)[];
  /** Whom the reader trusts besides CHECKPOINT_TRUST. */
  readonly trust?: readonly string[];
  readonly verdict: Verdict;
  /** Codes of all findings, each once. */
  readonly codes: readonly FindingCode[];
  readonly compared?: number;
}

const extended = noteText(5, rootAt(5), ORIGIN, ['an extension', 'and one more']);
const elsewhere = noteText(5, rootAt(5), checkpointOrigin('org_other'));
const UNSIGNED: readonly FindingCode[] = ['RECEIPT_SIGNATURE_INVALID', 'NOT_COMPARED'];
const unsigned = (what: string, ...checkpoints: readonly string[]): KeptCase => ({
  what,
  made: WHOLE,
  checkpoints,
  verdict: 'incomplete',
  codes: UNSIGNED,
  compared: 0,
});
const agreeing = (what: string, made: Plan, ...checkpoints: readonly string[]): KeptCase => ({
  what,
  made,
  checkpoints,
  verdict: 'verified',
  codes: [],
  compared: checkpoints.length,
});

/** An epoch whose root of the log somebody changed after it was signed. */
const changedEpoch = tampered((bundle) => ({
  ...bundle,
  epochs: bundle.epochs.with(1, { ...at(bundle.epochs, 1), log_root: otherDigest('changed') }),
}));
const cutByOthers = tampered((bundle) => ({ ...bundle, records: bundle.records.toSpliced(2, 1) }));

/** A consistency proof as the service hands it out: from a size to a checkpoint. */
export function proofBetween(
  from: number,
  to: number,
  {
    root = rootAt(to),
    path = pathBetween(from, to),
  }: { readonly root?: Uint8Array; readonly path?: readonly Uint8Array[] } = {},
): string {
  return formatConsistencyProof({ oldSize: from, path }, checkpointAt(to, root));
}

const node = (height: number, index: number): Uint8Array =>
  merkleRoot(leaves.slice(index * 2 ** height, (index + 1) * 2 ** height));
const pathBetween = (from: number, to: number): Uint8Array[] => consistencyPath(from, to, node);

/** A bundle whose way along the log does not come to the size 3: it goes from 4 to 5, and on to 7. */
const LATE: Plan = { ...WHOLE, range: [6, 7] };
/** The same while the log had 5 receipts: it comes to 4 and to 5. */
const EARLY: Plan = { ...WHOLE, epochs: [2, 3], rotation: false, range: [5, 5] };
const otherLeaves = leaves.map((leaf, n) => (n === 1 ? parseDigest(otherDigest('another leaf')) : leaf));
const otherRootAt = (size: number): Uint8Array => merkleRoot(otherLeaves.slice(0, size));
const otherPath = (from: number, to: number): Uint8Array[] =>
  consistencyPath(from, to, (height, index) =>
    merkleRoot(otherLeaves.slice(index * 2 ** height, (index + 1) * 2 ** height)),
  );

const linkCases: readonly KeptCase[] = [
  agreeing('a size that a proof leads from, to the head', LATE, checkpointAt(3), proofBetween(3, 7)),
  agreeing('a size that a proof leads from, to a size within a gap', LATE, checkpointAt(3), proofBetween(3, 4)),
  agreeing('a size of a power of two that a proof leads from', LATE, checkpointAt(2), proofBetween(2, 5)),
  agreeing('a size of its own', LATE, proofBetween(5, 5)),
  agreeing('proofs in any order', LATE, proofBetween(1, 7), proofBetween(3, 5), checkpointAt(3), checkpointAt(1)),
  agreeing('a proof beyond the head', EARLY, proofBetween(5, 7)),
  agreeing('a proof from a size within a gap beyond the head', EARLY, proofBetween(4, 6)),
  agreeing('a checkpoint beyond the head with the proof to it', EARLY, checkpointAt(7), proofBetween(5, 7)),
  {
    what: 'a proof between two sizes of which the bundle has none',
    made: LATE,
    checkpoints: [checkpointAt(2), proofBetween(2, 3)],
    verdict: 'incomplete',
    codes: ['NOT_COMPARED'],
    compared: 0,
  },
  {
    what: 'a proof of other hashes: it proves nothing',
    made: LATE,
    checkpoints: [checkpointAt(3), proofBetween(3, 7, { path: pathBetween(3, 7).toReversed() })],
    verdict: 'incomplete',
    codes: ['NOT_COMPARED'],
    compared: 1,
  },
  {
    what: 'a proof of too few hashes beyond the head',
    made: EARLY,
    checkpoints: [proofBetween(5, 7, { path: pathBetween(5, 7).slice(1) })],
    verdict: 'incomplete',
    codes: ['NOT_COMPARED'],
    compared: 0,
  },
  {
    what: 'a checkpoint whose log a later one does not continue',
    made: LATE,
    checkpoints: [checkpointAt(3, anotherRoot), proofBetween(3, 7)],
    verdict: 'failed',
    codes: ['CONTRADICTION'],
    compared: 2,
  },
  {
    what: 'a checkpoint beyond the head, of a log that begins otherwise',
    made: EARLY,
    checkpoints: [proofBetween(5, 7, { root: otherRootAt(7), path: otherPath(5, 7) })],
    verdict: 'failed',
    codes: ['CONTRADICTION'],
    compared: 1,
  },
  {
    what: 'a proof to a checkpoint that nobody signed: it accuses nobody',
    made: EARLY,
    checkpoints: [
      formatConsistencyProof({ oldSize: 5, path: otherPath(5, 7) }, checkpointAt(7, otherRootAt(7), { service: 7 })),
    ],
    verdict: 'incomplete',
    codes: UNSIGNED,
    compared: 0,
  },
];

/** Files that begin as a consistency proof and are none. */
const noProofs: readonly (readonly [what: string, file: string])[] = [
  ['no checkpoint', 'old 5\n\n'],
  ['no empty line', `old 5\n${checkpointAt(7).replace('\n\n', '\n')}`],
  ['the size 0', proofBetween(5, 7).replace('old 5', 'old 0')],
  ['a size with a zero before it', proofBetween(5, 7).replace('old 5', 'old 05')],
  ['a size beyond its checkpoint', proofBetween(5, 7).replace('old 5', 'old 8')],
  ['a hash of 31 bytes', proofBetween(5, 7, { path: [new Uint8Array(31)] })],
  ['a hash in base64url', proofBetween(5, 7, { path: [new Uint8Array(32).fill(0xff)] }).replace('////', '____')],
  ['64 hashes', proofBetween(5, 7, { path: Array<Uint8Array>(64).fill(new Uint8Array(32)) })],
];

/** A service key that the reader trusts and named by itself, and that the bundle lacks. */
const ABSENT = { service: 7 } as const;
const trust = [toBase64Url(publicKeyOf(serviceSeed(7)))];
const byAbsentKey: readonly KeptCase[] = [
  {
    ...agreeing('a key that the reader trusts and the bundle lacks', WHOLE, checkpointAt(5, rootAt(5), ABSENT)),
    trust,
  },
  { ...agreeing('such a key within an epoch', RANGE, checkpointAt(4, rootAt(4), ABSENT)), trust },
  {
    what: 'another root at the end of an epoch, by a trusted key that the bundle lacks',
    made: WHOLE,
    checkpoints: [checkpointAt(5, anotherRoot, ABSENT)],
    trust,
    verdict: 'failed',
    codes: ['CONTRADICTION'],
    compared: 1,
  },
  {
    what: 'another root within an epoch, by a trusted key that the bundle lacks',
    made: WHOLE,
    checkpoints: [checkpointAt(4, anotherRoot, ABSENT)],
    trust,
    verdict: 'failed',
    codes: ['CONTRADICTION'],
    compared: 1,
  },
  {
    what: 'such a key trusted for another organization',
    made: WHOLE,
    checkpoints: [checkpointAt(5, anotherRoot, ABSENT)],
    trust: trust.map((key) => `${key}@other`),
    verdict: 'incomplete',
    codes: UNSIGNED,
    compared: 0,
  },
  {
    what: 'a trusted key that the bundle lacks, next to a wrong signature of one that it has',
    made: WHOLE,
    checkpoints: [noted(soundText, signatureLine(soundText, { over: 'x' }), signatureLine(soundText, ABSENT))],
    trust,
    verdict: 'incomplete',
    codes: UNSIGNED,
    compared: 0,
  },
  {
    what: 'a size beyond the head, by a trusted key that the bundle lacks',
    made: WHOLE,
    checkpoints: [checkpointAt(9, anotherRoot, ABSENT)],
    trust,
    verdict: 'incomplete',
    codes: ['NOT_COMPARED'],
    compared: 0,
  },
];

export const keptCases: readonly KeptCase[] = [
  ...linkCases,
  ...byAbsentKey,
  ...noProofs.map(
    ([what, file]): KeptCase => ({
      what: `no consistency proof: ${what}`,
      made: WHOLE,
      checkpoints: [file],
      verdict: 'incomplete',
      codes: ['MALFORMED', 'NOT_COMPARED'],
      compared: 0,
    }),
  ),
  agreeing('the end of each epoch', WHOLE, checkpointAt(2), checkpointAt(5), checkpointAt(7)),
  agreeing('sizes within epochs', WHOLE, checkpointAt(1), checkpointAt(3), checkpointAt(4), checkpointAt(6)),
  agreeing('a key after a rotation', WHOLE, checkpointAt(2, rootAt(2), { service: 1 })),
  agreeing('one size by two keys', WHOLE, checkpointAt(5), checkpointAt(5, rootAt(5), { service: 1 })),
  agreeing('both keys in one note', WHOLE, noted(soundText, soundLine, signatureLine(soundText, { service: 1 }))),
  agreeing('extension lines and a witness', WHOLE, noted(extended, WITNESS, signatureLine(extended), WITNESS)),
  agreeing('16 signature lines', WHOLE, noted(soundText, ...Array<string>(15).fill(WITNESS), soundLine)),
  agreeing('a note of 131,072 bytes', WHOLE, ofLength(131_072)),
  agreeing(
    'a stranger of the name of the log',
    WHOLE,
    noted(soundText, soundLine, signatureLine(soundText, { service: 7 })),
  ),
  agreeing(
    'a line of another type by the same key',
    WHOLE,
    noted(soundText, signatureLine(soundText, { type: 4 }), soundLine),
  ),
  agreeing(
    'a range: its records, and what stands beside them',
    RANGE,
    ...[1, 2, 3, 4, 5, 6, 7].map((size) => checkpointAt(size)),
  ),
  agreeing('a range: the covers of the gap before it', { ...WHOLE, range: [6, 7] }, checkpointAt(4), checkpointAt(5)),
  agreeing("one agent's bundle", ONE_AGENT, ...[1, 2, 3, 4, 5, 6, 7].map((size) => checkpointAt(size))),
  {
    what: 'a size within a gap before a range',
    made: { ...WHOLE, range: [6, 7] },
    checkpoints: [checkpointAt(3)],
    verdict: 'incomplete',
    codes: ['NOT_COMPARED'],
    compared: 0,
  },
  {
    what: 'a size beyond the head of the ledger',
    made: WHOLE,
    checkpoints: [checkpointAt(8, anotherRoot)],
    verdict: 'incomplete',
    codes: ['NOT_COMPARED'],
    compared: 0,
  },
  {
    what: 'another organization',
    made: WHOLE,
    checkpoints: [noted(elsewhere, signatureLine(elsewhere, { name: checkpointOrigin('org_other') }))],
    verdict: 'incomplete',
    codes: ['NOT_COMPARED'],
    compared: 0,
  },
  unsigned('a key that the bundle does not have', checkpointAt(5, rootAt(5), { service: 7 })),
  unsigned('a signature over something else', checkpointAt(5, rootAt(5), { over: 'another text\n' })),
  unsigned('a signature without the last line end', checkpointAt(5, rootAt(5), { over: soundText.slice(0, -1) })),
  unsigned('the name of another key', checkpointAt(5, rootAt(5), { name: 'countersign.v1/x' })),
  unsigned(
    'a good signature and a wrong one',
    noted(soundText, soundLine, signatureLine(soundText, { service: 1, over: 'x' })),
  ),
  unsigned('a wrong root, signed by nobody', checkpointAt(5, anotherRoot, { service: 7 })),
  unsigned('an extension line that was put in', noted(extended, soundLine)),
  {
    what: 'another root at the end of an epoch',
    made: WHOLE,
    checkpoints: [checkpointAt(5, anotherRoot)],
    verdict: 'failed',
    codes: ['EQUIVOCATION'],
    compared: 1,
  },
  {
    what: "another root at the end of a neighbour's epoch",
    made: RANGE,
    checkpoints: [checkpointAt(2, anotherRoot)],
    verdict: 'failed',
    codes: ['EQUIVOCATION'],
    compared: 1,
  },
  {
    what: 'another root within an epoch',
    made: WHOLE,
    checkpoints: [checkpointAt(4, anotherRoot)],
    verdict: 'failed',
    codes: ['CONTRADICTION'],
    compared: 1,
  },
  {
    what: 'another root within an epoch of a range',
    made: RANGE,
    checkpoints: [checkpointAt(4, anotherRoot)],
    verdict: 'failed',
    codes: ['CONTRADICTION'],
    compared: 1,
  },
  {
    what: 'two checkpoints beyond the head that contradict each other',
    made: WHOLE,
    checkpoints: [checkpointAt(9, rootAt(3)), checkpointAt(9, rootAt(4), { service: 1 })],
    verdict: 'failed',
    codes: ['EQUIVOCATION', 'NOT_COMPARED'],
    compared: 0,
  },
  {
    what: 'two checkpoints, of which one contradicts the bundle too',
    made: WHOLE,
    checkpoints: [checkpointAt(5), checkpointAt(5, anotherRoot)],
    verdict: 'failed',
    codes: ['EQUIVOCATION'],
    compared: 2,
  },
  {
    what: 'an epoch that somebody changed',
    made: changedEpoch,
    checkpoints: [checkpointAt(5)],
    verdict: 'failed',
    codes: [...UNSIGNED, 'EPOCH_CHAIN_BROKEN', 'EPOCH_SIGNATURE_INVALID', 'LOG_ROOT_MISMATCH', 'MANIFEST_MISMATCH'],
  },
  {
    what: 'a record that somebody took out: its absence is not what the service signed',
    made: cutByOthers,
    checkpoints: [checkpointAt(4)],
    verdict: 'failed',
    codes: [
      ...(['NOT_COMPARED', 'CHAIN_BROKEN', 'EPOCH_ROOT_MISMATCH', 'INCLUSION_INVALID'] as const),
      ...(['MANIFEST_MISMATCH', 'SEQUENCE_GAP'] as const),
    ],
  },
  {
    what: 'a record that the service took out',
    made: withRecords((records) => records.toSpliced(2, 1)),
    checkpoints: [checkpointAt(4)],
    verdict: 'failed',
    codes: ['NOT_COMPARED', 'CHAIN_BROKEN', 'EPOCH_ROOT_MISMATCH', 'INCLUSION_INVALID', 'SEQUENCE_GAP'],
  },
  {
    what: "a receipt that somebody changed: what follows from it is nobody's word",
    made: withRecord(2, (record) => ({ ...record, ear: { ...record.ear, receipt_id: 'changed' } })),
    checkpoints: [checkpointAt(4)],
    verdict: 'failed',
    codes: [
      'NOT_COMPARED',
      'EPOCH_ROOT_MISMATCH',
      'LOG_ROOT_MISMATCH',
      'MANIFEST_MISMATCH',
      'RECEIPT_SIGNATURE_INVALID',
    ],
  },
  {
    what: 'a gap that somebody changed',
    made: tampered(
      ({ edges: { before, ...edges }, ...bundle }) => ({
        ...bundle,
        edges: { ...edges, before: before && { ...before, gap: [otherDigest('another gap')] } },
      }),
      { ...WHOLE, range: [4, 6] },
    ),
    checkpoints: [checkpointAt(2)],
    verdict: 'failed',
    codes: ['NOT_COMPARED', 'LOG_ROOT_MISMATCH', 'MANIFEST_MISMATCH'],
  },
  ...keptOtherwise.map(
    ([what, change]): KeptCase => ({
      what: `kept with ${what}`,
      made: WHOLE,
      checkpoints: [change(checkpointAt(5))],
      verdict: 'verified',
      codes: [],
      compared: 1,
    }),
  ),
  ...noCheckpoints.map(
    ([what, file]): KeptCase => ({
      what: `no checkpoint: ${what}`,
      made: WHOLE,
      checkpoints: [file],
      verdict: 'incomplete',
      codes: ['MALFORMED', 'NOT_COMPARED'],
      compared: 0,
    }),
  ),
];

/** Whom the reader of these trusts. */
export const CHECKPOINT_TRUST: readonly string[] = [serviceKid(0)];
