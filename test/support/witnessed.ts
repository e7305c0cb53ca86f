/** Witnesses, what they cosign, and what a verifier is to say of a bundle whose reader demands them (protocol V182 to V185). */
import {
  consistencyPath,
  cosignedBytes,
  type FindingCode,
  formatConsistencyProof,
  formatCosignature,
  formatWitnessKey,
  makeRecordProof,
  merkleRoot,
  parseCheckpoint,
  publicKeyOf,
  receiptLeafHash,
  receiptSignedBytes,
  recordProofBytes,
  signEd25519,
  utf8,
  type Verdict,
  type WitnessKey,
} from '../../src/protocol/index.ts';
import { mlDsaSigner } from '../../src/protocol/ml-dsa/index.ts';
import { makeBundle, ORG_ID, type Plan } from './bundle-maker.ts';
import { checkpointAt, proofBetween, rootAt } from './checkpoints.ts';
import { WHOLE } from './dishonest.ts';

type Algorithm = WitnessKey['algorithm'];

interface Signer {
  readonly key: WitnessKey;
  readonly vkey: string;
  readonly line: (checkpoint: string, timestamp: number) => string;
}

/** A witness of some name, its key from a seed. */
export function witness(name: string, seed: number, algorithm: Algorithm = 'ed25519'): Signer {
  const bytes = new Uint8Array(32).fill(seed);
  const signer =
    algorithm === 'ed25519'
      ? { publicKey: publicKeyOf(bytes), sign: (message: Uint8Array) => signEd25519(bytes, message) }
      : mlDsaSigner(bytes);
  const key = { name, algorithm, publicKey: signer.publicKey };
  const line = (checkpoint: string, timestamp: number): string => {
    const text = checkpoint.startsWith('old ') ? checkpoint.slice(checkpoint.indexOf('\n\n') + 2) : checkpoint;
    const signature = signer.sign(cosignedBytes(parseCheckpoint(utf8(text)), key, timestamp));
    return `${formatCosignature(key, timestamp, signature)}\n`;
  };
  return { key, vkey: formatWitnessKey(key), line };
}

export const [ALPHA, BETA, GAMMA] = [
  witness('alpha.example/w', 11),
  witness('beta.example/w', 12),
  witness('gamma.example/w', 13),
];
/** The second key of ALPHA's organization. */
export const ALPHA_PQ = witness('alpha.example/w', 14, 'ml-dsa-44');

/** At 2026-11-21 10:00:00 UTC, in seconds. */
export const T = Date.UTC(2026, 10, 21, 10) / 1000;

export const policyOf = (threshold: number) => ({
  threshold,
  organizations: [
    { name: 'Alpha Ltd', keys: [ALPHA.vkey, ALPHA_PQ.vkey] },
    { name: 'Beta', keys: [BETA.vkey] },
    { name: 'Gamma', keys: [GAMMA.vkey] },
  ],
});

export const cosigned = (checkpoint: string, ...by: readonly (readonly [Signer, number])[]): string =>
  checkpoint + by.map(([signer, time]) => signer.line(checkpoint, time)).join('');

export interface WitnessedCase {
  readonly what: string;
  readonly made: Plan;
  readonly checkpoints: readonly string[];
  readonly threshold: number;
  readonly verdict: Verdict;
  readonly codes: readonly FindingCode[];
  /** Up to which number the records are witnessed, and until when no other log was seen. */
  readonly size: number;
  readonly until?: string;
  /** What only a verifier with ML-DSA-44 can say. */
  readonly needsMlDsa?: true;
}

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const lacking = (what: string, ...checkpoints: readonly string[]): WitnessedCase => ({
  what,
  made: WHOLE,
  checkpoints,
  threshold: 2,
  verdict: 'incomplete',
  codes: ['NOT_WITNESSED'],
  size: 0,
});

/** The end of its second epoch, 5, is no size on the way that the bundle of one agent of eight goes along its log. */
const ALL_EIGHT: Plan = { agents: 8, epochs: [2, 3, 4] };
const SPARSE: Plan = { ...ALL_EIGHT, onlyAgent: 0 };
const sparse = makeBundle(ALL_EIGHT).receipts.map((receipt) => receiptLeafHash(receiptSignedBytes(receipt)));
const sparseAt = (size: number): string => checkpointAt(size, merkleRoot(sparse.slice(0, size)));
const sparsePath = consistencyPath(5, 9, (height, index) =>
  merkleRoot(sparse.slice(index * 2 ** height, (index + 1) * 2 ** height)),
);
const BOTH = [
  [ALPHA, T + 60],
  [BETA, T],
] as const;
const forged = BETA.line(checkpointAt(7), T).replace(
  /.{8}\n$/,
  (end) => `${end[0] === 'A' ? 'B' : 'A'}${end.slice(1)}`,
);

