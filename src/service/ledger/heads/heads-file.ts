import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { nodeCrypto, writeDurably } from '../../../node/index.ts';
import {
  canonicalBytes,
  fromBase64Url,
  hasCode,
  ProtocolError,
  toBase64Url,
  toHex,
  verifyEd25519,
} from '../../../protocol/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import { type OrgHeads, orgHeads } from './ledger-heads.ts';

/** Name of the file in the data folder. */
export const HEADS_FILE = 'heads.json';

const headsFile = z.strictObject({
  type: z.literal('countersign.heads.v1'),
  /** Milliseconds since the Unix epoch. */
  written_at: z.int(),
  service_kid: z.string(),
  heads: z.array(orgHeads),
  signature: z.string(),
});
type HeadsFile = z.infer<typeof headsFile>;

/** Heads that were kept beside a ledger. */
export interface RecordedHeads {
  /** Names this very file: what a person accepts who continues with a ledger that is behind it. */
  readonly id: string;
  readonly text: string;
  /** Null where the file is damaged, or was not signed with a key of this service. */
  readonly content: HeadsFile | null;
}

function signedBytes({ signature: _, ...statement }: HeadsFile): Uint8Array {
  return canonicalBytes(statement);
}

/** Writes the heads, signed, so that nobody without the key can set them back with the ledger. */
export async function writeHeadsFile(
  path: string,
  heads: readonly OrgHeads[],
  key: KeyHolder,
  now: number,
): Promise<void> {
  const statement: HeadsFile = {
    type: 'countersign.heads.v1',
    written_at: now,
    service_kid: key.kid,
    heads: [...heads],
    signature: '',
  };
  const signature = toBase64Url(key.sign(signedBytes(statement)));
  await writeDurably(path, `${JSON.stringify({ ...statement, signature })}\n`);
}

function isSigned(file: HeadsFile, keys: ReadonlyMap<string, Uint8Array>): boolean {
  const publicKey = keys.get(file.service_kid);
  if (publicKey === undefined) return false;
  return verifyEd25519({ publicKey, message: signedBytes(file), signature: fromBase64Url(file.signature, 64) });
}

function parse(text: string, keys: ReadonlyMap<string, Uint8Array>): HeadsFile | null {
  try {
    const file = headsFile.parse(JSON.parse(text));
    return isSigned(file, keys) ? file : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || error instanceof ProtocolError) return null;
    throw error;
  }
}

/**
 * Reads the heads that were kept.
 * @param keys the public keys that may have signed them, by kid
 * @returns null where there is no file
 * @throws StartError HEADS_UNREADABLE where the operating system does not give it
 */
export function readHeadsFile(path: string, keys: ReadonlyMap<string, Uint8Array>): RecordedHeads | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw new StartError('HEADS_UNREADABLE', `${path} cannot be read`, { cause: error });
  }
  const id = toHex(nodeCrypto.sha256(Buffer.from(text, 'utf8'))).slice(0, 16);
  return { id, text, content: parse(text, keys) };
}
