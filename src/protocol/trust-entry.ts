import { fromBase64Url } from './encoding.ts';
import { fingerprintDigits, readFingerprintDigits, thumbprint } from './fingerprint.ts';
import { ProtocolError } from './protocol-error.ts';
import * as shape from './shape.ts';

/**
 * Whom a reader trusts, as a text: `KEY` is a service key for whatever organization a file names, `KEY@ORG_ID` the key for
 * that organization alone, and `KEY@` a key that is known to the reader and confirmed for no organization yet. KEY is a kid,
 * the public key itself, or the 60 digits of its fingerprint. A kid has no `@`, so the first one ends it.
 */
export interface TrustEntry {
  /** A kid, a public key (both 32 bytes in base64url), or 60 digits without blanks. */
  readonly key: string;
  /** Null where every organization is meant, empty where none is. */
  readonly orgId: string | null;
}

export function parseTrustEntry(text: string): TrustEntry {
  const at = text.indexOf('@');
  const key = at < 0 ? text : text.slice(0, at);
  return { key: readFingerprintDigits(key) ?? key.replace(/\s/g, ''), orgId: at < 0 ? null : text.slice(at + 1) };
}

/** The entry as a text; parseTrustEntry reads it back. */
export function formatTrustEntry({ key, orgId }: TrustEntry): string {
  return orgId === null ? key : `${key}@${orgId}`;
}

/** The public key of a kid, where an entry names it by itself; null otherwise. */
export function publicKeyIn({ key }: TrustEntry, kid: string): Uint8Array | null {
  if (shape.publicKey(key) !== null) return null;
  const bytes = fromBase64Url(key, 32);
  return thumbprint(bytes) === kid ? bytes : null;
}

/** Whether an entry names the key of a kid, by the kid, the key or its digits. */
export function namesKey(entry: TrustEntry, kid: string): boolean {
  const { key } = entry;
  return (
    key === kid ||
    publicKeyIn(entry, kid) !== null ||
    (/^[0-9]{60}$/.test(key) && key === fingerprintDigits(kid).join(''))
  );
}

/** Whether an entry speaks for an organization. An empty org_id names none: that of a file whose organization is not readable. */
export function speaksFor({ orgId: confirmed }: TrustEntry, orgId: string): boolean {
  return confirmed === null || (confirmed !== '' && confirmed === orgId);
}

/** A key that the reader knows to be an agent's. */
export interface AgentKeyEntry {
  readonly agentId: string;
  /** The public key or its thumbprint: 32 bytes in base64url either way. */
  readonly key: string;
}

/** Reads `AGENT=KEY`; an agent's id has no `=`, so the first one ends it. @throws ProtocolError SHAPE_INVALID */
export function parseAgentKey(text: string): AgentKeyEntry {
  const [agentId = '', key = ''] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1).trim()];
  if (!text.includes('=') || agentId === '' || shape.publicKey(key) !== null) {
    throw new ProtocolError(
      'SHAPE_INVALID',
      `expected AGENT=KEY with the agent's public key or its thumbprint, got ${shape.show(text)}`,
    );
  }
  return { agentId, key };
}
