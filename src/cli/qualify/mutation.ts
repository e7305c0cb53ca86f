import { nodeCrypto } from '../../node/index.ts';
import type { KnownLine } from '../../node/time-stamps/index.ts';
import { type BundleRecord, type ExaminerKey, type FindingCode, toHex, utf8 } from '../../protocol/index.ts';
import { type Bundle, nodesOf, withGaps, writeBundle } from './bundle.ts';
import { type ForgedBundle, forge, forgeWithKey } from './forge.ts';

/**
 * What a verifier must say of a copy: `failed` of damage; `unverified`, that is failed or incomplete, of a forgery that is
 * sound in itself and lacks only the trusted key; `verified` of a control, a copy that says the same as the original;
 * `incoherent` and `coherent` of a forgery that is sound in itself, by whether its records contradict each other.
 */
export type Expectation = 'failed' | 'unverified' | 'verified' | 'incoherent' | 'coherent';

/** What the reader of a copy has besides. */
export interface Given {
  /** Other bundles of the ledger. */
  readonly against?: readonly string[];
  /** Receipts that were kept, one a line. */
  readonly receipts?: string;
  /** Checkpoints that were kept, each as a file. */
  readonly checkpoints?: readonly string[];
  /** Whom the reader trusts besides, as trust entries. */
  readonly trusted?: readonly string[];
  /** Examiners' keys that were compared with the persons. */
  readonly examiners?: readonly ExaminerKey[];
  /** Witnesses that the reader demands, as JSON (protocol V182). */
  readonly witnesses?: string;
  /** Lines that the reader knows, and since when (protocol V190). */
  readonly lines?: readonly KnownLine[];
  /** A checkpoint with time stamps, and the root that the reader trusts for time. */
  readonly stamps?: { readonly file: string; readonly root: Uint8Array };
}

/** One mutated copy, not made yet. */
export interface Copy {
  /** Where the mutation was applied. */
  readonly at: string;
  readonly make: () => string | Uint8Array;
  readonly given?: () => Given;
}

/** One kind of mutation. */
export interface Mutation {
  readonly id: string;
  readonly title: string;
  /** What somebody who does this is after. */
  readonly attack: string;
  readonly expected: Expectation;
  /** A finding that must be among those of the verifier, or of coherence (docs/agent-actions.md). */
  readonly finding?: FindingCode | (string & {});
  /** Whether the service is honest: a finding that it contradicts itself would accuse it falsely. */
  readonly isHonest?: true;
  /** The copies to make, or the reason why it cannot be applied to this bundle. */
  copies(subject: Subject): readonly Copy[] | string;
}

/** How many records of the forged ledger of another organization are made. */
const OTHER_RECORDS = 16;

/** The bundle that is mutated; places are chosen by the seed, so that two runs mutate the same places. */
export class Subject {
  readonly bundle: Bundle;
  readonly seed: string;
  #text: string | null = null;
  #other: Bundle | null = null;
  #ownService: ForgedBundle | null = null;

  constructor(bundle: Bundle, seed: string) {
    this.bundle = bundle;
    this.seed = seed;
  }

  /** The bundle as writers write it: what is not mutated in a copy stands there like this. */
  get text(): string {
    this.#text ??= writeBundle(this.bundle);
    return this.#text;
  }

  /** A number from 0 to below `count`, the same for the same seed and label. */
  number(label: string, count: number): number {
    const digest = toHex(nodeCrypto.sha256(utf8(`countersign qualify ${this.seed} ${label}`)));
    return Number(BigInt(`0x${digest}`) % BigInt(count));
  }

  /** A record that a mutation applies to: the first that `wanted` takes, from a place that the seed chooses. */
  record(label: string, wanted: (record: BundleRecord) => boolean = () => true): number | null {
    const { records } = this.bundle;
    if (records.length === 0) return null;
    const start = this.number(label, records.length);
    for (let step = 0; step < records.length; step++) {
      const index = (start + step) % records.length;
      const record = records[index];
      if (record !== undefined && wanted(record)) return index;
    }
    return null;
  }

  /** The ledger of another organization, with other keys throughout; its first records say what this one's say. */
  get other(): Bundle {
    if (this.#other !== null) return this.#other;
    const { records, epochs } = this.bundle;
    const first = { ...this.bundle, records: records.slice(0, OTHER_RECORDS), epochs: epochs.slice(0, 1) };
    // What is left out of the log stays as gaps, or no proof led to its records.
    this.#other = forge(withGaps(first, nodesOf(this.bundle, nodeCrypto.sha256)), {
      label: 'another organization',
      orgId: 'org_of_somebody_else',
      agentsToo: true,
    });
    return this.#other;
  }

  /** The bundle with all that the service signed signed by one whose key is at hand: only its holder can tell such lies. */
  get ownService(): ForgedBundle {
    this.#ownService ??= forgeWithKey(this.bundle, { label: 'a dishonest service', agentsToo: false });
    return this.#ownService;
  }
}

/** The copy in which a record stands changed. */
export function withRecord(bundle: Bundle, index: number, record: BundleRecord): Bundle {
  return { ...bundle, records: bundle.records.with(index, record) };
}

/** How a record is named in the matrix. */
export function place(bundle: Bundle, index: number): string {
  return `seq_no ${bundle.records[index]?.ear.seq_no ?? '?'}`;
}

/** One copy: another value of the bundle, written as writers do. */
export function written(at: string, make: () => Bundle): readonly Copy[] {
  return [{ at, make: () => writeBundle(make()) }];
}

/** What is said of a mutation that a verifier finds. */
export type About = Omit<Mutation, 'copies' | 'expected'>;

export function failing(about: About, copies: Mutation['copies']): Mutation {
  return { ...about, expected: 'failed', copies };
}

/** A mutation of a single record: the change is made to one that it applies to. */
export function recordMutation(
  about: About,
  change: (record: BundleRecord, subject: Subject) => BundleRecord,
  wanted?: (record: BundleRecord) => boolean,
  lacking = 'the bundle holds no such record',
): Mutation {
  return failing(about, (subject) => {
    const { bundle } = subject;
    const index = subject.record(about.id, wanted);
    const record = index === null ? undefined : bundle.records[index];
    if (index === null || record === undefined) return lacking;
    return written(place(bundle, index), () => withRecord(bundle, index, change(record, subject)));
  });
}
