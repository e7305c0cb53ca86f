import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { firstBytes } from '../../../node/light.ts';
import {
  checkpointOrigin,
  MAX_CHECKPOINT_BYTES,
  type NamedSource,
  parseKeptCheckpoint,
  unlessRefused,
  type VerifyOptions,
} from '../../../protocol/index.ts';
import { readClaims } from '../claims.ts';
import type { StoredFile } from '../stored-file.ts';
import type { ItemFile } from './item-file.ts';

/**
 * Whether a file begins as a checkpoint of a log of this protocol (protocol F84), with its origin alone on a line, or as a consistency
 * proof that leads to one.
 */
function beginsAsCheckpoint(head: Buffer): boolean {
  const proof = /(?:old [1-9][0-9]{0,15}\r?\n(?:[A-Za-z0-9+/]{43}=\r?\n){0,63}\r?\n)?/.source;
  const origin = /countersign\.v1\/[A-Za-z0-9_.~%-]{1,2304}\r?\n/.source;
  return new RegExp(`^(?:\xef\xbb\xbf)?${proof}${origin}`).test(head.toString('latin1'));
}

/** Enough of a file to tell: a proof of 63 hashes, the origin behind it in percent-encoding, and whatever ends its lines. */
const HEAD_BYTES = 8192;

/** Whether a file on the disk begins so. */
export async function isCheckpointFile(path: string): Promise<boolean> {
  return beginsAsCheckpoint(await firstBytes(path, HEAD_BYTES));
}

/** The checkpoints among items, consistency proofs too. @param nameOf how findings call them */
export async function checkpointsAmong(
  items: readonly ItemFile[],
  nameOf: (item: ItemFile) => string,
): Promise<NamedSource[]> {
  const found: NamedSource[] = [];
  for (const item of items) {
    if (item.bytes > MAX_CHECKPOINT_BYTES || !(await isCheckpointFile(item.path))) continue;
    found.push({ name: nameOf(item), source: () => createReadStream(item.path) });
  }
  return found;
}

/** Of which log; null where the file is damaged, which is said of it as an item. */
async function originIn({ path }: ItemFile): Promise<string | null> {
  const bytes = await readFile(path);
  return unlessRefused(() => parseKeptCheckpoint(bytes).checkpoint.origin, null);
}

/**
 * What is given to the verification of a bundle of a case, where its reader demands witnesses: those, and the checkpoints of its log among the
 * items, as `countersign verify` takes them with `--checkpoint`.
 */
export async function heldToWitnesses(
  bundle: StoredFile,
  items: () => readonly ItemFile[],
  { witnesses }: Pick<VerifyOptions, 'witnesses'>,
): Promise<Pick<VerifyOptions, 'witnesses' | 'checkpoints'>> {
  if (witnesses === undefined) return {};
  const origin = checkpointOrigin((await readClaims(bundle.path, bundle.kind))?.org_id ?? '');
  const own: ItemFile[] = [];
  for (const item of items()) {
    const mayBe = item.bytes <= MAX_CHECKPOINT_BYTES && (await isCheckpointFile(item.path));
    if (mayBe && (await originIn(item)) === origin) own.push(item);
  }
  return { witnesses, checkpoints: await checkpointsAmong(own, ({ name }) => name) };
}
