import type Database from 'better-sqlite3';
import { nodeCrypto } from '../../host/index.ts';
import { merkleRoot } from '../../protocol/index.ts';
import { TILE_WIDTH } from './tiles.ts';

interface EpochRow {
  readonly epoch_no: number;
  readonly first_seq_no: number;
  readonly last_seq_no: number;
  readonly leaf_count: number;
}

/** How many epochs one call takes up: the rest waits for the next. */
const EPOCHS_AT_ONCE = 64;

/** Stores the tiles of sealed epochs' trees, so that a proof needs some of them and not all leaves. */
export class TileWriter {
  readonly #index: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(ledger: Database.Database, index: Database.Database) {
    this.#index = index;
    this.#statements = prepare(ledger, index);
  }

  /** Takes up epochs of an organization that have no tiles yet. @returns whether there are more of them */
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
    let hashes = leaves.all(orgId, epoch.first_seq_no, epoch.last_seq_no) as Buffer[];
    // Somebody took rows out of the ledger: there are no true tiles of this epoch.
    if (hashes.length !== epoch.leaf_count) return;
    for (let level = 0; hashes.length > 0; level++) {
      const above: Buffer[] = [];
      for (let from = 0; from < hashes.length; from += TILE_WIDTH) {
        const tile = hashes.slice(from, from + TILE_WIDTH);
        addTile.run(orgNo, epoch.epoch_no, level, from / TILE_WIDTH, Buffer.concat(tile));
        if (tile.length === TILE_WIDTH) above.push(Buffer.from(merkleRoot(tile, nodeCrypto.sha256)));
      }
      hashes = above;
    }
  }
}

function prepare(ledger: Database.Database, index: Database.Database) {
  return {
    mark: index.prepare('SELECT tiled_epoch FROM orgs WHERE org_no = ?'),
    sealedAfter: ledger.prepare(
      `SELECT epoch_no, first_seq_no, last_seq_no, leaf_count FROM epochs
       WHERE org_id = ? AND epoch_no > ? ORDER BY epoch_no LIMIT ?`,
    ),
    leaves: ledger
      .prepare('SELECT leaf_hash FROM operations WHERE org_id = ? AND seq_no BETWEEN ? AND ? ORDER BY seq_no')
      .pluck(),
    addTile: index.prepare('INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?, ?)'),
    moveMark: index.prepare('UPDATE orgs SET tiled_epoch = ? WHERE org_no = ?'),
  };
}
