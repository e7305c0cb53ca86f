import { directoryDigest, HashListDigest } from '../bundle/digests.ts';
import { BUNDLE, BUNDLE_FORMAT, BUNDLE_MEMBERS, type BundleOrg, type BundleSource } from '../bundle/document.ts';
import { misplaced, readBundle } from '../bundle/reader.ts';
import { ScanError } from '../bundle/scanner.ts';
import { TooLarge } from '../bundle/sizes.ts';
import type { Sha256 } from '../digest.ts';
import { parseJsonBytes } from '../json.ts';
import { ProtocolError, unlessRefused } from '../protocol-error.ts';
import type { BundleAgent } from '../statements/agent-key.ts';
import type { Manifest } from '../statements/manifest.ts';
import type { Receipt } from '../statements/receipt.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { BundleParts } from './bundle-parts.ts';
import { MOST_MALFORMED } from './finding-log.ts';
import type { NotedEvent } from './noted-event.ts';
import { type Listed, listed } from './packed-epochs.ts';
import { type Link, linkOf, prepareRecord } from './prepared-record.ts';
import type { FindingPlace } from './report.ts';
import type { Covers, StatedEpoch } from './side.ts';

/** A file to compare the bundle with; `name` is how findings call it. */
export interface NamedSource {
  readonly name: string;
  readonly source: BundleSource;
}

/** A record of another bundle, as its agent's chain has it. */
export interface OtherLink extends Link {
  readonly where: FindingPlace;
}

/** What another bundle states, its receipts apart. Its signatures are checked where something is made of it. */
export interface OtherBundle {
  readonly name: string;
  /** Also the newest of its ledger. */
  readonly epochs: Listed<StatedEpoch>;
  /** In the order of the file. */
  readonly links: readonly OtherLink[];
  readonly org: BundleOrg | null;
  readonly serviceKeys: readonly ServiceKey[];
  readonly agents: readonly BundleAgent[];
  readonly events: readonly NotedEvent[];
  readonly manifest: Manifest | null;
  readonly manifestSignature: string | null;
  /** Which of these its manifest covers, whoever signed it: only then it is the service that left one out or said otherwise. */
  readonly covers: Covers;
}

/** Takes a receipt. @param isRecord whether it is of a record of the bundle, which the manifest's `records_digest` is about, and not of a neighbour */
export type KeepReceipt = (receipt: Receipt, where: FindingPlace, isRecord: boolean) => void;

/** What becomes of a part that cannot be read: the rest counts all the same. */
export type UnreadablePart = (where: FindingPlace, error: ProtocolError) => void;

/** One reading of another bundle. */
class OtherReading {
  readonly #name: string;
  readonly #hash: Sha256;
  readonly #keep: KeepReceipt;
  /** The line of each epoch; and the newest of its ledger, with how many stand before it in the file. */
  readonly #epochLines: number[] = [];
  #head: (StatedEpoch & { readonly at: number }) | null = null;
  readonly #links: OtherLink[] = [];
  readonly #parts: BundleParts;
  readonly #met = new Set<string>();
  readonly #records = new HashListDigest();

  constructor(name: string, hash: Sha256, keep: KeepReceipt) {
    this.#name = name;
    this.#hash = hash;
    this.#keep = keep;
    this.#parts = new BundleParts(hash);
  }