export const witnessedCases: readonly WitnessedCase[] = [
  {
    what: 'two of three at the head',
    made: WHOLE,
    checkpoints: [cosigned(checkpointAt(7), ...BOTH)],
    threshold: 2,
    verdict: 'verified',
    codes: [],
    size: 7,
    until: at(T),
  },
  {
    what: 'three of three, of which the second time counts',
    made: WHOLE,
    checkpoints: [cosigned(checkpointAt(7), ...BOTH, [GAMMA, T + 30])],
    threshold: 2,
    verdict: 'verified',
    codes: [],
    size: 7,
    until: at(T + 30),
  },
  {
    what: 'an organization by its key in ML-DSA-44 alone',
    made: WHOLE,
    checkpoints: [cosigned(checkpointAt(7), [ALPHA_PQ, T], [GAMMA, T])],
    threshold: 2,
    verdict: 'verified',
    codes: [],
    size: 7,
    until: at(T),
    needsMlDsa: true,
  },
  lacking('no checkpoint'),
  lacking('a checkpoint without cosignatures', checkpointAt(7)),
  lacking('one of two', cosigned(checkpointAt(7), [ALPHA, T])),
  lacking('two keys of one organization', cosigned(checkpointAt(7), [ALPHA, T], [ALPHA_PQ, T])),
  lacking('one who signed twice', cosigned(checkpointAt(7), [ALPHA, T], [ALPHA, T + 1])),
  lacking(
    'one of each of two checkpoints',
    cosigned(checkpointAt(7), [ALPHA, T]),
    cosigned(checkpointAt(5), [BETA, T]),
  ),
  lacking('a forged cosignature', `${cosigned(checkpointAt(7), [ALPHA, T])}${forged}`),
  lacking('a forged cosignature next to a good one', `${cosigned(checkpointAt(7), ...BOTH)}${forged}`),
  lacking(
    'the cosignature of another size',
    `${cosigned(checkpointAt(7), [ALPHA, T])}${BETA.line(checkpointAt(5), T)}`,
  ),
  lacking('a cosignature without a time', `${cosigned(checkpointAt(7), [ALPHA, T])}${BETA.line(checkpointAt(7), 0)}`),
  lacking('a stranger', cosigned(checkpointAt(7), [ALPHA, T], [witness('delta.example/w', 15), T])),
  lacking(
    'a stranger by the name of a witness',
    cosigned(checkpointAt(7), [ALPHA, T], [witness('beta.example/w', 16), T]),
  ),
  { ...lacking('a checkpoint of fewer records', cosigned(checkpointAt(5), ...BOTH)), size: 5, until: at(T) },
  {
    ...lacking(
      'two checkpoints, of which the larger lacks one',
      cosigned(checkpointAt(5), ...BOTH),
      cosigned(checkpointAt(7), [ALPHA, T]),
    ),
    size: 5,
    until: at(T),
  },
  {
    ...lacking(
      'a log that goes further, whose proof begins before the last record',
      cosigned(proofBetween(5, 7), ...BOTH),
    ),
    made: { ...WHOLE, epochs: [2, 3], rotation: false },
    verdict: 'verified',
    codes: [],
    size: 5,
    until: at(T),
  },
  {
    ...lacking(
      'a checkpoint that no service key signed',
      cosigned(checkpointAt(7, rootAt(7), { service: 5 }), ...BOTH),
    ),
    codes: ['NOT_COMPARED', 'NOT_WITNESSED', 'RECEIPT_SIGNATURE_INVALID'],
  },
  {
    ...lacking(
      'another root: who cosigned it proves nothing for the bundle',
      cosigned(checkpointAt(7, rootAt(6)), ...BOTH),
    ),
    verdict: 'failed',
    codes: ['EQUIVOCATION', 'NOT_WITNESSED'],
  },
  { ...lacking('a size that an epoch alone states', cosigned(sparseAt(5), ...BOTH)), made: SPARSE },
  {
    ...lacking(
      'a size that a proof leads from to the head',
      cosigned(sparseAt(5), ...BOTH),
      formatConsistencyProof({ oldSize: 5, path: sparsePath }, sparseAt(9)),
    ),
    made: SPARSE,
    size: 5,
    until: at(T),
  },
];

/** What a policy with demands of single ledgers comes to for a bundle of ORG_ID whose checkpoint ALPHA and BETA cosigned (protocol V182). */
export interface ScopedCase {
  readonly what: string;
  readonly policy: object;
  readonly verdict: Verdict;
  /** Up to which number the records are witnessed; null where nothing is demanded. */
  readonly size: number | null;
}

