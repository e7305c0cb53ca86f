import { directoryDigest, HashListDigest } from '../bundle/digests.ts';
import type { BundleOrg } from '../bundle/document.ts';
import { type Edges, edgesDigest } from '../bundle/edges.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import type { BundleAgent } from '../statements/agent-key.ts';
import type { Count } from '../statements/clock-correction.ts';
import type { Manifest } from '../statements/manifest.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { instantText, parseTime } from '../time.ts';
import type { AdminTrack } from './admin-track.ts';
import type { EpochTrack } from './epoch-track.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { RecordTrack } from './record-track.ts';
import type { FindingPlace } from './report.ts';
import type { Coverage } from './side.ts';
import { isSignedStatement } from './signed-statement.ts';

/** What the manifest is compared with: everything that was read. */
export interface ManifestSubject {
  readonly manifest: Manifest;
  readonly manifestSignature: string;
  readonly org: BundleOrg;
  readonly serviceKeys: readonly ServiceKey[];
  readonly agents: readonly BundleAgent[];
  readonly directoryLatest: number;
  readonly edges: Edges;
  readonly epochs: EpochTrack;
  readonly admin: AdminTrack;
  /** The digest of the events that the bundle withholds; null where it withholds none. */
  readonly withheldEvents: string | null;
  readonly records: RecordTrack;
  readonly order: LedgerOrder;
}

/** Checks the manifest's signature, and every count and digest in it against what the bundle holds. */
export async function checkManifest(
  subject: ManifestSubject,
  issuer: Issuer,
  verifier: StrictVerifier,
  host: HostCrypto,
  log: FindingLog,
): Promise<Coverage> {
  const { manifest, org, records, epochs, admin, agents } = subject;
  const statement = { manifest, manifest_signature: subject.manifestSignature };
  const signed = await isSignedStatement(statement, (kid) => issuer.keyFor(kid), verifier);
  if (!signed) {
    log.add('MANIFEST_SIGNATURE_INVALID', {
      where: { member: 'manifest_signature' },
      message:
        "The service's signature on the manifest does not verify: the manifest was changed, or is not this service's.",
    });
  }

  const mismatch: Mismatch = (member, expected, actual, message, where) =>
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
  for (const { hash } of epochs.list()) epochsDigest.add(hash);
  compare('org_id', manifest.org_id, org.org_id, 'organization');
  compare('record_count', manifest.record_count, records.count, 'number of records');
  compare('first_seq_no', manifest.first_seq_no, records.sequence.first, 'first sequence number');
  compare('last_seq_no', manifest.last_seq_no, records.sequence.last, 'last sequence number');
  compare('redacted_count', manifest.redacted_count, records.withheld.count, 'number of withheld payloads');
  const recordsDigest = records.digest.digest();
  compare('records_digest', manifest.records_digest, recordsDigest, 'set of records');
  compare('epochs_digest', manifest.epochs_digest, epochsDigest.digest(), 'set of epochs');
  const edges = edgesDigest(subject.edges, host.sha256);
  compare('edges_digest', manifest.edges_digest, edges, 'set of neighbours');
  compare('admin_log.count', manifest.admin_log.count, admin.head.count, 'number of administrative events');
  compare('admin_log.head_hash', manifest.admin_log.head_hash, admin.head.head_hash, 'newest administrative event');
  const { order } = subject;
  compare('clock_corrections', manifest.clock_corrections ?? 0, admin.corrections, 'number of clock corrections');
  const events = admin.digest.digest();
  compare('admin_events_digest', manifest.admin_events_digest, events, 'set of administrative events');
  // Which events are withheld is the service's word: nobody else takes one out of a bundle.
  const withheld = manifest.withheld_events_digest ?? null;
  compare('withheld_events_digest', withheld, subject.withheldEvents, 'set of withheld administrative events');
  // Which members are shown, likewise.
  const disclosures = records.members === 0 ? null : records.disclosuresDigest.digest();
  compare('disclosures_digest', manifest.disclosures_digest ?? null, disclosures, 'set of shown members');
  const directory = directoryDigest({ org, agents, service_keys: subject.serviceKeys }, host.sha256);
  compare('directory_digest', manifest.directory_digest, directory, 'directory');

  checkRange(subject, mismatch);
  checkHeads(subject, mismatch);
  checkMaking(subject, mismatch);
  // The last that was signed: after everything that the bundle holds.
  const place = { member: 'manifest.service_kid' };
  const made = parseTime(manifest.created_at) + order.total;
  issuer.checkTime(manifest.service_kid, made, place, { isManifest: true });
  const { before, after, head } = subject.edges;
  const signers = [records.last?.ear, epochs.at(-1)?.epoch, before?.ear, after?.ear, head];
  for (const signed of signers) if (signed != null) issuer.checkOrder(signed.service_kid, manifest.service_kid, place);
  return {
    signed,
    records: manifest.records_digest === recordsDigest,
    directory: manifest.directory_digest === directory,
    events: manifest.admin_events_digest === events,
  };
}

