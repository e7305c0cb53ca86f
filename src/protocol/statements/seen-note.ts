import { utf8 } from '../bytes.ts';
import { formatDigest, parseDigest, type Sha256 } from '../digest.ts';
import { fromPaddedBase64, toBase64 } from '../encoding.ts';
import { unlessRefused } from '../protocol-error.ts';
import {
  type Checkpoint,
  type CheckpointStatement,
  checkpointText,
  formatCheckpoint,
  parseLogSize,
} from './checkpoint.ts';

/** What a service was shown before it signed a checkpoint, and where its ledger ended then (protocol F90). */
export interface Seen {
  /** The sequence number of the receipt that it was shown, or the size of the checkpoint. */
  readonly number: number;
  /** The digest of what is signed there. */
  readonly digest: string;
  /** The last sequence number of the ledger, sealed or not. */
  readonly last: number;
  /** When the ledger was restored from a backup, or a rollback was accepted, the last time (RFC 3339); null where neither was. */
  readonly restored: string | null;
}

/** The checkpoint with these lines behind its root. @param sign over the note text */
export function formatSeenNote(
  statement: CheckpointStatement,
  { number, digest, last, restored }: Seen,
  key: { readonly publicKey: Uint8Array; readonly sign: (message: Uint8Array) => Uint8Array },
  hash: Sha256,
): string {
  const lines = [`seen ${number} ${toBase64(parseDigest(digest))}`, `last ${last}`];
  if (restored !== null) lines.push(`restored ${restored}`);
  const added = `${lines.join('\n')}\n`;
  const signature = key.sign(utf8(checkpointText(statement) + added));
  return formatCheckpoint(statement, key.publicKey, signature, hash, added);
}

/** What a checkpoint says of this; null of one that says nothing of it, or in another form. */
export function seenIn({ noteText }: Checkpoint): Seen | null {
  const form = /^(?:.*\n){3}seen (\d+) (\S+)\nlast (\d+)\n(?:restored (\S+)\n)?$/.exec(noteText);
  const [, number, digest, last, restored = null] = form ?? [];
  if (number === undefined || digest === undefined || last === undefined) return null;
  return unlessRefused(() => {
    const bytes = fromPaddedBase64(digest);
    if (bytes.length !== 32) return null;
    return { number: parseLogSize(number), digest: formatDigest(bytes), last: parseLogSize(last), restored };
  }, null);
}
