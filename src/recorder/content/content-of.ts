import { contentDigestOf } from '../../actions/profile/light.ts';
import { nodeCrypto } from '../../node/light.ts';
import type { Json } from '../../protocol/light.ts';
import type { PreparedContent } from './prepared.ts';

/** A content of the payload profile. */
export type ProfileContent = { readonly [member: string]: Json };

function digestOf({ canonical }: PreparedContent, salt: string): string {
  return contentDigestOf(salt, canonical, nodeCrypto.sha256);
}

/**
 * The content of the profile that a prepared value becomes. A digest alone comes without its salt: who sees both can find a short
 * value by trial. Whoever has the recorder's key can make the salt again and show that a value is the one of the digest.
 * @param salt base64url; one for all contents of that name of one action (`RecorderKeys.contentSalt`)
 */
export function contentOf(content: PreparedContent, salt: string): ProfileContent {
  const { kept, truncated, bytes, binary, form: told } = content;
  const plain: ProfileContent = told === undefined ? {} : { media_type: told };
  const form = binary === null ? plain : { media_type: binary.media_type, encoding: 'base64' };
  if (kept === undefined) return { digest: digestOf(content, salt), bytes, ...form };
  if (!truncated) return { value: kept, salt, ...form };
  return { value: kept, truncated: true, digest: digestOf(content, salt), salt, bytes, ...form };
}
