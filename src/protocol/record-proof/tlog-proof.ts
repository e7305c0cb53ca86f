import { readContents } from '../bundle/contents.ts';
import type { BundleSource } from '../bundle/document.ts';
import { decodeUtf8 } from '../bytes.ts';
import { formatDigest, type Sha256, sha256 } from '../digest.ts';
import { toBase64 } from '../encoding.ts';
import { auditPath } from '../merkle/audit-path.ts';
import { CompactRange, type ReadNode } from '../merkle/tree.ts';
import { type Checkpoint, checkpointOrigin, parseCheckpoint } from '../statements/checkpoint.ts';
import { type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { RecordProofError } from './record-proof-error.ts';

/** What a proof in the form of C2SP tlog-proof is put together from (protocol R30). */
export interface TlogProofParts {
  /** The receipt in the log. */
  readonly receipt: Receipt;
  /** The audit path in the log of the size of the checkpoint, 32 bytes each, from the leaf upward. */
  readonly path: readonly Uint8Array[];
  /** The text of the checkpoint, its signature lines included. */
  readonly checkpoint: string;
}

/** The file: text, each line ended. */
export function formatTlogProof({ receipt, path, checkpoint }: TlogProofParts): string {
  const lines = [
    'c2sp.org/tlog-proof@v1',
    `extra ${toBase64(receiptSignedBytes(receipt))}`,
    `index ${receipt.seq_no - 1}`,
    ...path.map(toBase64),
    '',
  ];
  return `${lines.join('\n')}\n${checkpoint}`;
}

function refuse(message: string): never {
  throw new RecordProofError('NOT_PROVABLE', message);
}

/** The root of a run of leaves, which the path of another leaf needs. */
interface Sibling {
  readonly from: number;
  readonly to: number;
  readonly tree: CompactRange;
}

/** The audit path of one leaf out of all leaves as they come: a few hashes are held for each level, and no leaf. */
class GrowingPath {
  readonly #siblings: Sibling[] = [];
  readonly #whole: CompactRange;

  constructor(size: number, index: number, hash: Sha256) {
    this.#whole = new CompactRange(0, hash);
    // Every node of the path is one complete or ragged run of leaves: auditPath tells which by asking for its parts.
    const runs: { from: number; to: number }[] = [];
    const node: ReadNode = (height, at) => {
      runs.push({ from: at * 2 ** height, to: (at + 1) * 2 ** height });
      return new Uint8Array(32);
    };
    auditPath(size, index, node, hash);
    for (const { from, to } of runs) this.#siblings.push({ from, to, tree: new CompactRange(0, hash) });
  }

  get size(): number {
    return this.#whole.end;
  }

  append(leaf: Uint8Array): void {
    const at = this.#whole.end;
    this.#whole.push(leaf);
    for (const { from, to, tree } of this.#siblings) if (at >= from && at < to) tree.push(leaf);
  }

  root(): string {
    return formatDigest(this.#whole.root());
  }

  /** Once all leaves came. */
  path(index: number, hash: Sha256): Uint8Array[] {
    const node: ReadNode = (height, at) =>
      this.#siblings.find(({ from, to }) => from === at * 2 ** height && to === (at + 1) * 2 ** height)?.tree.root() ??
      refuse('the path of the record cannot be computed');
    return auditPath(this.size, index, node, hash);
  }
}

/** The checkpoint as a reader takes it. @throws RecordProofError NOT_PROVABLE */
function checkpointFor(text: Uint8Array, seqNo: number): Checkpoint {
  const checkpoint = parseCheckpoint(text);
  if (checkpoint.size >= seqNo) return checkpoint;
  return refuse(`the checkpoint is of the log up to record ${checkpoint.size}: record ${seqNo} came later`);
}

/**
 * Makes the tlog-proof of a record from a bundle that holds the log from its first record to the checkpoint's size.
 * @param checkpoint the bytes of the file; whether it is signed is for the reader of the proof to check
 * @returns the text of the file
 * @throws RecordProofError; ProtocolError for what is no checkpoint; and what reading the source fails with
 */
export async function makeTlogProof(
  source: BundleSource,
  seqNo: number,
  checkpoint: Uint8Array,
  hash: Sha256 = sha256,
): Promise<string> {
  const { origin, size, root } = checkpointFor(checkpoint, seqNo);
  const growing = new GrowingPath(size, seqNo - 1, hash);
  let receipt: Receipt | null = null;
  let orgId: string | null = null;
  for await (const contents of readContents(source)) {
    for (const content of contents) {
      if (content.kind === 'broken') throw new RecordProofError('BUNDLE_BROKEN', content.message);
      if (content.kind === 'org') orgId = content.value.org_id;
      if (content.kind !== 'record') continue;
      const { ear } = content.value;
      if (ear.seq_no === seqNo) receipt = ear;
      if (ear.seq_no > size || growing.size === size) continue;
      if (ear.seq_no !== growing.size + 1) refuse('the bundle does not hold the log from record 1 without a gap');
      growing.append(receiptLeafHash(receiptSignedBytes(ear), hash));
    }
  }
  if (receipt === null) throw new RecordProofError('NO_SUCH_RECORD', `the bundle has no readable record ${seqNo}`);
  if (origin !== checkpointOrigin(orgId ?? '')) refuse('the checkpoint is of another organization');
  if (growing.size !== size) refuse(`the bundle holds the log up to ${growing.size}, the checkpoint is of ${size}`);
  if (growing.root() !== root) refuse('the records of the bundle do not give the root of the checkpoint');
  const text = decodeUtf8(checkpoint);
  return formatTlogProof({ receipt, path: growing.path(seqNo - 1, hash), checkpoint: text });
}
