import { epochHash, epochSignedBytes } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import { parseTime } from '../time.ts';
import { type ContradictionKind, contradictionBetween } from './contradiction.ts';
import type { FindingLog } from './finding-log.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { OtherBundle } from './other-bundle.ts';
import type { FindingPlace } from './report.ts';
import { checkpointOf, isCopy, type SignedStatement } from './signed-statement.ts';

export type IsSigned = (statement: SignedStatement) => Promise<boolean>;

/** What is done where a statement would contradict, but is not signed. */
export type Unsigned = (where: FindingPlace) => void;

/** How it is found whether a statement is signed, and where what is found goes. */
export interface StatementJudging {
  readonly isSigned: IsSigned;
  readonly unsigned: Unsigned;
  readonly log: FindingLog;
  readonly order: LedgerOrder;
}

/** The parts of a bundle that hold signed statements, its receipts apart. */
type StatedParts = Pick<OtherBundle, 'manifest' | 'manifestSignature' | 'serviceKeys' | 'agents' | 'epochs'>;

/** What statements are about: one organization, and the service keys of the verified bundle. */
interface About {
  readonly orgId: string;
  readonly kids: ReadonlySet<string>;
}

/** A statement and the file that holds it; no file where that is the verified bundle. */
interface Stated {
  readonly statement: SignedStatement;
  readonly where: FindingPlace;
  /** The file's place among what was given, from 1; 0 of the verified bundle. */
  readonly file: number;
}

/** An epoch stands for itself by its place in its file, with the file's number: a file has as many as whoever made it likes. */
type EpochPlace = number;
type Held = Stated | EpochPlace;
/** More than a file has epochs, in the way of powers of two. */
const PLACES_OF_A_FILE = 2 ** 20;

export const MESSAGES: Readonly<Record<ContradictionKind, string>> = {
  receipt: 'The service signed two different receipts for the same sequence number or operation.',
  epoch: 'The service signed two different epochs with the same number.',
  epoch_link: 'The service signed an epoch that follows on another one than the epoch it signed under that number.',
  epoch_run: 'The service signed an epoch that begins before the end of an earlier one.',
  log_head: 'The service signed two statements about its ledger that cannot both be true.',
  checkpoint: 'The service signed two roots of its log at one size.',
  set_back: 'The service signed for a ledger that ends before what it had signed and was shown.',
  service_key: 'Two service keys stand in one place of the line of keys.',
  agent_key: 'The service attested one key of an agent in two ways.',
};

const SIZE = 'size ';

/** Of what there can be one statement only, in one place each. */
function placesOf(statement: SignedStatement): string[] {
  if ('receipt' in statement) {
    const { seq_no, operation_id } = statement.receipt;
    return [`seq_no ${seq_no}`, `operation ${operation_id.toLowerCase()}`];
  }
  if ('epoch' in statement) return [`epoch ${statement.epoch.epoch_no}`, `${SIZE}${statement.epoch.last_seq_no}`];
  if ('checkpoint' in statement) return [`${SIZE}${checkpointOf(statement).size}`];
  if ('service_key' in statement) {
    const { kid, prev_kid } = statement.service_key;
    return prev_kid === null ? [`key ${kid}`] : [`key ${kid}`, `behind ${prev_kid}`];
  }
  if ('agent_key' in statement) {
    const { agent_id, kid, retired_at } = statement.agent_key;
    const name = JSON.stringify([agent_id, kid]);
    return retired_at === null ? [`agent key ${name}`] : [`agent key ${name}`, `revoked ${name}`];
  }
  return [];
}

/** What a reader compares of two statements, in a text each. */
function shownOf(statement: SignedStatement, kind: ContradictionKind, member?: string): string | undefined {
  if ('epoch' in statement) {
    return kind === 'checkpoint' ? statement.epoch.log_root : epochHash(epochSignedBytes(statement.epoch));
  }
  if ('checkpoint' in statement) return checkpointOf(statement).root;
  if ('receipt' in statement) return `${statement.receipt.seq_no} ${statement.receipt.chain_hash}`;
  if (!('manifest' in statement) || member === undefined) return undefined;
  return JSON.stringify(statement.manifest[member as keyof Manifest]);
}

/** A root of the log, stated or given by what follows from signed statements. */
export interface LogRoot {
  readonly size: number;
  readonly root: string;
  readonly where: FindingPlace;
  readonly file: number;
  readonly isProven: () => Promise<boolean>;
  /** Whether the bundle was held against it already. */
  readonly isCompared: boolean;
}