  take(member: string, bytes: Uint8Array, where: FindingPlace): void {
    if (member === 'records') {
      this.#takeRecord(bytes, where);
      return;
    }
    const { epochs, edges } = this.#parts;
    this.#parts.take(member, bytes);
    if (member === 'epochs') this.#epochLines.push(where.line ?? 0);
    if (member === 'edges' && edges === null) {
      for (const neighbour of [this.#parts.edges?.before, this.#parts.edges?.after]) {
        if (neighbour != null) this.#keep(neighbour.ear, where, false);
      }
      const head = this.#parts.edges?.head;
      if (head != null) this.#head = { epoch: head, where, at: epochs.length };
    }
  }

  #takeRecord(bytes: Uint8Array, where: FindingPlace): void {
    // Whole, its payload too: what the bundle itself could not hold is not taken from another one.
    const record = prepareRecord(bytes, where.line ?? 0, this.#hash);
    this.#records.add(record.leaf);
    this.#keep(record.ear, where, true);
    this.#links.push({ ...linkOf(record), where });
  }

  /** The epochs in the order of the file, each made when it is asked for. */
  #stated(): Listed<StatedEpoch> {
    const { epochs } = this.#parts;
    const head = this.#head;
    return listed(epochs.length + (head === null ? 0 : 1), (index) => {
      if (index === head?.at) return head;
      const place = head === null || index < head.at ? index : index - 1;
      const epoch = epochs.at(place);
      return epoch && { epoch, where: { file: this.#name, line: this.#epochLines[place] ?? 0 } };
    });
  }

  /** Notes that a member was met. */
  met(member: string): void {
    this.#met.add(member);
  }

  /** @throws ProtocolError where the file lacks a member */
  checkWhole(): void {
    const missing = BUNDLE_MEMBERS.find((member) => !this.#met.has(member));
    if (missing !== undefined) throw new ProtocolError('SHAPE_INVALID', `it lacks the member "${missing}"`);
  }

  finish(): OtherBundle {
    const { manifest, manifestSignature, org, agents, serviceKeys, events } = this.#parts;
    const directory = org && directoryDigest({ org, agents, service_keys: serviceKeys }, this.#hash);
    const eventList = new HashListDigest();
    for (const { hash } of events) eventList.add(hash);
    return {
      name: this.#name,
      epochs: this.#stated(),
      links: this.#links,
      org,
      serviceKeys,
      agents,
      events,
      manifest,
      manifestSignature,
      covers: {
        records: manifest?.records_digest === this.#records.digest(),
        directory: manifest?.directory_digest === directory,
        events: manifest?.admin_events_digest === eventList.digest(),
      },
    };
  }
}

/**
 * Where a file states another format than this one, or one that cannot be read: what its other members mean is not known, also of
 * those before it. A file without any, or broken before it, is read as far as it goes.
 */
async function lineOfOtherFormat(source: BundleSource): Promise<number | null> {
  try {
    for await (const events of readBundle(source)) {
      for (const event of events) {
        if (event.member !== 'format') continue;
        return event.kind === 'value' && isThisFormat(event.bytes) ? null : event.line;
      }
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
  }
  return null;
}

function isThisFormat(bytes: Uint8Array): boolean {
  return unlessRefused(() => parseJsonBytes(bytes, { oneSpelling: true }), null) === BUNDLE_FORMAT;
}

/**
 * Reads another bundle for what it states.
 * @param keep takes each of its receipts
 * @param unreadable receives each part that cannot be read, and the place where the document breaks off
 * @throws only what the source itself throws
 */
export async function readOtherBundle(
  { name, source }: NamedSource,
  hash: Sha256,
  keep: KeepReceipt,
  unreadable: UnreadablePart,
): Promise<OtherBundle> {
  const reading = new OtherReading(name, hash, keep);
  let malformed = 0;
  let isTooLarge = false;
  const attempt = (where: FindingPlace, act: () => void, member?: string): void => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      unreadable(where, error);
      if (member !== 'records') malformed++;
      isTooLarge ||= error instanceof TooLarge;
    }
  };
  const otherFormat = await lineOfOtherFormat(source);
  if (otherFormat !== null) {
    const error = new ProtocolError('SHAPE_INVALID', `it is no bundle of ${BUNDLE_FORMAT}`);
    unreadable({ file: name, line: otherFormat }, error);
    return reading.finish();
  }
  try {
    for await (const events of readBundle(source)) {
      for (const event of events) {
        const { member, line } = event;
        const where = { file: name, line };
        if (misplaced(event, BUNDLE) !== null) {
          unreadable(where, new ProtocolError('SHAPE_INVALID', `no bundle has such a member "${member.slice(0, 40)}"`));
          return reading.finish();
        }
        reading.met(member);
        if (event.kind === 'value') {
          const { bytes } = event;
          attempt(where, () => reading.take(member, bytes, where), member);
          if (isTooLarge || malformed > MOST_MALFORMED.others) return reading.finish();
        }
      }
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    unreadable({ file: name, line: error.line }, error);
    return reading.finish();
  }
  attempt({ file: name }, () => reading.checkWhole());
  return reading.finish();
}
