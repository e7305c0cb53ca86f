import { directoryDigest, HashListDigest } from '../bundle/digests.ts';
import type { BundleOrg } from '../bundle/document.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { fromBase64Url } from '../encoding.ts';
import type { BundleAgent } from '../statements/agent-key.ts';
import { type Manifest, manifestSignedBytes } from '../statements/manifest.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { parseTime } from '../time.ts';
import type { AdminTrack } from './admin-track.ts';
import type { EpochTrack } from './epoch-track.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import type { RecordTrack } from './record-track.ts';
import type { FindingPlace } from './report.ts';

/** What the manifest is compared with: everything that was read. */
export interface ManifestSubject {
  readonly manifest: Manifest;
  readonly manifestSignature: string;
  readonly org: BundleOrg;
  readonly serviceKeys: readonly ServiceKey[];
  readonly agents: readonly BundleAgent[];
  readonly epochs: EpochTrack;
  readonly admin: AdminTrack;
  /** The digest of the events that the bundle withholds; null where it withholds none. */
  readonly withheldEvents: string | null;
  readonly records: RecordTrack;
}

/**
 * Checks the manifest's signature, and every count and digest in it against what the bundle holds.
 * @returns whether it is signed, and lists the records that the bundle holds
 */
export async function checkManifest(
  subject: ManifestSubject,
  issuer: Issuer,
  verifier: StrictVerifier,
  host: HostCrypto,
  log: FindingLog,
): Promise<{ readonly signed: boolean; readonly listsRecords: boolean }> {
  const { manifest, org, records, epochs, admin, agents } = subject;
  const publicKey = issuer.keyFor(manifest.service_kid);
  const signature = fromBase64Url(subject.manifestSignature, 64);
  const signed =
    publicKey !== null &&
    (await verifier.verify([{ publicKey, message: manifestSignedBytes(manifest), signature }]))[0] === true;
  if (!signed) {
    log.add('MANIFEST_SIGNATURE_INVALID', {
      where: { member: 'manifest_signature' },
      message:
        "The service's signature on the manifest does not verify: the manifest was changed, or is not this service's.",
    });
  }

  const mismatch = (member: string, expected: string, actual: string, message: string, where?: FindingPlace): void =>
    log.add('MANIFEST_MISMATCH', { where: { ...where, member: `manifest.${member}` }, expected, actual, message });
  const compare = (
    member: string,
    stated: string | number | null,
    found: string | number | null,
    what: string,
  ): void => {
    if (stated !== found) mismatch(member, String(stated), String(found), `The manifest states another ${what}.`);
  };

  const epochsDigest = new HashListDigest();
  for (const { hash } of epochs.list) epochsDigest.add(hash);
  compare('org_id', manifest.org_id, org.org_id, 'organization');
  compare('record_count', manifest.record_count, records.count, 'number of records');
  compare('first_seq_no', manifest.first_seq_no, records.sequence.first, 'first sequence number');
  compare('last_seq_no', manifest.last_seq_no, records.sequence.last, 'last sequence number');
  compare('redacted_count', manifest.redacted_count, records.redacted, 'number of withheld payloads');
  const recordsDigest = records.digest.digest();
  compare('records_digest', manifest.records_digest, recordsDigest, 'set of records');
  compare('epochs_digest', manifest.epochs_digest, epochsDigest.digest(), 'set of epochs');
  compare('admin_events_digest', manifest.admin_events_digest, admin.digest.digest(), 'set of administrative events');
  // Which events are withheld is the service's word: nobody else takes one out of a bundle.
  const withheld = manifest.withheld_events_digest ?? null;
  compare('withheld_events_digest', withheld, subject.withheldEvents, 'set of withheld administrative events');
  const directory = { org, agents, service_keys: subject.serviceKeys };
  compare('directory_digest', manifest.directory_digest, directoryDigest(directory, host.sha256), 'directory');

  const start = parseTime(manifest.filter.start_time);
  const end = parseTime(manifest.filter.end_time);
  const outside = [records.earliest, records.latest].find(
    (extreme) => extreme !== null && (extreme.instant < start || extreme.instant >= end),
  );
  if (outside) {
    mismatch(
      'filter',
      `received from ${manifest.filter.start_time} to ${manifest.filter.end_time}`,
      new Date(outside.instant).toISOString(),
      'A record was received outside the range that the manifest states.',
      outside.where,
    );
  }
  const agentId = manifest.filter.agent_id;
  if (agentId !== null && [...records.agentIds].some((id) => id !== agentId)) {
    mismatch('filter.agent_id', agentId, 'other agents too', 'A record is of another agent than the manifest states.');
  }
  const stranger = agentId === null ? undefined : agents.find((agent) => agent.agent_id !== agentId);
  if (agentId !== null && stranger) {
    const message = 'The bundle lists other agents than the one that the manifest states.';
    mismatch('filter.agent_id', agentId, stranger.agent_id, message);
  }
  const { first, last } = records.sequence;
  const apart = epochs.list.find(({ epoch }) => epoch.first_seq_no > (last ?? 0) || epoch.last_seq_no < (first ?? 0));
  if (agentId === null && apart !== undefined) {
    const { epoch_id, epoch_no, first_seq_no, last_seq_no } = apart.epoch;
    const actual = `an epoch of ${first_seq_no} to ${last_seq_no}`;
    const message = 'An epoch covers no record of the run.';
    mismatch('epochs_digest', `epochs that overlap ${first} to ${last}`, actual, message, { epoch_id, epoch_no });
  }
  const lastSeqNo = Math.max(records.sequence.last ?? 0, epochs.list.at(-1)?.epoch.last_seq_no ?? 0);
  if (lastSeqNo > manifest.log_head.seq_no) {
    mismatch(
      'log_head',
      `at least ${lastSeqNo}`,
      String(manifest.log_head.seq_no),
      'The ledger is stated shorter than the bundle.',
    );
  }
  const lastEpochNo = epochs.list.at(-1)?.epoch.epoch_no ?? 0;
  if (lastEpochNo > manifest.log_head.epoch_no) {
    mismatch(
      'log_head',
      `at least ${lastEpochNo}`,
      String(manifest.log_head.epoch_no),
      'The ledger is stated with fewer epochs than the bundle.',
    );
  }
  return { signed, listsRecords: manifest.records_digest === recordsDigest };
}