/**
 * Everything that the service is said to have signed, in the bundle and in whatever else was given: what is added is held against what
 * is there (protocol V107). Of each place the first that is signed stays. Signatures are looked at where two differ.
 */
export class StatementSet {
  readonly #judging: StatementJudging;
  /** By place: statements that agree, until one of them is known to be signed. */
  readonly #places = new Map<string, Held[]>();
  readonly #manifests: Stated[] = [];
  /** By the number of the file: where its epochs are. */
  readonly #files = new Map<number, { readonly epochs: StatedParts['epochs']; readonly place: FindingPlace }>();
  /** Those that say nothing else than what was there, with their numbers. */
  readonly #epochs: EpochPlace[] = [];
  readonly #numbers: number[] = [];

  constructor(judging: StatementJudging) {
    this.#judging = judging;
  }

  /** Adds what a bundle states, its receipts apart. @param about of which organization, and the kids of the verified bundle's keys */
  async addAll(from: StatedParts, { orgId, kids }: About, place: FindingPlace, file: number): Promise<void> {
    this.#files.set(file, { epochs: from.epochs, place });
    for (let index = 0; index < from.epochs.length; index++)
      await this.#addEpoch(file * PLACES_OF_A_FILE + index, orgId);
    const { manifest, manifestSignature: manifest_signature } = from;
    if (manifest?.org_id === orgId && manifest_signature !== null) {
      await this.add({ manifest, manifest_signature }, place, file);
    }
    for (const service_key of from.serviceKeys) {
      // Whoever makes a key can have it name any other as the one before it: only that one's signature counts.
      if (!kids.has(service_key.kid) && !kids.has(service_key.prev_kid ?? '')) continue;
      await this.add({ service_key }, { ...place, kid: service_key.kid }, file);
    }
    for (const { agent_id, org_id, keys } of from.agents) {
      // A key listed below another agent than its own is no statement about that one.
      for (const agent_key of keys.filter((key) => org_id === orgId && key.agent_id === agent_id)) {
        await this.add({ org_id, agent_key }, { ...place, agent_id, kid: agent_key.kid }, file);
      }
    }
  }

