import { z } from 'zod';
import { ProtocolError, parseJsonBytes } from '../protocol/index.ts';
import { readKid } from './issuer-keys.ts';
import { TrustError } from './trust-error.ts';

const STORE_TYPE = 'countersign.trust-store.v1';

const kid = z.string().refine((text) => readKid(text) === text, 'expected a kid');
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** When a bundle of an issuer was verified here, and which one: the SHA-256 of the bundle as plain JSON. */
const sighting = z.strictObject({ at: z.iso.datetime(), bundle: digest });

const trustedKey = z.strictObject({
  kid,
  public_key: z.string().nullable(),
  label: z.string().nullable(),
  added_at: z.iso.datetime(),
  /** How the key came here: its kid written down, a key set file, or the text of a QR code. */
  added_by: z.enum(['kid', 'jwks', 'qr']),
  first_seen: sighting.nullable(),
  verified_on: sighting.nullable(),
});

const seenKey = z.strictObject({ kid, first_seen: sighting, last_seen: sighting });

/** An organization whose bundles were verified here, and the keys that signed them; seen is not trusted. */
const seenOrganization = z.strictObject({
  org_id: z.string(),
  org_name: z.string(),
  keys: z.array(seenKey).min(1),
});

const trustStore = z.strictObject({
  type: z.literal(STORE_TYPE),
  trusted: z.array(trustedKey),
  seen: z.array(seenOrganization),
});

/** Whom one user of this machine trusts, and which issuers they have met. */
export type TrustStore = z.infer<typeof trustStore>;
export type TrustedKey = z.infer<typeof trustedKey>;
export type SeenOrganization = z.infer<typeof seenOrganization>;
export type Sighting = z.infer<typeof sighting>;

export const EMPTY_STORE: TrustStore = { type: STORE_TYPE, trusted: [], seen: [] };

/** @throws TrustError STORE_INVALID */
export function parseTrustStore(bytes: Uint8Array): TrustStore {
  try {
    return trustStore.parse(parseJsonBytes(bytes));
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof z.ZodError) {
      throw new TrustError('STORE_INVALID', 'is not a trust store');
    }
    throw error;
  }
}

/** The text of the file, for people to read too. */
export function formatTrustStore(store: TrustStore): string {
  return `${JSON.stringify(store, null, 2)}\n`;
}
