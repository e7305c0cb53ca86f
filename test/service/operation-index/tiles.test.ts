import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDigest, formatTime, inclusionPath, merkleRoot } from '../../../src/protocol/index.ts';
import { nodeCrypto } from '../../../src/runtime/index.ts';
import { proveInclusion } from '../../../src/service/ledger/epochs/epoch-queries.ts';
import { epoch as epochView } from '../../../src/service/ledger/views.ts';
import { openIndexFile } from '../../../src/service/operation-index/index-file.ts';
import { pathFromTiles } from '../../../src/service/operation-index/tiles.ts';
import { epochs } from '../../../src/service/store/schema.ts';
import { atEnd } from '../../support/cleanup.ts';
import { newIndexer, openIndex } from '../../support/operation-index.ts';
import { insertRows, operationRow, type RowLedger, rowLedger } from '../../support/operation-rows.ts';

const ORG = 'org-1';
const LEAVES = Array.from({ length: 66_000 }, (_, n) => createHash('sha256').update(`leaf ${n}`).digest());

/** Seals records of the ledger as an epoch. */
function seal({ store }: RowLedger, epochNo: number, firstSeqNo: number, leaves: readonly Uint8Array[]) {
  const row = {
    orgId: ORG,
    epochNo,
    epochId: `epoch-${epochNo}`,
    startTime: formatTime(0),
    endTime: formatTime(1),
    firstSeqNo,
    lastSeqNo: firstSeqNo + leaves.length - 1,
    leafCount: leaves.length,
    rootHash: formatDigest(merkleRoot([...leaves], nodeCrypto.sha256)),
    logRoot: formatDigest(Buffer.alloc(32)),
    prevEpochHash: null,
    adminHeadHash: null,
    serviceKid: 'service-key',
    signatureByService: '',
  };
  store.db.insert(epochs).values(row).run();
  return epochView(row);
}

/** As text, which is quick to compare. */
function hex(path: readonly Uint8Array[] | null): string[] | undefined {
  return path?.map((hash) => Buffer.from(hash).toString('hex'));
}

/** A ledger with one epoch, and the tiles that the indexer made of it. */
function tiled(leaves: readonly Buffer[]) {
  const ledger = rowLedger(ORG);
  const rows = leaves.map((leafHash, n) => operationRow({ orgId: ORG, seqNo: n + 1, leafHash }));
  insertRows(ledger, rows);
  const epoch = seal(ledger, 1, 1, leaves);
  const index = openIndexFile(ledger.indexPath, () => true);
  atEnd(() => index.close());
  newIndexer(ledger.store.sqlite, index).step();
  const tile = index.prepare('SELECT hashes FROM tiles WHERE epoch_no = 1 AND level = ? AND tile_no = ?').pluck();
  return { ledger, epoch, index, path: (leaf: number) => pathFromTiles(leaves.length, leaf, read(tile)) };
}

const read =
  (statement: { get: (...args: number[]) => unknown }) =>
  (level: number, tileNo: number): Uint8Array => {
    const hashes = statement.get(level, tileNo);
    if (!(hashes instanceof Uint8Array)) throw new Error(`there is no tile ${tileNo} on level ${level}`);
    return hashes;
  };

/** Tiles as the definition has them, of a tree in memory. */
function tilesOf(leaves: readonly Uint8Array[]): (level: number, tileNo: number) => Uint8Array {
  return (level, tileNo) => {
    const width = 256 ** level;
    const hashes: Uint8Array[] = [];
    for (let n = tileNo * 256; n < (tileNo + 1) * 256 && (n + 1) * width <= leaves.length; n++) {
      hashes.push(merkleRoot(leaves.slice(n * width, (n + 1) * width), nodeCrypto.sha256));
    }
    return Buffer.concat(hashes);
  };
}

