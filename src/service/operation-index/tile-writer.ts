import type Database from 'better-sqlite3';
import { merkleRoot } from '../../protocol/merkle/tree.ts';
import { nodeCrypto } from '../../runtime/index.ts';
import { TILE_WIDTH } from './tiles.ts';

interface EpochRow {
  readonly epoch_no: number;
  readonly first_seq_no: number;
  readonly last_seq_no: number;
}

/** How many epochs one call writes: the rest waits for the next. */
const EPOCHS_AT_ONCE = 64;

/** How many leaves are held in memory at a time. */
const LEAVES_AT_ONCE = 4096;

/** The tile of a level that is being filled. */
interface Level {
  readonly tileNo: number;
  readonly hashes: Buffer[];
}

/** Stores the tiles of sealed epochs' trees, so that a proof needs some of them and not all leaves. */
export class TileWriter {
  readonly #index: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(ledger: Database.Database, index: Database.Database) {
    this.#index = index;
    this.#statements = prepare(ledger, index);
  }

  /** Processes epochs of an organization that have no tiles yet. @returns whether there are more of them */
  tileSealedEpochs(orgNo: number, orgId: string): boolean {
    const { mark, sealedAfter, moveMark } = this.#statements;
    const { tiled_epoch: after } = mark.get(orgNo) as { tiled_epoch: number };
    const sealed = sealedAfter.all(orgId, after, EPOCHS_AT_ONCE) as EpochRow[];
    for (const epoch of sealed) {
      this.#index.transaction(() => {
        this.#tile(orgNo, orgId, epoch);
        moveMark.run(epoch.epoch_no, orgNo);
      })();
    }
    return sealed.length === EPOCHS_AT_ONCE;
  }

  #tile(orgNo: number, orgId: string, epoch: EpochRow): void {
    const { leaves, addTile } = this.#statements;
    const levels: Level[] = [];
    const finish = (level: number, { tileNo, hashes }: Level): void => {
      addTile.run(orgNo, epoch.epoch_no, level, tileNo, Buffer.concat(hashes));
      levels[level] = { tileNo: tileNo + 1, hashes: [] };
    };
    const add = (level: number, hash: Buffer): void => {
      const tile = levels[level] ?? { tileNo: 0, hashes: [] };
      levels[level] = tile;
      tile.hashes.push(hash);
      if (tile.hashes.length < TILE_WIDTH) return;
      finish(level, tile);
      add(level + 1, Buffer.from(merkleRoot(tile.hashes, nodeCrypto.sha256)));
    };
    // Some at a time: an epoch may have a million leaves.
    for (let from = epoch.first_seq_no; from <= epoch.last_seq_no; from += LEAVES_AT_ONCE) {
      const to = Math.min(epoch.last_seq_no, from + LEAVES_AT_ONCE - 1);
      const some = leaves.all(orgId, from, to) as Buffer[];
      // Somebody took rows out of the ledger: proofs are made, or not, from what is left.
      if (some.length !== to - from + 1) return;
      for (const hash of some) add(0, hash);
    }
    for (const [level, tile] of levels.entries()) if (tile.hashes.length > 0) finish(level, tile);
  }
}

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    mark: index.prepare('SELECT tiled_epoch FROM orgs WHERE org_no = ?'),
    sealedAfter: ledger.prepare(
      `SELECT epoch_no, first_seq_no, last_seq_no FROM epochs
       WHERE org_id = ? AND epoch_no > ? ORDER BY epoch_no LIMIT ?`,
    ),
    leaves: ledger
      .prepare('SELECT leaf_hash FROM operations WHERE org_id = ? AND seq_no BETWEEN ? AND ? ORDER BY seq_no')
      .pluck(),
    addTile: index.prepare('INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?, ?)'),
    moveMark: index.prepare('UPDATE orgs SET tiled_epoch = ? WHERE org_no = ?'),
  };
}