const { organizations } = policyOf(1);
const [alpha, , gamma] = organizations;
const byAlpha = { threshold: 1, organizations: [alpha] };
const byGamma = { threshold: 1, organizations: [gamma] };
export const scopedCases: readonly ScopedCase[] = [
  {
    what: 'a demand of its ledger alone',
    policy: { ledgers: [{ org_id: ORG_ID, ...byAlpha }] },
    verdict: 'verified',
    size: 7,
  },
  {
    what: 'a demand of its ledger in place of that of all others',
    policy: { ...byGamma, ledgers: [{ org_id: ORG_ID, ...byAlpha }] },
    verdict: 'verified',
    size: 7,
  },
  {
    what: 'a demand of its ledger that is not met, though that of all others is',
    policy: { ...byAlpha, ledgers: [{ org_id: ORG_ID, ...byGamma }] },
    verdict: 'incomplete',
    size: 0,
  },
  {
    what: 'a demand of another ledger next to that of all others',
    policy: { ...byAlpha, ledgers: [{ org_id: 'org_other', ...byGamma }] },
    verdict: 'verified',
    size: 7,
  },
  {
    what: 'a demand of another ledger alone',
    policy: { ledgers: [{ org_id: 'org_other', ...byGamma }] },
    verdict: 'verified',
    size: null,
  },
];

/** Policies that are none, for what they say of single ledgers. */
export const malformedScopes: readonly (readonly [what: string, policy: object])[] = [
  ['no ledger', { ledgers: [] }],
  ['ledgers that are no list', { ...byAlpha, ledgers: null }],
  [
    'a ledger twice',
    {
      ledgers: [
        { org_id: ORG_ID, ...byAlpha },
        { org_id: ORG_ID, ...byGamma },
      ],
    },
  ],
  ['a ledger without an org_id', { ledgers: [byAlpha] }],
  ['a ledger with an empty org_id', { ledgers: [{ org_id: '', ...byAlpha }] }],
  ['half a demand of all others', { threshold: 1, ledgers: [{ org_id: ORG_ID, ...byAlpha }] }],
  ['a threshold of a ledger above its organizations', { ledgers: [{ org_id: ORG_ID, ...byAlpha, threshold: 2 }] }],
];

/** The same checkpoints, in the bundle and not beside it (protocol V187). */
export const carriedCases: readonly WitnessedCase[] = witnessedCases
  .filter(({ checkpoints }) => checkpoints.length > 0)
  .map(({ what, made, checkpoints, ...one }) => ({
    ...one,
    what: `in the file: ${what}`,
    made: {
      ...made,
      contents: (contents) => ({ ...contents, edges: { ...contents.edges, cosigned: checkpoints } }),
    },
    checkpoints: [],
  }));

/** Proofs of records of the same ledger, and how far witnesses stand behind each (protocol R14). */
export interface WitnessedProof {
  readonly what: string;
  readonly file: Uint8Array;
  readonly threshold: number;
  readonly verdict: Verdict;
  readonly size: number;
}

const whole = makeBundle(WHOLE).text;
const proofWith = async (seqNo: number, carried: (end: number) => readonly string[]): Promise<Uint8Array> => {
  const proof = await makeRecordProof(() => [utf8(whole)], [seqNo]);
  const cosigned = carried(proof.seal.epoch.last_seq_no);
  return recordProofBytes({ ...proof, seal: { ...proof.seal, ...(cosigned.length === 0 ? {} : { cosigned }) } });
};
const atEnd = await proofWith(7, () => [cosigned(checkpointAt(7), ...BOTH)]);
const before = await proofWith(1, (end) => [cosigned(proofBetween(end, 7), ...BOTH)]);

export const witnessedProofs: readonly WitnessedProof[] = [
  { what: 'the end of its epoch', file: atEnd, threshold: 2, verdict: 'verified', size: 7 },
  { what: 'fewer witnesses than are demanded', file: atEnd, threshold: 3, verdict: 'incomplete', size: 0 },
  { what: 'a log that goes further', file: before, threshold: 2, verdict: 'verified', size: 2 },
  {
    what: 'a log that goes further, without the way there',
    file: await proofWith(1, () => [cosigned(checkpointAt(7), ...BOTH)]),
    threshold: 2,
    verdict: 'incomplete',
    size: 0,
  },
  { what: 'nothing', file: await proofWith(1, () => []), threshold: 2, verdict: 'incomplete', size: 0 },
  {
    what: 'another root',
    file: await proofWith(7, () => [cosigned(checkpointAt(7, rootAt(6)), ...BOTH)]),
    threshold: 2,
    verdict: 'failed',
    size: 0,
  },
];
