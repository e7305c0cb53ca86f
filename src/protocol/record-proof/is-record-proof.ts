import type { BundleSource } from '../bundle/document.ts';
import { readBundle } from '../bundle/reader.ts';
import { ScanError } from '../bundle/scanner.ts';
import { parseJsonBytes } from '../json.ts';
import { unlessRefused } from '../protocol-error.ts';
import { ANY_RECORD_PROOF, MAX_RECORD_PROOF_BYTES } from './record-proof.ts';

/** No proof has these members, and a bundle's writers begin with the first. */
const OF_BUNDLES: ReadonlySet<string> = new Set(['format', 'edges', 'admin_events', 'manifest', 'manifest_signature']);

function saysProof(bytes: Uint8Array): boolean {
  const value = unlessRefused(() => parseJsonBytes(bytes, { oneSpelling: true }), null);
  return typeof value === 'string' && value.startsWith(ANY_RECORD_PROOF);
}

/** The first bytes of a source, and no more. */
async function* firstBytes(source: BundleSource, most: number): AsyncGenerator<Uint8Array> {
  let left = most;
  for await (const chunk of source()) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

/**
 * Whether a file is to be judged as a proof of records (protocol R5). Reads to the first member that tells: of
 * a bundle the first, of a proof as it is written the last. Whoever made the file chooses its size: no more is read than
 * a proof can have.
 * @throws only what the source itself throws
 */
export async function isRecordProof(source: BundleSource): Promise<boolean> {
  try {
    for await (const events of readBundle(() => firstBytes(source, MAX_RECORD_PROOF_BYTES))) {
      for (const event of events) {
        if (OF_BUNDLES.has(event.member)) return false;
        if (event.member === 'type') return event.kind === 'value' && !event.element && saysProof(event.bytes);
      }
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
  }
  return false;
}
