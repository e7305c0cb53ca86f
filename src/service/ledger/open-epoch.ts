import { nodeCrypto } from '../../node/index.ts';
import { CompactRange } from '../../protocol/index.ts';
import type { OpenLeaf } from './ledger-store.ts';

/** The leaves of an organization that no epoch has sealed yet: their count, their tree, and when the first was received. */
export class OpenEpoch {
  readonly firstSeqNo: number;
  readonly startedAt: number;
  readonly #tree = new CompactRange(0, nodeCrypto.sha256);

  constructor(firstSeqNo: number, startedAt: number) {
    this.firstSeqNo = firstSeqNo;
    this.startedAt = startedAt;
  }

  get leafCount(): number {
    return this.#tree.end;
  }

  get lastSeqNo(): number {
    return this.firstSeqNo + this.leafCount - 1;
  }

  add({ leafHash }: OpenLeaf): void {
    this.#tree.push(leafHash);
  }

  root(): Uint8Array {
    return this.#tree.root();
  }
}
