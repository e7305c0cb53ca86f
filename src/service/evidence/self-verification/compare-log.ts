import { type Differ, formatDigest } from '../../../protocol/index.ts';
import { LogTree } from '../../ledger/epochs/log-tree.ts';
import type { Store } from '../../store/open.ts';

interface SubtreeRow {
  readonly height: number;
  readonly index: number;
  readonly root: Uint8Array;
}

/** The log as the records give it, for the kept roots of its subtrees to be compared with: the next epoch is sealed by them. */
export class LogFromRecords {
  readonly #tree = new LogTree();
  #follows = true;

  /** Takes the next record. @param leaf 32 bytes */
  add(seqNo: number, leaf: Uint8Array): void {
    this.#follows &&= seqNo === this.#tree.size + 1;
    if (this.#follows) this.#tree.append(leaf);
  }

  /** Compares, where all records up to the last seal were there: what else is missing has been said. */
  compare(kept: readonly SubtreeRow[], lastSealed: number, differ: Differ): void {
    if (this.#tree.size < lastSealed) return;
    const expected = new Map(
      this.#tree.grown
        .filter(({ height, index }) => (index + 1) * 2 ** height <= lastSealed)
        .map(({ height, index, root }) => [`${height}/${index}`, formatDigest(root)]),
    );
    const actual = new Map(kept.map(({ height, index, root }) => [`${height}/${index}`, `sha256:${hex(root)}`]));
    for (const name of new Set([...expected.keys(), ...actual.keys()])) {
      const [wanted, found] = [expected.get(name), actual.get(name)];
      if (wanted === found) continue;
      differ({
        check: 'epochs',
        where: { member: `log_subtrees ${name}` },
        expected: wanted ?? 'no such root',
        actual: found ?? 'no such root',
        message: 'The kept root of a subtree of the log is not that of the records.',
      });
    }
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The kept roots of an organization's log. */
export function keptSubtrees(store: Store, orgId: string): SubtreeRow[] {
  return store
    .statement('SELECT height, subtree_index AS "index", root FROM log_subtrees WHERE org_id = ?')
    .all(orgId) as SubtreeRow[];
}
