import { BUNDLE, BUNDLE_FORMAT, BUNDLE_MEMBERS, type BundleSource } from '../bundle/document.ts';
import type { Neighbour } from '../bundle/edges.ts';
import { type BundleEvent, misplaced, readBundle } from '../bundle/reader.ts';
import { ScanError, type ScannedValue } from '../bundle/scanner.ts';
import { TooLarge } from '../bundle/sizes.ts';
import { ProtocolError } from '../protocol-error.ts';
import * as shape from '../shape.ts';
import type { Manifest } from '../statements/manifest.ts';
import { receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { instantText, parseTime } from '../time.ts';
import { BundleParts } from './bundle-parts.ts';
import type { Extent } from './damage-survey.ts';
import { EdgeCheck } from './edge-check.ts';
import { MOST_MALFORMED } from './finding-log.ts';
import { carriedSources } from './kept-checkpoints.ts';
import { makeReport } from './make-report.ts';
import { checkManifest } from './manifest-check.ts';
import { withheldDigest } from './noted-event.ts';
import { type PreparedRecord, prepareRecord } from './prepared-record.ts';
import type { VerificationReport } from './report.ts';
import { SignedValues } from './signed-values.ts';
import { Surroundings } from './surroundings.ts';
import { Tracks } from './tracks.ts';
import type { VerifyOptions } from './verify-options.ts';
import { capitalized } from './wording.ts';

/** This many members of a bundle make a file a bundle, if a damaged one, even where its format is not readable. */
const RECOGNISED_MEMBERS = 3;

class Malformed extends Error {}

/** One verification, from the first byte to the report. */
class BundleVerification {
  readonly #source: BundleSource;
  readonly #options: VerifyOptions;
  readonly #tracks: Tracks;

  readonly #parts: BundleParts;
  #extent: Extent | null = null;
  readonly #seen = new Set<string>();
  #unreadable = 0;
  #readable = 0;
  /** Elements and members beside the records that are malformed. */
  #malformed = 0;
  /** Records stood before what they need: they are checked in a second reading. */
  #deferred = false;
  #ready = false;
  /** When the bundle says that it was made, where that is before what the reader asked for. */
  #madeEarlier: string | null = null;
  /** Why reading stopped, where it did. */
  #broken: string | null = null;

  constructor(source: BundleSource, options: VerifyOptions) {
    this.#source = source;
    this.#options = options;
    this.#tracks = new Tracks(options);
    this.#parts = new BundleParts(this.#tracks.host.sha256);
  }

  async run(): Promise<VerificationReport> {
    for (const receipts of this.#options.receipts ?? []) await this.#tracks.reconciliation.loadReceipts(receipts);
    for (const bundle of this.#options.against ?? []) await this.#tracks.reconciliation.loadBundle(bundle);
    for (const note of this.#options.checkpoints ?? []) await this.#tracks.reconciliation.loadCheckpoint(note);
    try {
      await this.#readAll((event) => this.#take(event));
      await this.#getReady();
      if (this.#deferred) await this.#readAll((event) => this.#takeRecord(event));
      await this.#tracks.batches.flush();
      await this.#finish();
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      await this.#tracks.batches.flush();
    }
    await new SignedValues(this.#tracks, this.#options).tell(this.#source);
    return this.#report();
  }

  /** Records why no more can be read, and stops. */
  #stop(message: string, line?: number): never {
    this.#broken = message;
    const where = line === undefined ? {} : { line };
    this.#tracks.log.add('MALFORMED', { where, message: `${message}. Nothing after this place was checked.` });
    throw new Malformed(message);
  }

  async #readAll(take: (event: BundleEvent) => Promise<void> | void): Promise<void> {
    try {
      const onBytes = (bytes: number): void =>
        this.#options.onProgress?.({ bytes, records: this.#tracks.records.count, unreadable: this.#unreadable });
      for await (const events of readBundle(this.#source, onBytes)) {
        this.#options.signal?.throwIfAborted();
        for (const event of events) await take(event);
      }
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      // What is found in the records comes before that they break off.
      await this.#tracks.batches.flush();
      this.#stop(`The file is not a complete JSON document: ${error.message}`, error.line);
    }
  }

  async #take(event: BundleEvent): Promise<void> {
    const { member, line } = event;
    // What is found in what follows the records comes after what is found in them.
    if (member !== 'records') await this.#tracks.batches.flush();
    const wrong = misplaced(event, BUNDLE);
    if (wrong !== null) this.#stop(capitalized(wrong), line);
    this.#seen.add(member);
    if (member === 'records') {
      if (event.kind === 'array') {
        const needed = ['format', 'service_keys', 'org', 'agents', 'epochs', 'edges', 'admin_events'];
        this.#deferred = needed.some((name) => !this.#seen.has(name));
        if (!this.#deferred) await this.#getReady();
      } else if (!this.#deferred) await this.#takeRecord(event);
      return;
    }
    if (event.kind === 'value') this.#takeValue(event);
  }

  /** Parses a member, or an element of one, other than a record. */
  #takeValue({ member, bytes, line }: ScannedValue): void {
    try {
      this.#parts.take(member, bytes);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      if (error instanceof TooLarge) this.#stop(`A size is exceeded: ${error.message}`, line);
      this.#tracks.log.add('MALFORMED', {
        where: { line, member: error.member ?? member },
        message: `This part of the bundle is malformed: ${error.message}.`,
      });
      if (++this.#malformed > MOST_MALFORMED.others) {
        this.#stop(`More than ${MOST_MALFORMED.others} parts are malformed`, line);
      }
      return;
    }
    if (member === 'format' && !this.#parts.isOfThisFormat) this.#refuseFormat(line);
  }

  /** What the bundle says to be, to be shown. */
  get #format(): string | null {
    const { format } = this.#parts;
    return typeof format === 'string' ? format.slice(0, 100) : null;
  }

  #refuseFormat(line: number): never {
    const known = this.#format?.startsWith('countersign.bundle.') === true;
    if (!known) this.#stop('The member "format" does not say that this is a bundle', line);
    this.#broken = `the bundle is of another version (${this.#format})`;
    this.#tracks.log.refuseVersion('format', line, {
      expected: BUNDLE_FORMAT,
      actual: shape.show(this.#parts.format),
    });
    throw new Malformed(this.#broken);
  }

  /** Once the directory is complete: checks everything that records rely on. */
  async #getReady(): Promise<void> {
    if (this.#ready) return;
    this.#ready = true;
    const { org, serviceKeys, agents, epochs, edges, events } = this.#parts;
    await this.#tracks.load({
      orgId: org?.org_id ?? '',
      serviceKeys,
      agents,
      epochs,
      events,
      head: edges?.head ?? null,
      carried: carriedSources('edges', edges),
    });
    this.#takeNeighbour('before', edges?.before ?? null);
  }

  /** What stands next to the range is a leaf of the log like the records. */
  #takeNeighbour(side: 'before' | 'after', neighbour: Neighbour | null): void {
    if (neighbour === null) return;
    const { ear, gap } = neighbour;
    const { seq_no: seqNo, operation_id, agent_id, server_received_at: receivedAt } = ear;
    this.#tracks.epochs.addBeside({
      seqNo,
      gap,
      receivedAt,
      receivedAtMs: parseTime(receivedAt),
      leaf: receiptLeafHash(receiptSignedBytes(ear), this.#tracks.host.sha256),
      where: { member: `edges.${side}`, seq_no: seqNo, operation_id, agent_id },
    });
  }

  async #takeRecord(event: BundleEvent): Promise<void> {
    if (event.kind !== 'value' || event.member !== 'records') return;
    const { bytes, line } = event;
    let record: PreparedRecord;
    try {
      record = prepareRecord(bytes, line, this.#tracks.host.sha256);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#unreadable++;
      const where = error.member === undefined ? { line } : { line, member: error.member };
      const message = `The record is malformed: ${error.message}.`;
      await this.#tracks.batches.add(() => this.#tracks.log.add('MALFORMED', { where, message }));
      if (this.#unreadable > MOST_MALFORMED.records && this.#unreadable > this.#readable) {
        await this.#tracks.batches.flush();
        this.#stop(`More than ${MOST_MALFORMED.records} records are malformed, which is most of them`, line);
      }
      return;
    }
    this.#readable++;
    await this.#tracks.batches.add(record);
  }

  async #finish(): Promise<void> {
    const missing = BUNDLE_MEMBERS.filter((member) => !this.#seen.has(member));
    if (missing.length > 0) this.#stop(`The bundle lacks the member "${missing[0]}"`);
    const { manifest, manifestSignature, org, edges, serviceKeys, agents, events } = this.#parts;
    if (manifest === null || manifestSignature === null || org === null || edges === null) {
      this.#broken = 'the manifest, the edges or the organization could not be read';
      return;
    }
    const tracks = this.#tracks;
    const { records, epochs, log, issuer, verifier, host, directory, history, admin, order } = tracks;
    const gapless = manifest.filter.agent_id === null;
    records.sequence.finish(gapless);
    records.checkBeside(edges);
    this.#takeNeighbour('after', edges.after);
    epochs.finish(
      edges.rest,
      ({ first_seq_no, last_seq_no }) =>
        gapless && first_seq_no >= (manifest.first_seq_no ?? 0) && last_seq_no <= (manifest.last_seq_no ?? 0),
    );
    history.compare(org, agents, gapless);
    const { first, last } = records;
    const rooms = { host, verifier, issuer, directory, history, order, log };
    const beside = await new EdgeCheck(
      { edges, orgId: org.org_id, manifest, epochs, first, last, agentIds: records.agentIds },
      rooms,
    ).run();
    const subject = {
      manifest,
      manifestSignature,
      org,
      edges,
      epochs,
      admin,
      records,
      order,
      serviceKeys,
      agents,
      directoryLatest: directory.latest,
      withheldEvents: withheldDigest(events, host.sha256),
    };
    const covers = await checkManifest(subject, issuer, verifier, host, log);
    const { signed } = covers;
    this.#checkMaking(manifest);
    if (signed && gapless && manifest.first_seq_no !== null && manifest.last_seq_no !== null) {
      const { first: from = manifest.first_seq_no, last: to = manifest.last_seq_no } = beside;
      this.#extent = [Math.min(from, manifest.first_seq_no), Math.max(to, manifest.last_seq_no)];
    }
    if (!tracks.reconciliation.notes.given) return;
    const statement = { manifest, manifest_signature: manifestSignature };
    const reconciled = {
      manifest,
      manifestSignature,
      edges,
      signed,
      covers,
      epochs: epochs.shown(),
      org,
      serviceKeys,
      agents,
      events,
      proof: signed && covers.records ? [statement] : [],
      endingAt: (size: number) => epochs.endingAt(size),
      logRoots: epochs.log.roots,
      logRootAt: (size: number) => epochs.log.rootAt(size),
    };
    await tracks.reconciliation.finish(reconciled, issuer, verifier);
  }

  /** When a bundle was made is the service's word; a reader may know that it must have been later. */
  #checkMaking({ created_at }: Manifest): void {
    const { madeNotBefore } = this.#options;
    if (madeNotBefore === undefined || parseTime(created_at) >= madeNotBefore) return;
    this.#tracks.log.add('MADE_EARLIER', {
      severity: 'warning',
      where: { member: 'manifest.created_at' },
      expected: `at the earliest ${instantText(madeNotBefore)}`,
      actual: created_at,
      message: 'The bundle says that it was made before the time that you asked for: it need not hold what came later.',
    });
    this.#madeEarlier = created_at;
  }

  #report(): VerificationReport {
    return makeReport({
      subject: 'bundle',
      broken: this.#broken,
      tracks: this.#tracks,
      issuerKid: this.#parts.manifest?.service_kid ?? null,
      format: this.#format,
      recognised: this.#format?.startsWith('countersign.bundle.') === true || this.#seen.size >= RECOGNISED_MEMBERS,
      org: this.#parts.org,
      manifest: this.#parts.manifest,
      carried: this.#parts.edges ?? {},
      extent: this.#extent,
      madeEarlier: this.#madeEarlier,
      serviceKeys: this.#parts.serviceKeys.length,
      agents: this.#parts.agents.length,
      epochsGiven: this.#parts.epochs.length,
      eventsGiven: this.#parts.events.length,
    });
  }
}

/**
 * Verifies a bundle (protocol V1), reading it as a stream. Nothing in the bundle is trusted: keys that come only from it
 * never make it `verified`.
 * @param source the file; read once where its members stand in the writers' order, else twice; and once more where records were
 *   changed and other files given, which are then read again as well
 * @returns the report; damage of any kind is a finding in it, not an error
 * @throws only what the source itself throws, such as a read error, what the host's crypto throws, and what the signal
 *   throws
 */
export async function verifyBundle(source: BundleSource, options: VerifyOptions = {}): Promise<VerificationReport> {
  const around = new Surroundings(source);
  return around.named(await new BundleVerification(around.source, options).run());
}
