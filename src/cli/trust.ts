import { existsSync } from 'node:fs';
import { z } from 'zod';
import { fromBase64Url, isStrictPublicKey, ProtocolError, parseJsonBytes, thumbprint } from '../protocol/index.ts';
import { readSmallFile } from './bundle-file.ts';
import { UsageError } from './command.ts';

const keySet = z.looseObject({
  keys: z
    .array(
      z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), kid: z.string().optional() }),
    )
    .min(1),
});

const MAX_KEY_SET_BYTES = 1024 * 1024;

/** A kid as it is written down: 43 characters of base64url, in groups or not. */
function readKid(text: string): string | null {
  const kid = text.replace(/\s+/g, '');
  try {
    fromBase64Url(kid, 32);
    return kid;
  } catch {
    return null;
  }
}

async function readKeySet(path: string): Promise<string[]> {
  const bytes = await readSmallFile(path, MAX_KEY_SET_BYTES);
  try {
    return keySet.parse(parseJsonBytes(bytes)).keys.map(({ x, kid }) => {
      const publicKey = fromBase64Url(x, 32);
      if (!isStrictPublicKey(publicKey)) throw new UsageError(`${path}: holds a weak key`);
      const name = thumbprint(publicKey);
      // The name people compared must be the one that counts.
      if (kid !== undefined && kid !== name) throw new UsageError(`${path}: the kid ${kid} does not belong to its key`);
      return name;
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof ProtocolError || error instanceof z.ZodError) {
      throw new UsageError(`${path}: is not a key set (JWKS) of Ed25519 keys`);
    }
    throw error;
  }
}

/**
 * The kids that the reader trusts: each given as a kid, or as a key set file.
 * @throws UsageError
 */
export async function readTrust(given: readonly string[]): Promise<string[]> {
  const kids: string[] = [];
  for (const text of given) {
    const kid = readKid(text);
    if (kid !== null) kids.push(kid);
    else if (existsSync(text)) kids.push(...(await readKeySet(text)));
    else throw new UsageError(`--trust ${text}: is neither a kid (43 characters) nor a key set file`);
  }
  return kids;
}