type Mismatch = (member: string, expected: string, actual: string, message: string, where?: FindingPlace) => void;

/** That the bundle holds nothing beside the range, the agent and the epochs that the manifest states. */
function checkRange({ manifest, records, epochs, agents }: ManifestSubject, mismatch: Mismatch): void {
  const start = parseTime(manifest.filter.start_time);
  const end = parseTime(manifest.filter.end_time);
  const outside = [records.times.earliest, records.times.latest].find(
    (extreme) => extreme !== null && (extreme.instant < start || extreme.instant >= end),
  );
  if (outside) {
    mismatch(
      'filter',
      `received from ${manifest.filter.start_time} to ${manifest.filter.end_time}`,
      instantText(outside.instant),
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
  const apart = agentId === null ? epochs.firstApart(first ?? 0, last ?? 0) : undefined;
  if (apart !== undefined) {
    const { epoch_id, epoch_no, first_seq_no, last_seq_no } = apart;
    const actual = `an epoch of ${first_seq_no} to ${last_seq_no}`;
    const message = 'An epoch covers no record of the run.';
    mismatch('epochs_digest', `epochs that overlap ${first} to ${last}`, actual, message, { epoch_id, epoch_no });
  }
}

/** That the newest epoch is the head that is stated, and nothing shown lies beyond it: log_head and agent_head. */
function checkHeads({ manifest, records, epochs, edges }: ManifestSubject, mismatch: Mismatch): void {
  const { log_head: head, agent_head: agentHead, filter } = manifest;
  const receipts = [edges.before?.ear, edges.after?.ear, records.first?.ear, records.last?.ear].filter(
    (ear) => ear !== undefined,
  );
  const numbers = [...receipts.map(({ seq_no }) => seq_no), records.sequence.last ?? 0];
  const lastSeqNo = Math.max(...numbers, epochs.at(-1)?.epoch.last_seq_no ?? 0);
  if (lastSeqNo > head.seq_no) {
    mismatch('log_head', `at least ${lastSeqNo}`, String(head.seq_no), 'The ledger is stated shorter than the bundle.');
  }
  const newest = edges.head ?? { last_seq_no: 0, epoch_no: 0 };
  if (newest.last_seq_no !== head.seq_no || newest.epoch_no !== head.epoch_no) {
    const stated = (seqNo: number, epochNo: number): string => `${seqNo} in ${epochNo} epochs`;
    const expected = stated(newest.last_seq_no, newest.epoch_no);
    const actual = stated(head.seq_no, head.epoch_no);
    mismatch('log_head', expected, actual, 'The ledger is stated with another end than that of its newest epoch.');
  }
  const ofAgent = filter.agent_id === null ? [] : receipts.filter(({ agent_id }) => agent_id === filter.agent_id);
  const newestOfAgent = ofAgent.reduce((most, { seq_no }) => Math.max(most, seq_no), 0);
  if (agentHead === null) {
    if (newestOfAgent > 0) {
      mismatch(
        'agent_head',
        `at least ${newestOfAgent}`,
        'null',
        'The agent is stated to have no record, and has one.',
      );
    }
    return;
  }
  const text = `${agentHead.seq_no}`;
  if (filter.agent_id === null) mismatch('agent_head', 'null', text, 'The bundle is of no single agent.');
  else if (agentHead.seq_no < newestOfAgent || agentHead.seq_no > head.seq_no) {
    mismatch(
      'agent_head',
      `from ${newestOfAgent} to ${head.seq_no}`,
      text,
      "The agent's newest record is stated wrongly.",
    );
  }
  const same = ofAgent.find(
    ({ seq_no, chain_hash }) => seq_no === agentHead.seq_no && chain_hash !== agentHead.chain_hash,
  );
  if (same !== undefined) {
    mismatch(
      'agent_head',
      same.chain_hash,
      agentHead.chain_hash,
      "The agent's newest record is stated with another chain hash.",
    );
  }
}

/** That the bundle was made after everything in it. */
function checkMaking(
  { manifest, records, epochs, edges, admin, order, ...subject }: ManifestSubject,
  mismatch: Mismatch,
): void {
  const made = parseTime(manifest.created_at) + order.total;
  const keys = subject.serviceKeys.flatMap(({ created_at, retired_at }) => [created_at, retired_at ?? 0]);
  const neighbours = [edges.before, edges.after].filter((neighbour) => neighbour !== null);
  let latest = Math.max(records.times.newest, admin.latest, subject.directoryLatest);
  for (const time of keys) latest = Math.max(latest, time);
  const at = (...[count, number, time]: [Count, number, string]): void => {
    latest = Math.max(latest, order.at(count, number, parseTime(time)));
  };
  for (const { epoch } of epochs.shown()) at('epoch_no', epoch.epoch_no, epoch.end_time);
  for (const { ear } of neighbours) at('seq_no', ear.seq_no, ear.server_received_at);
  if (latest > made) {
    const message = 'The bundle says that it was made before something that it holds.';
    mismatch('created_at', `at the earliest ${instantText(latest - order.total)}`, manifest.created_at, message);
  }
}
