import { nodeCrypto } from '../../host/index.ts';
import { nodeHash, splitPoint } from '../../protocol/index.ts';

/** Hashes in a tile: the nodes of one level under one node TILE_HEIGHT levels higher, as in C2SP tlog-tiles. */
export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;

/** Reads a tile, its hashes of 32 bytes one after the other; throws where there is none. */
export type ReadTile = (level: number, tileNo: number) => Uint8Array;

/**
 * The audit path of a leaf, from the leaf upward (RFC 6962 §2.1.1), from the tiles of a tree: reads two or three of them
 * and hashes some hundreds of nodes, however large the tree.
 */
export function pathFromTiles(treeSize: number, index: number, readTile: ReadTile): Uint8Array[] {
  const tree = new TiledTree(readTile);
  const path: Uint8Array[] = [];
  let from = 0;
  let to = treeSize;
  while (to - from > 1) {
    const middle = from + splitPoint(to - from);
    if (index < middle) {
      path.push(tree.range(middle, to));
      to = middle;
    } else {
      path.push(tree.range(from, middle));
      from = middle;
    }
  }
  return path.reverse();
}

class TiledTree {
  readonly #readTile: ReadTile;
  readonly #tiles = new Map<string, Uint8Array>();

  constructor(readTile: ReadTile) {
    this.#readTile = readTile;
  }

  /** Hash over a run of leaves that is a subtree of the tree. */
  range(from: number, to: number): Uint8Array {
    const size = to - from;
    if ((size & (size - 1)) === 0) return this.#node(Math.log2(size), from / size);
    const middle = from + splitPoint(size);
    return nodeHash(this.range(from, middle), this.range(middle, to), nodeCrypto.sha256);
  }

  /** The node of a complete subtree of 2^height leaves. */
  #node(height: number, index: number): Uint8Array {
    if (height % TILE_HEIGHT !== 0) {
      return nodeHash(this.#node(height - 1, index * 2), this.#node(height - 1, index * 2 + 1), nodeCrypto.sha256);
    }
    const tile = this.#tile(height / TILE_HEIGHT, Math.floor(index / TILE_WIDTH));
    const at = (index % TILE_WIDTH) * 32;
    return tile.subarray(at, at + 32);
  }

  #tile(level: number, tileNo: number): Uint8Array {
    const name = `${level}/${tileNo}`;
    let tile = this.#tiles.get(name);
    if (tile === undefined) {
      tile = this.#readTile(level, tileNo);
      this.#tiles.set(name, tile);
    }
    return tile;
  }
}
