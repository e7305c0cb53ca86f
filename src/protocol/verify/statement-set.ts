import { utf8 } from '../bytes.ts';
import { parseCheckpoint } from '../statements/checkpoint.ts';
import { type Epoch, epochHash, epochSignedBytes } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import { parseTime } from '../time.ts';
import { type ContradictionKind, contradictionBetween } from './contradiction.ts';
import type { FindingLog } from './finding-log.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { OtherBundle } from './other-bundle.ts';
import type { FindingPlace } from './report.ts';
import { isCopy, type SignedStatement } from './signed-statement.ts';

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
interface StatedParts extends Pick<OtherBundle, 'manifest' | 'manifestSignature' | 'serviceKeys' | 'agents'> {
  readonly epochs: readonly { readonly epoch: Epoch; readonly where?: FindingPlace }[];
}

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

export const MESSAGES: Readonly<Record<ContradictionKind, string>> = {
  receipt: 'The service signed two different receipts for the same sequence number or operation.',
  epoch: 'The service signed two different epochs with the same number.',
  epoch_link: 'The service signed an epoch that follows on another one than the epoch it signed under that number.',
  epoch_run: 'The service signed an epoch that begins before the end of an earlier one.',
  log_head: 'The service signed two statements about its ledger that cannot both be true.',
  checkpoint: 'The service signed two roots of its log at one size.',
  service_key: 'Two service keys stand in one place of the line of keys.',
  agent_key: 'The service attested one key of an agent in two ways.',
};

/** Of what there can be one statement only, in one place each. */
function placesOf(statement: SignedStatement): string[] {
  if ('receipt' in statement) {
    const { seq_no, operation_id } = statement.receipt;
    return [`seq_no ${seq_no}`, `operation ${operation_id.toLowerCase()}`];
  }
  if ('epoch' in statement) return [`epoch ${statement.epoch.epoch_no}`, `size ${statement.epoch.last_seq_no}`];
  if ('checkpoint' in statement) return [`size ${parseCheckpoint(utf8(statement.checkpoint)).size}`];
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
  if ('checkpoint' in statement) return parseCheckpoint(utf8(statement.checkpoint)).root;
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
  readonly #places = new Map<string, Stated[]>();
  readonly #manifests: Stated[] = [];
  readonly #epochs: Stated[] = [];

  constructor(judging: StatementJudging) {
    this.#judging = judging;
  }

  /** Adds what a bundle states, its receipts apart. @param about of which organization, and the kids of the verified bundle's keys */
  async addAll(from: StatedParts, { orgId, kids }: About, place: FindingPlace, file: number): Promise<void> {
    for (const { epoch, where = place } of from.epochs) {
      const { epoch_no, epoch_id, org_id } = epoch;
      if (org_id === orgId) await this.add({ epoch }, { ...where, epoch_no, epoch_id }, file);
    }
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
    const places = placesOf(statement);
    const known = this.#places.get(places[0] ?? '')?.[0];
    if (known !== undefined && isCopy(statement, known.statement)) return;
    let isSaid = false;
    for (const place of places) {
      const there = this.#places.get(place);
      if (there?.[0] === undefined) this.#places.set(place, [stated]);
      else if (contradictionBetween(statement, there[0].statement) === null) there.push(stated);
      else if (!isSaid) isSaid = await this.#contradict(place, there, stated);
    }
    if ('epoch' in statement && !isSaid) this.#epochs.push(stated);
    if (!('manifest' in statement)) return;
    for (const other of this.#manifests) if (await this.#report(stated, other)) break;
    this.#manifests.push(stated);
  }

  /** @returns whether that is settled: what is there is signed, and stays */
  async #contradict(place: string, there: readonly Stated[], stated: Stated): Promise<boolean> {
    for (const first of there) {
      if (!(await this.#judging.isSigned(first.statement))) continue;
      this.#places.set(place, [first]);
      await this.#report(stated, first);
      return true;
    }
    this.#places.set(place, [stated]);
    if (there[0] !== undefined) this.#warn(there[0], stated);
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
    if (this.#epochs.every(({ file }) => file === 0)) return;
    let previous: Stated | null = null;
    let unsigned: Stated[] = [];
    for (const stated of this.#epochs.toSorted((a, b) => numberOf(a) - numberOf(b))) {
      const isSigned: boolean = await this.#judging.isSigned(stated.statement);
      if (previous !== null) await this.#inOrder(previous, stated);
      if (!isSigned) unsigned.push(stated);
      else {
        for (const one of unsigned) await this.#inOrder(one, stated);
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

  /** The roots of the log that are stated, of each size one. */
  *roots(): Generator<LogRoot> {
    for (const [place, there] of this.#places) {
      const [first] = there;
      if (first === undefined || !place.startsWith('size ')) continue;
      const isProven = async (): Promise<boolean> => {
        for (const { statement } of there) if (await this.#judging.isSigned(statement)) return true;
        return false;
      };
      const root = shownOf(first.statement, 'checkpoint');
      const { where, file } = first;
      const isCompared = 'checkpoint' in first.statement;
      if (root !== undefined)
        yield { size: Number(place.slice('size '.length)), root, where, file, isProven, isCompared };
    }
  }
}

function numberOf({ statement }: Stated): number {
  return 'epoch' in statement ? statement.epoch.epoch_no : 0;
}
