import { z } from 'zod';
import { ProtocolError, parseJsonBytes } from '../../protocol/index.ts';
import { readKid } from './issuer-keys.ts';
import { TrustError } from './trust-error.ts';

const STORE_TYPE = 'countersign.trust-store.v1';

const kid = z.string().refine((text) => readKid(text) === text, 'expected a kid');
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** When a bundle of an issuer was verified here, and which one: the SHA-256 of the bundle as plain JSON. */
const sighting = z.strictObject({ at: z.iso.datetime(), bundle: digest });

/** Who pinned something: on the command line, in a workstation session, or with an account over HTTP. */
const pinnedBy = z.strictObject({
  how: z.enum(['command', 'workstation', 'account']),
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
});

/** An organization that was confirmed under a key: the pair that makes its bundles `verified`. */
const confirmedOrganization = z.strictObject({
  org_id: z.string().min(1),
  /** As the bundle or whoever confirmed it called it; null where only the org_id is known. */
  org_name: z.string().nullable(),
  added_at: z.iso.datetime(),
  pinned_by: pinnedBy.nullable(),
});

const trustedKey = z.strictObject({
  kid,
  public_key: z.string().nullable(),
  label: z.string().nullable(),
  added_at: z.iso.datetime(),
  /** How the key came here: its kid or its digits written down, a key set file, or the text of a QR code. */
  added_by: z.enum(['kid', 'digits', 'jwks', 'qr']),
  /** Null in files that older versions wrote. */
  pinned_by: pinnedBy.nullable().default(null),
  /**
   * Older versions kept keys alone. What was seen under such a key does not count as confirmed: nobody compared it, and
   * whoever had an account on that service may have been it. So it is asked for again.
   */
  organizations: z.array(confirmedOrganization).default([]),
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

/** An organization whose cosignatures count (protocol V182); its keys as vkeys. */
const witness = z.strictObject({
  name: z.string().min(1),
  keys: z.array(z.string()).min(1),
  added_at: z.iso.datetime(),
  pinned_by: pinnedBy,
});

/** Of how many witnesses a cosignature is demanded, and of which. */
const demand = z.strictObject({ threshold: z.int().min(1), organizations: z.array(witness).min(1) });

/** A root certificate that is trusted to say what time it was (protocol V178). */
const timeRoot = z.strictObject({
  subject: z.string(),
  sha256: digest,
  /** DER in base64. */
  certificate: z.base64(),
  /** Until when it is trusted; null for without end. */
  until: z.iso.datetime().nullable(),
  added_at: z.iso.datetime(),
  pinned_by: pinnedBy,
});

const trustStore = z.strictObject({
  type: z.literal(STORE_TYPE),
  trusted: z.array(trustedKey),
  seen: z.array(seenOrganization),
  /** Of every ledger that is not named below. Absent in stores that name none. */
  witnesses: demand.exactOptional(),
  witnesses_of: z
    .array(z.strictObject({ org_id: z.string().min(1), ...demand.shape }))
    .min(1)
    .exactOptional(),
  time_roots: z.array(timeRoot).exactOptional(),
});

/** Whom one user of this machine trusts, and which issuers they have met. */
export type TrustStore = z.infer<typeof trustStore>;
export type TrustedKey = z.infer<typeof trustedKey>;
export type PinnedBy = z.infer<typeof pinnedBy>;
export type ConfirmedOrganization = z.infer<typeof confirmedOrganization>;
export type StoredDemand = z.infer<typeof demand>;
export type TimeRoot = z.infer<typeof timeRoot>;
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
