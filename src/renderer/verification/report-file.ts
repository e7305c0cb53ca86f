import { md5 } from '@noble/hashes/legacy.js';
import { type AttachedBundle, DamagedStream, findAttachedBundle } from '../../extract/index.ts';

const READ = 1024 * 1024;

/**
 * So much is given to the browser to unpack at once. It unpacks a piece wholly before anybody can stop it, at most a
 * thousandfold: whoever made the file decides how much comes of it.
 */
const PIECE = 8 * 1024;

/** A stretch of a file in pieces, each read only when it is wanted. */
function piecesOf(file: Blob, start: number, length: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let read = new Uint8Array();
  let at = start;
  return new ReadableStream(
    {
      pull: async (controller) => {
        if (read.length === 0) {
          read = new Uint8Array(await file.slice(at, Math.min(at + READ, start + length)).arrayBuffer());
          at += read.length;
        }
        if (read.length === 0) controller.close();
        else controller.enqueue(read.subarray(0, PIECE));
        read = read.subarray(PIECE);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* inflate(file: Blob, start: number, length: number): AsyncGenerator<Uint8Array> {
  // The format's name is "deflate", what it reads is zlib: it refuses bytes behind the end and an end that is missing.
  const reader = piecesOf(file, start, length).pipeThrough(new DecompressionStream('deflate')).getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } catch (error) {
    if (error instanceof TypeError) throw new DamagedStream();
    throw error;
  } finally {
    // A stream that failed refuses to be cancelled with the failure that is already on its way up.
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Finds the bundle in a PDF report (src/extract).
 * @throws ExtractError; and what reading the file fails with
 */
export function openReportFile(file: Blob): Promise<AttachedBundle> {
  return findAttachedBundle({
    size: file.size,
    read: async (offset, length) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()),
    inflate: (start, length) => inflate(file, start, length),
    md5: () => md5.create(),
  });
}