describe('audit paths from tiles', () => {
  it('are those of RFC 6962, for every size up to 600', () => {
    for (let size = 1; size <= 600; size++) {
      const leaves = LEAVES.slice(0, size);
      const readTile = tilesOf(leaves);
      for (const leaf of new Set([0, size - 1, (size * 7) % size, (size * 31 + 11) % size, size >> 1, size & 256])) {
        if (leaf >= size) continue;
        expect(hex(pathFromTiles(size, leaf, readTile))).toEqual(hex(inclusionPath(leaves, leaf, nodeCrypto.sha256)));
      }
    }
  });

  it('are those of RFC 6962 for every leaf of a tree of some hundreds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), fc.nat(), (size, n) => {
        const leaves = LEAVES.slice(0, size);
        expect(hex(pathFromTiles(size, n % size, tilesOf(leaves)))).toEqual(
          hex(inclusionPath(leaves, n % size, nodeCrypto.sha256)),
        );
      }),
    );
  });

  it.each([1, 255, 256, 257, 511, 513, 65_793])(
    'stored by the indexer, of %d leaves',
    (size) => {
      const leaves = LEAVES.slice(0, size);
      const { path } = tiled(leaves);
      for (const leaf of new Set([0, size - 1, size >> 1, Math.max(0, size - 257), Math.floor(size / 3)])) {
        expect(hex(path(leaf))).toEqual(hex(inclusionPath(leaves, leaf, nodeCrypto.sha256)));
      }
    },
    60_000,
  );
});

describe('the proof of a record', async () => {
  const leaves = LEAVES.slice(0, 700);
  const { ledger, epoch, index: file } = tiled(leaves);
  const index = await openIndex(ledger.folder, ledger.store, (error) => {
    throw error;
  });
  atEnd(() => index.close());
  const prove = (seqNo: number) =>
    proveInclusion(ledger.store, index, epoch, seqNo, LEAVES[seqNo - 1] ?? new Uint8Array(32));
  const expected = (leaf: number) => inclusionPath(leaves, leaf, nodeCrypto.sha256).map(formatDigest);

  it('comes from tiles, or where they are wrong or missing from all leaves', () => {
    expect(hex(index.inclusionPath(ORG, 1, 700, 299))).toEqual(hex(inclusionPath(leaves, 299, nodeCrypto.sha256)));
    expect(prove(300)?.path).toEqual(expected(299));
    file.prepare('UPDATE tiles SET hashes = zeroblob(length(hashes))').run();
    expect(prove(300)?.path).toEqual(expected(299));
    file.prepare('DELETE FROM tiles').run();
    expect(index.inclusionPath(ORG, 1, 700, 299)).toBeNull();
    expect(prove(300)?.path).toEqual(expected(299));
  });

  it('is missing where the record or the number of leaves was changed', () => {
    expect(proveInclusion(ledger.store, index, epoch, 300, Buffer.alloc(32))).toBeNull();
    for (const leaf_count of [0, 1, 699, 701, 2 ** 32 + 700, 2 ** 52]) {
      expect(
        proveInclusion(ledger.store, index, { ...epoch, leaf_count }, 300, LEAVES[299] ?? Buffer.alloc(0)),
      ).toBeNull();
    }
  });
});

describe('the indexer', () => {
  it('says that there is more as long as epochs have no tiles', () => {
    const ledger = rowLedger(ORG);
    for (let n = 1; n <= 100; n++) {
      insertRows(ledger, [operationRow({ orgId: ORG, seqNo: n, leafHash: LEAVES[n] ?? Buffer.alloc(32) })]);
      seal(ledger, n, n, LEAVES.slice(n, n + 1));
    }
    const index = openIndexFile(ledger.indexPath, () => true);
    atEnd(() => index.close());
    const indexer = newIndexer(ledger.store.sqlite, index);
    const tiles = index.prepare('SELECT count(*) FROM tiles').pluck();
    expect(indexer.step().more).toBe(true);
    expect(tiles.get()).toBe(64);
    expect(indexer.step().more).toBe(false);
    expect(tiles.get()).toBe(100);
  });
});
