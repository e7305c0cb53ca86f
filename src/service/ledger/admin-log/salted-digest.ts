import { nodeCrypto } from '../../../node/index.ts';
import { canonicalBytes, formatDigest, type JsonObject } from '../../../protocol/index.ts';

/**
 * What the administrative log, which is never erased, has in place of what names a person: with a salt, so that nobody is found in it by
 * trying names.
 */
export function saltedDigest(told: JsonObject, salt: string): string {
  return formatDigest(nodeCrypto.sha256(canonicalBytes({ ...told, salt })));
}
