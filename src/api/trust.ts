import { z } from 'zod';
import { anyJson, id, isoTime, name, text, time } from './fields.ts';
import { LIMITS } from './limits.ts';
import { witnessAlgorithm } from './witnesses.ts';

/** Whether the browser has a workstation session: the desktop window, or the one-time link of `countersign serve`. */
export const workstationAnswer = z.strictObject({ active: z.boolean() });
export const enterBody = z.strictObject({ code: z.string().min(1).max(128) });

const sighting = z.strictObject({ at: isoTime, bundle: z.string() });

/** Who pinned something, and through which door. */
const pinnedBy = z.strictObject({
  how: z.enum(['command', 'workstation', 'account']),
  user_id: z.string().nullable(),
  user_name: z.string().nullable(),
});

/** Names are anybody's choice, and one that may be taken for the home organization's is marked. */
export const resemblesHome = z.boolean().meta({
  description:
    'its name equals or resembles that of the home organization, which it is not; to a guest of the service false for files',
});

const namedOrganization = z.strictObject({
  org_id: z.string(),
  org_name: z.string().nullable(),
  resembles_home: resemblesHome,
});

/** A service key that the user of this machine trusts. */
export const trustedKey = z.strictObject({
  kid: id,
  fingerprint: z.string().meta({ description: '12 groups of 5 digits, as people read it out' }),
  kid_groups: z.string().meta({ description: 'the kid in groups of 4 characters' }),
  public_key: z.string().nullable(),
  label: z.string().nullable(),
  added_at: isoTime,
  added_by: z.enum(['kid', 'digits', 'jwks', 'qr']),
  pinned_by: pinnedBy.nullable().meta({ description: 'null where an older version added it' }),
  first_seen: sighting.nullable(),
  verified_on: sighting.nullable(),
  organizations: z
    .array(
      z.strictObject({
        ...namedOrganization.shape,
        fingerprint: z.string(),
        added_at: isoTime,
        pinned_by: pinnedBy.nullable(),
      }),
    )
    .meta({ description: 'confirmed under the key: only their bundles can be verified by it' }),
  also_signs_for: z
    .array(z.strictObject({ ...namedOrganization.shape, fingerprint: z.string() }))
    .meta({ description: 'met under the key and never confirmed' }),
});
export type TrustedKeyAnswer = z.infer<typeof trustedKey>;

/** An organization whose bundles were verified on this machine. Seen is not trusted. */
const seenOrganization = z.strictObject({
  org_id: z.string(),
  org_name: z.string(),
  resembles_home: resemblesHome,
  keys: z.array(z.strictObject({ kid: z.string(), first_seen: sighting, last_seen: sighting })),
});

/** Witnesses whose cosignatures the user of this machine demands (protocol V182), of one ledger or of every one. */
const trustedWitnesses = z.strictObject({
  org_id: z
    .string()
    .nullable()
    .meta({ description: 'whose ledger; null for every ledger of which nothing else is demanded' }),
  threshold: z.int().min(1).meta({ description: 'the number of organizations of which a cosignature is demanded' }),
  organizations: z.array(
    z.strictObject({
      name: z.string(),
      keys: z.array(z.strictObject({ algorithm: witnessAlgorithm, vkey: z.string() })),
      added_at: isoTime,
      pinned_by: pinnedBy,
    }),
  ),
});

/** A root certificate that the user of this machine trusts to say what time it was. */
const timeRoot = z.strictObject({
  sha256: z.string(),
  subject: z.string(),
  until: isoTime.nullable().meta({ description: 'null where it is trusted without end' }),
  added_at: isoTime,
  pinned_by: pinnedBy,
});

export const trustAnswer = z.strictObject({
  enabled: z.boolean().meta({ description: 'false where the service runs without a trust store' }),
  trusted: z.array(trustedKey),
  seen: z.array(seenOrganization),
  witnesses: z.array(trustedWitnesses),
  time_roots: z.array(timeRoot),
});
export type TrustAnswer = z.infer<typeof trustAnswer>;

export const addTrustBody = z
  .strictObject({
    kid: text(1, 128)
      .optional()
      .meta({ description: '43 characters, or the 60 digits of a key that was met here; in groups or not' }),
    qr: text(1, 128).optional().meta({ description: 'the text of a QR code' }),
    jwks: z.record(z.string(), anyJson).optional().meta({ description: 'a key set (RFC 7517)' }),
    name: name(LIMITS.displayName).optional().meta({ description: 'a name of your own for the key' }),
    organizations: z
      .array(z.strictObject({ org_id: text(1, 256), org_name: z.string().max(1024).nullable().default(null) }))
      .max(LIMITS.trustedKids)
      .optional()
      .meta({ description: 'whose bundles the key may make verified; none until you confirm one' }),
  })
  .refine(({ kid, qr, jwks }) => [kid, qr, jwks].filter((given) => given !== undefined).length === 1, {
    message: 'exactly one of kid, qr and jwks is needed',
  });

/** For which organization the key is trusted no longer; for all where left out. */
export const removeTrustQuery = z.strictObject({ org_id: text(1, 256).optional() });

/** The keys that are trusted now, and where one of them is of an organization that signed with others before: loud. */
export const addTrustAnswer = z.strictObject({
  keys: z.array(trustedKey),
  changed: z.array(
    z.strictObject({
      org_id: z.string(),
      org_name: z.string(),
      kid: z.string(),
      known: z.array(z.string()).meta({ description: 'kids that signed for the organization before' }),
      message: z.string(),
    }),
  ),
});
export type AddTrustAnswer = z.infer<typeof addTrustAnswer>;

/** Whose ledger; every ledger that is not named where left out. */
const ofLedger = text(1, 256).optional();

export const trustWitnessBody = z.strictObject({
  name: name(LIMITS.witnessOrganization).meta({ description: 'the organization that the witness is of' }),
  keys: z
    .string()
    .max(LIMITS.witnessKeys, `must have at most ${LIMITS.witnessKeys} characters`)
    .meta({ description: 'what `countersign witness keys` prints: a vkey of C2SP signed-note in each line' }),
  org_id: ofLedger,
});

export const demandWitnessesBody = z.strictObject({ threshold: z.int().min(1), org_id: ofLedger });

/** From which demand a witness is taken: that of every ledger where left out. */
export const removeTrustedWitnessQuery = z.strictObject({ org_id: ofLedger });

export const trustTimeRootsBody = z.strictObject({
  certificates: z
    .string()
    .max(LIMITS.timeRoots, `must have at most ${LIMITS.timeRoots} characters`)
    .meta({ description: 'root certificates as PEM, or one as DER in base64' }),
  until: time.optional().meta({ description: 'trusted until then; without end where left out' }),
});

export const trustedAnchors = trustAnswer.pick({ witnesses: true, time_roots: true });
export type TrustedAnchors = z.infer<typeof trustedAnchors>;
