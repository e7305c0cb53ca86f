import { gzipSync } from 'node:zlib';
import packageJson from '../../package.json' with { type: 'json' };
import { nodeCrypto } from '../../src/node/index.ts';
import {
  canonicalBytes,
  consistencyPath,
  formatConsistencyProof,
  type Json,
  makeRecordProof,
  merkleRoot,
  publicKeyOf,
  receiptLeafHash,
  receiptSignedBytes,
  recordProofBytes,
  signEd25519,
} from '../../src/protocol/index.ts';
import { chooseRecords, chosenHtml } from '../../src/reports/pdf/index.ts';
import { derived, makeBundle, serviceKid } from './bundle-maker.ts';
import { checkpointAt } from './checkpoints.ts';

/** The bundle that cases of these tests are about, whose issuer is this key. */
export const made = makeBundle({ agents: 2, epochs: [3, 4], payload: { amount: 12 } });
export const BUNDLE = Buffer.from(made.text);
export const ISSUER = serviceKid(0);
export const IDS = made.bundle.records.map(({ eor }) => eor.operation_id);

const source = () => [BUNDLE];

/** A report of chosen records as an examiner makes and signs it with `countersign report --key`. */
export async function reportBy(
  name: string,
  entries: readonly { readonly seq_no: number; readonly comment?: string }[],
  keyOf = `report key of ${name}`,
): Promise<Buffer> {
  const seed = derived(keyOf);
  const signer = { publicKey: publicKeyOf(seed), sign: (message: Uint8Array) => signEd25519(seed, message) };
  const request = {
    title: `What ${name} found`,
    question: 'Who asked for it?',
    examiner: name,
    madeAt: '2026-11-23T10:00:00.000Z',
    entries,
    trustedKids: [ISSUER],
    signer,
  };
  const { report } = await chooseRecords(source, request, nodeCrypto);
  return Buffer.from(await chosenHtml(report, packageJson.version));
}

export async function proofOf(...seqNos: readonly number[]): Promise<Buffer> {
  return Buffer.from(recordProofBytes(await makeRecordProof(source, seqNos, nodeCrypto.sha256)));
}

/** Receipts that an agent kept, one a line. */
export const RECEIPTS = Buffer.from(
  made.receipts.map((receipt) => `${Buffer.from(canonicalBytes(receipt as unknown as Json)).toString()}\n`).join(''),
);

const leaves = made.receipts.map((receipt) => receiptLeafHash(receiptSignedBytes(receipt)));
const rootAt = (size: number): Uint8Array => merkleRoot(leaves.slice(0, size));

/** A checkpoint of the log of that bundle, at the end of its first epoch. */
export const CHECKPOINT = Buffer.from(checkpointAt(3, rootAt(3)));
/** Another at its head. */
export const HEAD = checkpointAt(7, rootAt(7));
/** Others that the same service signed: two that contradict the bundle at the end of an epoch and within one. */
export const OTHER_ROOT = Buffer.from(checkpointAt(3, rootAt(2)));
export const OTHER_ROOT_WITHIN = Buffer.from(checkpointAt(5, rootAt(2)));
export const BEYOND = Buffer.from(checkpointAt(9, rootAt(2)));
/** The log of that bundle two records further on: a checkpoint of it, another one of that size, and the proof that leads from the bundle to the first. */
const longer = [...leaves, ...leaves.slice(0, 2)];
const node = (height: number, index: number): Uint8Array =>
  merkleRoot(longer.slice(index * 2 ** height, (index + 1) * 2 ** height));
export const AHEAD = Buffer.from(checkpointAt(9, merkleRoot(longer)));
export const OTHER_AHEAD = Buffer.from(checkpointAt(9, rootAt(4)));
export const PROOF_AHEAD = Buffer.from(
  formatConsistencyProof({ oldSize: 7, path: consistencyPath(7, 9, node) }, AHEAD.toString()),
);
export const BY_A_STRANGER = Buffer.from(checkpointAt(3, rootAt(3), { service: 7 }));

export const GZIP = gzipSync(BUNDLE);

/** Foreign markup with a script: what must never be shown. */
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
