import type { BundleSource } from '../../protocol/index.ts';
import { codeOf } from '../../protocol/light.ts';

/** Compressed bytes that are damaged, or whose end is missing: what says so differs from host to host. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive';
}

/**
 * So much is given to the host to unpack at once. It unpacks a piece wholly before anybody can stop it, at most a
 * thousandfold: whoever made the file decides how much comes of it.
 */
const PIECE = 8 * 1024;

/** A source as a stream in small pieces, each read only when it is wanted. */
function piecesOf(source: BundleSource): ReadableStream<Uint8Array<ArrayBuffer>> {
  async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const chunk of source()) {
      // A copy: streams of the host take no view of memory that may be shared.
      for (let at = 0; at < chunk.length; at += PIECE) yield new Uint8Array(chunk.subarray(at, at + PIECE));
    }
  }
  const iterator = pieces();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Node names what is wrong with the archive by a code of zlib, browsers throw a TypeError. */
function isDamage(error: unknown): boolean {
  return error instanceof TypeError || codeOf(error)?.startsWith('Z_') === true;
}

/**
 * The content of a compressed source, in pieces.
 * @param format `deflate` is the zlib format (RFC 1950), in spite of its name. Node 20 alone passes over bytes behind the end
 *   of such a stream, which every other host refuses
 * @throws DamagedArchive while it is read; and what the source throws
 */
export async function* unpack(source: BundleSource, format: 'gzip' | 'deflate'): AsyncGenerator<Uint8Array> {
  let failure: { readonly error: unknown } | null = null;
  // A source that fails must not be taken for an archive that is damaged.
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* source();
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  const reader = piecesOf(watched).pipeThrough(new DecompressionStream(format)).getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } catch (error) {
    if (failure === null && isDamage(error)) {
      throw new DamagedArchive('the compressed file is damaged or ends too early', { cause: error });
    }
    throw error;
  } finally {
    // A stream that failed refuses to be cancelled with the failure that is already on its way up.
    await reader.cancel().catch(() => undefined);
  }
}
