import { constants, gunzipSync } from 'node:zlib';
import { type FoundKind, kindOfFound, PACKED_HEAD_BYTES } from '../../../actions/found/light.ts';
import { isGzip } from '../../../node/index.ts';
import { codeOf } from '../../../protocol/light.ts';

/** What a file is by its beginning, as kindOfFound tells it: a packed one is unpacked first. */
export function kindOfHead(head: Uint8Array, path = ''): FoundKind | null {
  return kindOfFound(head, isGzip(head) ? unpackedHead(head) : head, path);
}

function unpackedHead(head: Uint8Array): Uint8Array | null {
  try {
    return gunzipSync(head.subarray(0, PACKED_HEAD_BYTES), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    if (codeOf(error)?.startsWith('Z_') === true) return null;
    throw error;
  }
}
