import {
  ARRAY_MEMBERS,
  BUNDLE_FORMAT,
  BUNDLE_MEMBERS,
  type BundleOrg,
  type BundleSource,
  ORG_SHAPE,
} from '../bundle/document.ts';
import { type Edges, parseEdges } from '../bundle/edges.ts';
import { type BundleEvent, readBundle } from '../bundle/reader.ts';
import { ScanError, type ScannedValue } from '../bundle/scanner.ts';
import type { HostCrypto } from '../crypto.ts';
import { ProtocolError } from '../errors.ts';
import { parseJsonBytes } from '../json.ts';
import * as shape from '../shape.ts';
import { parseBundledEvent } from '../statements/admin-event.ts';
import { type BundleAgent, parseBundleAgent } from '../statements/agent-key.ts';
import { type Epoch, epochHash, epochSignedBytes, parseEpoch } from '../statements/epoch.ts';
import { type Manifest, parseManifest } from '../statements/manifest.ts';
import { parseServiceKey, type ServiceKey } from '../statements/service-key.ts';
import { instantText, parseTime } from '../time.ts';
import type { Extent } from './damage-survey.ts';
import { EdgeCheck } from './edge-check.ts';
import { makeReport } from './make-report.ts';
import { checkManifest } from './manifest-check.ts';
import { type NotedEvent, noteEvent, withheldDigest } from './noted-event.ts';
import type { NamedSource } from './other-bundle.ts';
import { type PreparedRecord, prepareRecord } from './prepared-record.ts';
import type { VerificationReport } from './report.ts';
import { Tracks } from './tracks.ts';

/** Limit on everything but records together, which is held in memory: whoever sends a bundle chooses its size. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** So many members of a bundle make a file a bundle, if a damaged one, even where its format is not readable. */
const RECOGNISED_MEMBERS = 3;

/** Told now and then how far the verification has come. */
export interface VerifyProgress {
  readonly bytes: number;
  readonly records: number;
  /** Elements of the records so far that are none. */
  readonly unreadable: number;
}

/** Of an AbortSignal, what this layer needs. */
export interface CancelSignal {
  throwIfAborted(): void;
}

export interface VerifyOptions {
  /** The host's fast crypto; noble where there is none. */
  readonly crypto?: HostCrypto;
  /**
   * Whom the reader trusts: `KID`, `KID@ORG_ID`, or the digits of the fingerprint in place of the kid (trust-entry.ts).
   * Without any, no bundle is ever `verified`.
   */
  readonly trustedKids?: readonly string[];
  /** Keys that the reader knows to be agents', `AGENT=KEY` each with the public key or its thumbprint (trust-entry.ts). */
  readonly agentKeys?: readonly string[];
  /** The bundle must have been made at this time or later, in milliseconds since the Unix epoch. */
  readonly madeNotBefore?: number;
  /** Receipts that agents kept, one EAR a line. */
  readonly receipts?: readonly NamedSource[];
  /** Other bundles of the same organization. */
  readonly against?: readonly NamedSource[];
  readonly onProgress?: (progress: VerifyProgress) => void;
  /** Ends the verification early: what it throws then, such as an AbortSignal's reason, verifyBundle throws. */
  readonly signal?: CancelSignal;
}

class Malformed extends Error {}

/** One verification, from the first byte to the report. */
class BundleVerification {
  readonly #source: BundleSource;
  readonly #options: VerifyOptions;
  readonly #tracks: Tracks;

