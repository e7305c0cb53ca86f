import { utf8 } from '../bytes.ts';
import { type HostCrypto, nobleCrypto, StrictVerifier } from '../crypto.ts';
import { ProtocolError } from '../protocol-error.ts';
import { type Checkpoint, type CheckpointEvidence, organizationOf, parseCheckpoint } from '../statements/checkpoint.ts';
import { type ConsistencyLink, formatConsistencyProof, parseWitnessRequest } from '../statements/consistency-proof.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { contradictionBetween } from '../verify/contradiction.ts';
import {
  type EquivocationProof,
  makeEquivocationProof,
  verifyEquivocationProof,
} from '../verify/equivocation-proof.ts';
import { FindingLog } from '../verify/finding-log.ts';
import { Issuer } from '../verify/issuer.ts';
import { LedgerOrder } from '../verify/ledger-order.ts';
import { signedEvidence } from '../verify/signed-checkpoint.ts';
import { leadsTo } from './judge-head.ts';

/** What a witness has of a log. */
export interface WitnessedLog {
  /** The checkpoint that was cosigned last, as the log signed it; null before the first. */
  readonly checkpoint: string | null;
  /** Each once, in the order in which they came. */
  readonly serviceKeys: readonly ServiceKey[];
}

/** Why a witness does not cosign: the status of C2SP tlog-witness, and more than that in words. */
export interface WitnessRefusal {
  readonly status: 400 | 403 | 404 | 409 | 422;
  readonly message: string;
  /** How large the log was that the witness cosigned last. */
  readonly size: number;
  /** Two statements of the log that cannot both be true; null where nothing in hand proves that. */
  readonly contradiction: EquivocationProof | null;
}

/** What a witness is to cosign and to keep. */
export interface WitnessConsent {
  readonly status: 200;
  readonly checkpoint: Checkpoint;
  /** The checkpoint with the one signature of the log that was looked at. */
  readonly signed: string;
  /** Those of the log's keys that count, with all before them in their line: whoever handed keys over may have put any others among them. */
  readonly serviceKeys: readonly ServiceKey[];
}

export interface WitnessQuestion {
  /** The body of the request. */
  readonly request: Uint8Array;
  /** What the witness has of the log of an origin. */
  readonly known: (origin: string) => WitnessedLog;
  /** Whose logs the witness takes, as trust entries (trust-entry.ts). */
  readonly trustedKids: readonly string[];
  readonly crypto?: HostCrypto;
}

/** The log at its newest size, as the witness keeps it. */
interface Kept {
  readonly checkpoint: Checkpoint;
  readonly evidence: CheckpointEvidence;
}

/** Those of some kids, and all before them. */
function keysUpTo(kids: readonly string[], keys: readonly ServiceKey[]): ServiceKey[] {
  const byKid = new Map(keys.map((key) => [key.kid, key]));
  const wanted = new Set<string | null>();
  for (const last of kids) {
    for (let kid: string | null = last; kid !== null && !wanted.has(kid); kid = byKid.get(kid)?.prev_kid ?? null)
      wanted.add(kid);
  }
  return keys.filter(({ kid }) => wanted.has(kid));
}

function isConsistent(
  kept: Checkpoint | null,
  { checkpoint, link }: { checkpoint: Checkpoint; link: ConsistencyLink },
) {
  return kept === null ? link.path.length === 0 : leadsTo(kept, link, checkpoint);
}

/** The proof that the log signed what cannot be true together with what the witness has; null where nothing proves it. */
async function contradictionOf(
  kept: Kept,
  { checkpoint, link }: { checkpoint: Checkpoint; link: ConsistencyLink },
  evidence: CheckpointEvidence,
  serviceKeys: readonly ServiceKey[],
  crypto: HostCrypto,
): Promise<EquivocationProof | null> {
  const withWay = { ...evidence, checkpoint: formatConsistencyProof(link, evidence.checkpoint) };
  const said = [evidence, ...(link.oldSize > 0 && link.oldSize < checkpoint.size ? [withWay] : [])];
  const against = said.find((one) => contradictionBetween(kept.evidence, one) !== null);
  if (against === undefined) return null;
  const proof = makeEquivocationProof(kept.evidence, against, organizationOf(checkpoint.origin) ?? '', serviceKeys);
  // Of two keys without a signed rotation between them nobody can tell that they are one service's.
  return (await verifyEquivocationProof(proof, { crypto })).verdict === 'failed' ? null : proof;
}

/**
 * Whether a witness is to cosign (protocol F119, C2SP tlog-witness, add-checkpoint). Pure: who calls it keeps the checkpoint before
 * the answer leaves, and lets nobody else change what is known of the log meanwhile.
 */
export async function judgeWitnessRequest({
  request,
  known,
  trustedKids,
  crypto = nobleCrypto,
}: WitnessQuestion): Promise<WitnessConsent | WitnessRefusal> {
  let asked: { checkpoint: Checkpoint; link: ConsistencyLink };
  try {
    asked = parseWitnessRequest(request);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { status: 400, message: `the request cannot be read: ${error.message}`, size: 0, contradiction: null };
  }
  const { checkpoint, link } = asked;
  const log = known(checkpoint.origin);
  const kept = log.checkpoint === null ? null : parseCheckpoint(utf8(log.checkpoint));
  const size = kept?.size ?? 0;
  const refuse = (
    status: WitnessRefusal['status'],
    message: string,
    contradiction: EquivocationProof | null = null,
  ) => ({
    status,
    message,
    size,
    contradiction,
  });
  const orgId = organizationOf(checkpoint.origin);
  const verifier = new StrictVerifier(crypto);
  const issuer = new Issuer(trustedKids, new LedgerOrder());
  if (orgId !== null) await issuer.load(log.serviceKeys, orgId, verifier, new FindingLog());
  const trusted = issuer.list().flatMap(({ kid, trusted: isTrusted }) => (isTrusted ? [kid] : []));
  const keys = issuer.soundKeys().filter(({ kid }) => trusted.includes(kid));
  if (keys.length === 0)
    return refuse(
      404,
      `no service key of the log ${checkpoint.origin} is trusted here, or none was handed over: trust its fingerprint, and give its service keys with the request`,
    );
  const evidence = await signedEvidence(checkpoint, keys, verifier, crypto.sha256);
  if (evidence === null) return refuse(403, 'the checkpoint is not signed by a key that is trusted for its log');
  const keptEvidence = kept === null ? null : await signedEvidence(kept, keys, verifier, crypto.sha256);
  const holds = isConsistent(kept, asked);
  const proof = (): Promise<EquivocationProof | null> =>
    kept === null || keptEvidence === null
      ? Promise.resolve(null)
      : contradictionOf({ checkpoint: kept, evidence: keptEvidence }, asked, evidence, log.serviceKeys, crypto);
  if (link.oldSize !== size) {
    return refuse(
      409,
      `the log was cosigned last at the size ${size}, the proof begins at ${link.oldSize}`,
      await proof(),
    );
  }
  if (!holds) {
    const what =
      kept === null ? 'a proof from the size 0 has no hashes' : `the log does not begin as it was at the size ${size}`;
    return refuse(422, what, await proof());
  }
  return { status: 200, checkpoint, signed: evidence.checkpoint, serviceKeys: keysUpTo(trusted, log.serviceKeys) };
}
