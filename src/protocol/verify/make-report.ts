import type { CarriedFiles } from '../bundle/edges.ts';
import { orgFingerprint } from '../fingerprint.ts';
import type { Manifest } from '../statements/manifest.ts';
import { nameCauses } from './causes.ts';
import { judge, type Subject, summarize } from './conclude.ts';
import { type Extent, surveyDamage } from './damage-survey.ts';
import type { VerificationReport } from './report.ts';
import type { Tracks } from './tracks.ts';

/** What was verified, and all that was found out about it. */
export interface Verified {
  readonly subject: Subject;
  readonly tracks: Tracks;
  /** Why reading stopped, or null where everything was read. */
  readonly broken: string | null;
  /** The kid that stands for the issuer; null where none could be read. */
  readonly issuerKid: string | null;
  readonly format: string | null;
  readonly recognised: boolean;
  /** A proof of records does not say what the organization is called. */
  readonly org: { readonly org_id: string; readonly name: string | null } | null;
  readonly manifest: Manifest | null;
  /** How many checkpoints and consistency proofs the file carries. */
  readonly carried: CarriedFiles;
  /** From which sequence number to which the subject must reach without gaps, where something signed says so. */
  readonly extent: Extent | null;
  /** When the bundle says that it was made, where the reader asked for a later time; null otherwise. */
  readonly madeEarlier: string | null;
  readonly serviceKeys: number;
  readonly agents: number;
  readonly epochsGiven: number;
  readonly eventsGiven: number;
}

/** The keys are known, and whether they also speak for this organization is what the reader never confirmed. */
function reportUnconfirmed({ subject, org, tracks: { log } }: Verified, kid: string): void {
  const orgId = org?.org_id ?? '';
  log.add('ORGANIZATION_NOT_CONFIRMED', {
    severity: 'warning',
    where: { kid },
    expected: 'an organization that you confirmed under this key',
    actual: orgId,
    message:
      `The ${subject} is signed by a service key that you trust, but for other organizations. You have not confirmed ` +
      `this organization (${orgFingerprint(orgId)}) under the key: whoever has an account on that service can be it.`,
  });
}

function reportUnpinned(
  { subject, issuerKid, tracks: { log, issuer, trustedKids } }: Verified,
  untrusted: readonly string[],
): void {
  const kid = untrusted[0] ?? issuerKid ?? undefined;
  log.add('ISSUER_NOT_PINNED', {
    severity: 'warning',
    where: kid === undefined ? {} : { kid },
    expected: issuer.anyPinned ? trustedKids.join(', ') : 'a trusted service key',
    actual: kid ?? 'no service key',
    message: issuer.anyPinned
      ? `The ${subject} is signed by a service key that you do not trust, and that no key you trust vouches for.`
      : `You named no service key to trust: anyone can create a consistent ${subject} with their own key.`,
  });
}

/** Judges what was found and puts it into words. */
export function makeReport(verified: Verified): VerificationReport {
  const { broken, carried, issuerKid, manifest, org, tracks } = verified;
  const { log, issuer, directory, epochs, admin, order, records, reconciliation } = tracks;
  const untrusted = issuer.untrustedUsed();
  const known = manifest !== null || issuer.list().some(({ kid, trusted }) => kid === issuerKid && trusted);
  const pinned = issuerKid !== null && untrusted.length === 0 && known;
  const [stranger] = untrusted;
  const unconfirmed = stranger !== undefined && untrusted.every((kid) => issuer.knows(kid)) ? stranger : null;
  if (!pinned && broken === null) {
    if (unconfirmed === null) reportUnpinned(verified, untrusted);
    else reportUnconfirmed(verified, unconfirmed);
  }
  const { checks, verdict } = judge({
    subject: verified.subject,
    log,
    broken,
    pinned,
    anyPinned: issuer.anyPinned,
    unconfirmed: unconfirmed !== null,
    madeEarlier: verified.madeEarlier,
    agentFilter: manifest?.filter.agent_id ?? null,
    serviceKeys: verified.serviceKeys,
    directory,
    epochs,
    admin,
    order,
    records,
    reconciliation,
  });
  const findings = nameCauses(log.listed(), (epochNo) => epochs.runOf(epochNo));
  return {
    type: 'countersign.verification-report.v1',
    verdict,
    summary: summarize(verdict, checks, findings, { ...verified, records, admin }),
    recognised: verified.recognised,
    bundle: {
      format: verified.format,
      org_id: org?.org_id ?? null,
      org_name: org?.name ?? null,
      export_id: manifest?.export_id ?? null,
      created_at: manifest?.created_at ?? null,
      filter: manifest?.filter ?? null,
      first_seq_no: records.sequence.first,
      last_seq_no: records.sequence.last,
      records: records.count,
      redacted: records.withheld.count,
      agents: verified.agents,
      epochs: verified.epochsGiven,
      admin_events: verified.eventsGiven,
      ...(carried.cosigned === undefined ? {} : { cosigned: carried.cosigned.length }),
      ...(carried.stamped === undefined ? {} : { stamped: carried.stamped.length }),
    },
    issuer: {
      kid: issuerKid,
      pinned,
      service_keys: issuer.list(),
      linked: issuerKid === null ? [] : issuer.linkedWith(issuerKid),
    },
    checks,
    findings,
    damage: surveyDamage({ ...verified, ...tracks, findings, beyond: log.beyond, omitted: reconciliation.omitted }),
    withheld: records.withheld.map(),
    corrected_times: reconciliation.order.correctedTimes,
    finding_counts: Object.fromEntries([...log.counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(reconciliation.witnessed === null ? {} : { witnessed: reconciliation.witnessed }),
  };
}