  /** @param file the file's place among what was given, from 1; 0 of the verified bundle, which is judged by itself */
  async add(statement: SignedStatement, where: FindingPlace, file: number): Promise<void> {
    const stated = { statement, where, file };
    await this.#put(stated, stated);
    if (!('manifest' in statement)) return;
    for (const other of this.#manifests) if (await this.#report(stated, other)) break;
    this.#manifests.push(stated);
  }

  async #addEpoch(at: EpochPlace, orgId: string): Promise<void> {
    const stated = this.#read(at);
    if (!('epoch' in stated.statement) || stated.statement.epoch.org_id !== orgId) return;
    if (!(await this.#put(stated, at))) return;
    this.#epochs.push(at);
    this.#numbers.push(numberOf(stated));
  }

  #read(held: Held): Stated {
    if (typeof held !== 'number') return held;
    const file = Math.floor(held / PLACES_OF_A_FILE);
    const { epochs, place = {} } = this.#files.get(file) ?? {};
    const entry = epochs?.at(held % PLACES_OF_A_FILE);
    if (entry === undefined) throw new RangeError(`file ${file} has no such epoch`);
    const { epoch, where = place } = entry;
    return { statement: { epoch }, where: { ...where, epoch_no: epoch.epoch_no, epoch_id: epoch.epoch_id }, file };
  }

  /**
   * Puts a statement into its places.
   * @param held the same, as it is held
   * @returns whether it is no copy, and nothing that is signed says otherwise
   */
  async #put(stated: Stated, held: Held): Promise<boolean> {
    const { statement } = stated;
    const places = placesOf(statement);
    const known = this.#places.get(places[0] ?? '')?.[0];
    if (known !== undefined && isCopy(statement, this.#read(known).statement)) return false;
    let isSaid = false;
    for (const place of places) {
      const there = this.#places.get(place);
      const first = there?.[0];
      if (there === undefined || first === undefined) this.#places.set(place, [held]);
      else if (contradictionBetween(statement, this.#read(first).statement) === null) there.push(held);
      else if (!isSaid) isSaid = await this.#contradict(place, there, stated, held);
    }
    return !isSaid;
  }

  /** @returns whether that is settled: what is there is signed, and stays */
  async #contradict(place: string, there: readonly Held[], stated: Stated, held: Held): Promise<boolean> {
    for (const one of there) {
      const first = this.#read(one);
      if (!(await this.#judging.isSigned(first.statement))) continue;
      this.#places.set(place, [one]);
      await this.#report(stated, first);
      return true;
    }
    this.#places.set(place, [held]);
    if (there[0] !== undefined) this.#warn(this.#read(there[0]), stated);
    return false;
  }

  /** The place is never the verified bundle: its own signatures were judged. */
  #warn(unsigned: Stated, other: Stated): void {
    this.#judging.unsigned(unsigned.file === 0 ? other.where : unsigned.where);
  }

  /** @returns whether the two contradict each other, signed or not */
  async #report(later: Stated, first: Stated): Promise<boolean> {
    const found = contradictionBetween(later.statement, first.statement);
    if (found === null || (later.file === 0 && first.file === 0)) return false;
    for (const [one, other] of [[first, later] as const, [later, first] as const]) {
      if (await this.#judging.isSigned(one.statement)) continue;
      this.#warn(one, other);
      return true;
    }
    const { kind, member } = found;
    const [expected, actual] = [shownOf(later.statement, kind, member), shownOf(first.statement, kind, member)];
    const about = 'epoch' in first.statement && kind === 'checkpoint' ? first.statement.epoch : null;
    this.#judging.log.add('EQUIVOCATION', {
      where: {
        ...later.where,
        ...(about === null ? {} : { epoch_no: about.epoch_no, epoch_id: about.epoch_id }),
        ...(member === undefined ? {} : { member: `manifest.${member}` }),
      },
      ...(expected === undefined || actual === undefined ? {} : { expected, actual }),
      message: MESSAGES[kind],
      evidence: [later.statement, first.statement],
    });
    return true;
  }

  /**
   * After everything was added: the order of the epochs. Honest ones stand in one, so that each signed one and the one before it
   * tell.
   */
  async finish(): Promise<void> {
    if (this.#epochs.every((at) => at < PLACES_OF_A_FILE)) return;
    const numberAt = (index: number): number => this.#numbers[index] ?? 0;
    let previous: Stated | null = null;
    let unsigned: EpochPlace[] = [];
    for (const index of [...this.#epochs.keys()].sort((a, b) => numberAt(a) - numberAt(b))) {
      const at = this.#epochs[index] ?? 0;
      const stated = this.#read(at);
      const isSigned: boolean = await this.#judging.isSigned(stated.statement);
      if (previous !== null) await this.#inOrder(previous, stated);
      if (!isSigned) unsigned.push(at);
      else {
        for (const one of unsigned) await this.#inOrder(this.#read(one), stated);
        [previous, unsigned] = [stated, []];
      }
    }
  }

  /** @param higher is of a higher number than the other, or of the same */
  async #inOrder(lower: Stated, higher: Stated): Promise<void> {
    const [later, first] = lower.file > higher.file ? [lower, higher] : [higher, lower];
    if ((await this.#report(later, first)) || later.file === 0) return;
    const [ended, begun] = [lower.statement, higher.statement];
    if (!('epoch' in ended && 'epoch' in begun) || ended.epoch.epoch_no === begun.epoch.epoch_no) return;
    const at = (epochNo: number, time: string): number => this.#judging.order.at('epoch_no', epochNo, parseTime(time));
    const isAfter = at(begun.epoch.epoch_no, begun.epoch.start_time) >= at(ended.epoch.epoch_no, ended.epoch.end_time);
    if (isAfter) return;
    for (const one of [first, later]) {
      if (await this.#judging.isSigned(one.statement)) continue;
      this.#warn(one, later);
      return;
    }
    this.#judging.log.add('CONTRADICTION', {
      where: later.where,
      expected: `begun at the earliest ${ended.epoch.end_time}`,
      actual: begun.epoch.start_time,
      message: 'Of two epochs the later one began before the earlier one had ended.',
    });
  }

  /** The sizes of which a root of the log is stated. */
  *sizes(): Generator<number> {
    for (const place of this.#places.keys()) if (place.startsWith(SIZE)) yield Number(place.slice(SIZE.length));
  }

  /** The root of the log that is stated of a size; null where none is. */
  rootAt(size: number): LogRoot | null {
    const there = this.#places.get(`${SIZE}${size}`) ?? [];
    if (there[0] === undefined) return null;
    const { statement, where, file } = this.#read(there[0]);
    const root = shownOf(statement, 'checkpoint');
    if (root === undefined) return null;
    const isProven = async (): Promise<boolean> => {
      for (const one of there) if (await this.#judging.isSigned(this.#read(one).statement)) return true;
      return false;
    };
    return { size, root, where, file, isProven, isCompared: 'checkpoint' in statement };
  }
}

function numberOf({ statement }: Stated): number {
  return 'epoch' in statement ? statement.epoch.epoch_no : 0;
}
