import type Database from 'better-sqlite3';
import { pathFromTiles } from './tiles.ts';

/** Leaves of the largest tree that a proof is made from. */
const MAX_LEAVES = 2 ** 30;

/** Makes proofs of inclusion from the tiles in the index. */
export class TileProofs {
  readonly #tile: Database.Statement;

  constructor(index: Database.Database) {
    this.#tile = index
      .prepare(
        `SELECT hashes FROM tiles WHERE org_no = (SELECT org_no FROM orgs WHERE org_id = ?)
           AND epoch_no = ? AND level = ? AND tile_no = ?`,
      )
      .pluck();
  }

  /**
   * The audit path of a leaf of a sealed epoch, hashes of 32 bytes from the leaf upward.
   * @returns null where the tiles are not made yet
   */
  path(orgId: string, epochNo: number, treeSize: number, leafIndex: number): Uint8Array[] | null {
    // What no service writes: somebody changed the epoch.
    if (!(treeSize > leafIndex && treeSize <= MAX_LEAVES)) return null;
    let missing = false;
    const path = pathFromTiles(treeSize, leafIndex, (level, tileNo) => {
      const tile = this.#tile.get(orgId, epochNo, level, tileNo) as Buffer | undefined;
      missing ||= tile === undefined;
      return tile ?? new Uint8Array(0);
    });
    return missing ? null : path;
  }
}
