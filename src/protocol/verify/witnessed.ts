import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import type { Checkpoint } from '../statements/checkpoint.ts';
import { cosignatureOf, linesOf, type WitnessVerifiers } from '../statements/cosignature.ts';
import { instantText } from '../time.ts';
import type { WitnessDemand, WitnessPolicy } from '../witness/policy.ts';

/** Whose cosignatures the reader demands, and what verifies those in ML-DSA-44, which is a layer of itself. */
export interface DemandedWitnesses {
  readonly policy: WitnessPolicy;
  readonly mlDsa44: WitnessVerifiers['mlDsa44'];
}

/** A checkpoint whose log begins as that of the records does. */
export interface AgreeingCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly file: string;
  /** Up to this number the records are shown to be below it. */
  readonly reaches: number;
}

/** Who of the demanded organizations stands behind a checkpoint (protocol V183). */
export interface WitnessedCheckpoint {
  readonly file: string;
  readonly size: number;
  readonly root: string;
  /** Up to this number the records are shown to be below it. */
  readonly reaches: number;
  /** In the order of the policy, each with the newest time of its keys. */
  readonly cosigned_by: readonly { readonly organization: string; readonly at: string }[];
  /** Organizations of which there are lines, and no key of which holds. */
  readonly not_held: readonly string[];
  /** The latest time at which as many as are demanded had seen no larger log; null where fewer cosigned. */
  readonly until: string | null;
}

/** What a report says of witnesses where the reader demands some. */
export interface Witnessed {
  readonly threshold: number;
  /** Of how many organizations a cosignature counts. */
  readonly organizations: number;
  /** Records up to this number are below a checkpoint that as many as are demanded cosigned; 0 where none is. */
  readonly size: number;
  /** The `until` of that checkpoint. */
  readonly until: string | null;
  readonly checkpoints: readonly WitnessedCheckpoint[];
}

export function nothingWitnessed({ threshold, organizations }: WitnessDemand): Witnessed {
  return { threshold, organizations: organizations.length, size: 0, until: null, checkpoints: [] };
}

async function standingBehind(
  { checkpoint, file, reaches }: AgreeingCheckpoint,
  { threshold, organizations }: WitnessDemand,
  verifiers: WitnessVerifiers,
  hash: HostCrypto['sha256'],
): Promise<WitnessedCheckpoint> {
  const cosigned: { organization: string; seconds: number }[] = [];
  const notHeld: string[] = [];
  for (const { name: organization, keys } of organizations) {
    const own = keys.filter((key) => linesOf(checkpoint, key, hash).length > 0);
    const found = await Promise.all(own.map((key) => cosignatureOf(checkpoint, key, verifiers, hash)));
    const times = found.flatMap((one) => one?.timestamp ?? []);
    if (times.length > 0) cosigned.push({ organization, seconds: Math.max(...times) });
    else if (own.length > 0) notHeld.push(organization);
  }
  const latest = cosigned.map(({ seconds }) => seconds).sort((a, b) => b - a)[threshold - 1];
  return {
    file,
    size: checkpoint.size,
    root: checkpoint.root,
    reaches,
    cosigned_by: cosigned.map(({ organization, seconds }) => ({ organization, at: instantText(seconds * 1000) })),
    not_held: notHeld,
    until: latest === undefined ? null : instantText(latest * 1000),
  };
}

/**
 * How far enough witnesses stand behind what a bundle shows (protocol V183, V184).
 * @param agreeing in the order in which they were given
 */
export async function judgeWitnesses(
  agreeing: readonly AgreeingCheckpoint[],
  demand: WitnessDemand,
  mlDsa44: WitnessVerifiers['mlDsa44'],
  { host, verifier }: { readonly host: HostCrypto; readonly verifier: StrictVerifier },
): Promise<Witnessed> {
  const checkpoints: WitnessedCheckpoint[] = [];
  for (const one of agreeing) {
    checkpoints.push(await standingBehind(one, demand, { ed25519: verifier, mlDsa44 }, host.sha256));
  }
  let best: WitnessedCheckpoint | null = null;
  for (const one of checkpoints) {
    if (one.until === null) continue;
    const isFurther = best === null || one.reaches > best.reaches;
    if (isFurther || (one.reaches === best?.reaches && one.until > (best.until ?? ''))) best = one;
  }
  const { reaches: size = 0, until = null } = best ?? {};
  return { ...nothingWitnessed(demand), size, until, checkpoints };
}
