import { auditPath } from '../../protocol/merkle/audit-path.ts';
import { nodeHash } from '../../protocol/merkle/tree.ts';
import { nodeCrypto } from '../../runtime/index.ts';

/** Hashes in a tile: the nodes of one level under one node TILE_HEIGHT levels higher, as in C2SP tlog-tiles. */
export const TILE_WIDTH = 256;
const TILE_HEIGHT = 8;

/** Reads a tile, its hashes of 32 bytes one after the other; throws where there is none. */
export type ReadTile = (level: number, tileNo: number) => Uint8Array;

/**
 * The audit path of a leaf from the tiles of its tree: reads two or three of them and hashes some hundreds of nodes.
 * @returns hashes of 32 bytes, from the leaf upward
 */
export function pathFromTiles(treeSize: number, index: number, readTile: ReadTile): Uint8Array[] {
  const tiles = new Map<string, Uint8Array>();
  const tile = (level: number, tileNo: number): Uint8Array => {
    const name = `${level}/${tileNo}`;
    const held = tiles.get(name) ?? readTile(level, tileNo);
    tiles.set(name, held);
    return held;
  };
  const node = (height: number, at: number): Uint8Array => {
    if (height % TILE_HEIGHT !== 0) {
      return nodeHash(node(height - 1, at * 2), node(height - 1, at * 2 + 1), nodeCrypto.sha256);
    }
    const place = (at % TILE_WIDTH) * 32;
    return tile(height / TILE_HEIGHT, Math.floor(at / TILE_WIDTH)).subarray(place, place + 32);
  };
  return auditPath(treeSize, index, node, nodeCrypto.sha256);
}