  #format: string | null = null;
  #org: BundleOrg | null = null;
  #manifest: Manifest | null = null;
  #manifestSignature: string | null = null;
  #extent: Extent | null = null;
  readonly #serviceKeys: ServiceKey[] = [];
  readonly #agents: BundleAgent[] = [];
  readonly #epochList: Epoch[] = [];
  #edges: Edges | null = null;
  readonly #events: NotedEvent[] = [];
  readonly #seen = new Set<string>();
  #held = 0;
  #unreadable = 0;
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
  }

  async run(): Promise<VerificationReport> {
    for (const receipts of this.#options.receipts ?? []) await this.#tracks.reconciliation.loadReceipts(receipts);
    for (const bundle of this.#options.against ?? []) await this.#tracks.reconciliation.loadBundle(bundle);
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
    const member = event.kind === 'array' ? event.member : event.value.member;
    const line = event.kind === 'array' ? event.line : event.value.line;
    // What is found in what follows the records comes after what is found in them.
    if (member !== 'records') await this.#tracks.batches.flush();
    if (!(BUNDLE_MEMBERS as readonly string[]).includes(member)) {
      this.#stop(`A bundle has no member "${member.slice(0, 40)}"`, line);
    }
    const isArray = event.kind === 'array' || event.value.element;
    if (isArray !== (ARRAY_MEMBERS as readonly string[]).includes(member)) {
      this.#stop(`The member "${member}" is not of the right type`, line);
    }
    this.#seen.add(member);
    if (member === 'records') {
      if (event.kind === 'array') {
        const needed = ['service_keys', 'org', 'agents', 'epochs', 'edges', 'admin_events'];
        this.#deferred = needed.some((name) => !this.#seen.has(name));
        if (!this.#deferred) await this.#getReady();
      } else if (!this.#deferred) await this.#takeRecord(event);
      return;
    }
    if (event.kind === 'array') return;
    this.#held += event.value.bytes.length;
    if (this.#held > MAX_HELD_BYTES) this.#stop('The directory, epochs and events of the bundle are too large', line);
    this.#takeValue(event.value);
  }

  /** Parses a member, or an element of one, other than a record. */
  #takeValue({ member, bytes, line }: ScannedValue): void {
    try {
      const value = parseJsonBytes(bytes, { oneSpelling: true });
      switch (member) {
        case 'format':
          this.#takeFormat(value, line);
          break;
        case 'org':
          this.#org = shape.parseShape(value, ORG_SHAPE, 'org');
          break;
        case 'service_keys':
          this.#serviceKeys.push(parseServiceKey(value));
          break;
        case 'agents':
          this.#agents.push(parseBundleAgent(value));
          break;
        case 'epochs':
          this.#epochList.push(parseEpoch(value));
          break;
        case 'edges':
          this.#edges = parseEdges(value);
          break;
        case 'admin_events':
          this.#events.push(noteEvent(parseBundledEvent(value), this.#tracks.host.sha256));
          break;
        case 'manifest':
          this.#manifest = parseManifest(value);
          break;
        default:
          if (shape.signature(value) !== null) throw new ProtocolError('SHAPE_INVALID', 'expected a signature');
          this.#manifestSignature = value as string;
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#tracks.log.add('MALFORMED', {
        where: { line, member: error.member ?? member },
        message: `This part of the bundle is not as it should be: ${error.message}.`,
      });
    }
  }

  #takeFormat(value: unknown, line: number): void {
    this.#format = typeof value === 'string' ? value.slice(0, 100) : null;
    if (value === BUNDLE_FORMAT) return;
    const known = typeof value === 'string' && value.startsWith('countersign.bundle.');
    if (!known) this.#stop('The member "format" does not say that this is a bundle', line);
    this.#broken = `the bundle is of another version (${this.#format})`;
    this.#tracks.log.add('UNSUPPORTED_VERSION', {
      where: { line, member: 'format' },
      expected: BUNDLE_FORMAT,
      actual: shape.show(value),
      message: 'The bundle is of a version that this verifier does not know. Nothing in it was checked.',
    });
    throw new Malformed(this.#broken);
  }

  /** Once the directory is complete: checks everything that records rely on. */
  async #getReady(): Promise<void> {
    if (this.#ready) return;
    this.#ready = true;
    await this.#tracks.load({
      orgId: this.#org?.org_id ?? '',
      serviceKeys: this.#serviceKeys,
      agents: this.#agents,
      epochs: this.#epochList,
      edges: this.#edges ?? { frontier: [], consistency: [] },
      events: this.#events,
    });
  }

  async #takeRecord(event: BundleEvent): Promise<void> {
    if (event.kind !== 'value' || event.value.member !== 'records') return;
    const { bytes, line } = event.value;
    let record: PreparedRecord;
    try {
      record = prepareRecord(bytes, line, this.#tracks.host.sha256);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#unreadable++;
      const where = error.member === undefined ? { line } : { line, member: error.member };
      const message = `The record is not as it should be: ${error.message}.`;
      await this.#tracks.batches.add(() => this.#tracks.log.add('MALFORMED', { where, message }));
      return;
    }
    await this.#tracks.batches.add(record);
  }

  async #finish(): Promise<void> {
    const missing = BUNDLE_MEMBERS.filter((member) => !this.#seen.has(member));
    if (missing.length > 0) this.#stop(`The bundle lacks the member "${missing[0]}"`);
    const [manifest, manifestSignature, org, edges] = [this.#manifest, this.#manifestSignature, this.#org, this.#edges];
    if (manifest === null || manifestSignature === null || org === null || edges === null) {
      this.#broken = 'the manifest, the edges or the organization could not be read';
      return;
    }
    const tracks = this.#tracks;
    const { records, epochs, log, issuer, verifier, host, directory, admin } = tracks;
    const gapless = manifest.filter.agent_id === null;
    records.sequence.finish(gapless);
    epochs.finish(
      ({ first_seq_no, last_seq_no }) =>
        gapless && first_seq_no >= (manifest.first_seq_no ?? 0) && last_seq_no <= (manifest.last_seq_no ?? 0),
    );
    tracks.history.compare(this.#agents, gapless);
    const { first, last } = records;
    const rooms = { host, verifier, issuer, directory, log };
    const beside = await new EdgeCheck(
      { edges, orgId: org.org_id, manifest, epochs: epochs.list, first, last, agentIds: records.agentIds },
      rooms,
    ).run();
    const subject = {
      ...{ manifest, manifestSignature, org, edges, epochs, admin, records },
      serviceKeys: this.#serviceKeys,
      agents: this.#agents,
      directoryLatest: directory.latest,
      withheldEvents: withheldDigest(this.#events, host.sha256),
    };
    const { signed, listsRecords } = await checkManifest(subject, issuer, verifier, host, log);
    this.#checkMaking(manifest);
    if (signed && gapless && manifest.first_seq_no !== null && manifest.last_seq_no !== null) {
      const { first: from = manifest.first_seq_no, last: to = manifest.last_seq_no } = beside;
      this.#extent = [Math.min(from, manifest.first_seq_no), Math.max(to, manifest.last_seq_no)];
    }
    if (!tracks.reconciliation.given) return;
    const statement = { manifest, manifest_signature: manifestSignature };
    const neighbours = [edges.before, edges.after].flatMap((one) =>
      one === null ? [] : [{ epoch: one.epoch, hash: epochHash(epochSignedBytes(one.epoch), host.sha256) }],
    );
    const reconciled = {
      ...{ manifest, manifestSignature, edges, signed },
      epochs: [...epochs.list, ...neighbours],
      serviceKeys: this.#serviceKeys,
      agents: this.#agents,
      events: this.#events,
      proof: signed && listsRecords ? [statement] : [],
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
      issuerKid: this.#manifest?.service_kid ?? null,
      format: this.#format,
      recognised: this.#format?.startsWith('countersign.bundle.') === true || this.#seen.size >= RECOGNISED_MEMBERS,
      org: this.#org,
      manifest: this.#manifest,
      extent: this.#extent,
      madeEarlier: this.#madeEarlier,
      serviceKeys: this.#serviceKeys.length,
      agents: this.#agents.length,
      epochsGiven: this.#epochList.length,
      eventsGiven: this.#events.length,
    });
  }
}

/**
 * Verifies a bundle (protocol §9), reading it as a stream. Nothing in the bundle is trusted: keys that come only from it
 * never make it `verified`.
 * @param source the file; read once where its members stand in the writers' order, else twice
 * @returns the report; damage of any kind is a finding in it, not an error
 * @throws only what the source itself throws, such as a read error, what the host's crypto throws, and what the signal
 *   throws
 */
export function verifyBundle(source: BundleSource, options: VerifyOptions = {}): Promise<VerificationReport> {
  return new BundleVerification(source, options).run();
}
