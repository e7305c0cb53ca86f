import type { BundleAgent } from '../statements/agent-key.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import type { Receipt } from '../statements/receipt.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { parseTime } from '../time.ts';
import { type ContradictionKind, contradictionBetween } from './contradiction.ts';
import type { FindingLog } from './finding-log.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { OtherBundle, OtherEpoch } from './other-bundle.ts';
import type { FindingPlace } from './report.ts';
import type { SignedStatement } from './signed-statement.ts';

/** What of the bundle others' statements are held against, its records apart. */
export interface OwnStatements {
  readonly manifest: Manifest;
  readonly manifestSignature: string;
  /** Also the newest of its ledger. */
  readonly epochs: readonly { readonly epoch: Epoch; readonly hash: string }[];
  readonly serviceKeys: readonly ServiceKey[];
  readonly agents: readonly BundleAgent[];
}

export type IsSigned = (statement: SignedStatement) => Promise<boolean>;

/** What is done where a statement of another file would contradict, but is not signed. */
export type Unsigned = (where: FindingPlace) => void;

/** What each kind of contradiction is, in a sentence. */
export const MESSAGES: Readonly<Record<ContradictionKind, string>> = {
  receipt: 'The service signed two different receipts for the same sequence number.',
  epoch: 'The service signed two different epochs with the same number.',
  epoch_link: 'The service signed an epoch that follows on another one than the epoch it signed under that number.',
  epoch_run: 'The service signed an epoch that begins before the end of an earlier one.',
  log_head: 'The service signed two statements about its ledger that cannot both be true.',
  checkpoint: 'The service signed two roots of its log at one size.',
  service_key: 'Two service keys stand in one place of the line of keys.',
  agent_key: 'The service attested one key of an agent in two ways.',
};

/**
 * Statements of two bundles that contradict each other (protocol §9, "Two files of one ledger"): found as EQUIVOCATION, with
 * the two signed statements as evidence.
 */
export class TwoFiles {
  readonly #own: OwnStatements;
  readonly #isSigned: IsSigned;
  readonly #unsigned: Unsigned;
  readonly #log: FindingLog;
  readonly #order: LedgerOrder;
  /** The bundle's epochs in ascending order of their numbers, each number once. */
  readonly #epochs: readonly { readonly epoch: Epoch; readonly hash: string }[];

  constructor(own: OwnStatements, isSigned: IsSigned, unsigned: Unsigned, log: FindingLog, order: LedgerOrder) {
    this.#own = own;
    this.#isSigned = isSigned;
    this.#unsigned = unsigned;
    this.#log = log;
    this.#order = order;
    this.#epochs = [...new Map(own.epochs.map((one) => [one.epoch.epoch_no, one])).values()].sort(
      (a, b) => a.epoch.epoch_no - b.epoch.epoch_no,
    );
  }

  /** @returns how many of the other file's epochs are ones of the bundle, or next to one */
  async judge(other: OtherBundle): Promise<number> {
    let compared = 0;
    for (const theirs of other.epochs) compared += await this.#judgeEpoch(theirs);
    await this.#judgeManifests(other);
    await this.#judgeServiceKeys(other);
    await this.#judgeAgentKeys(other);
    return compared;
  }

  async #report(
    theirs: SignedStatement,
    own: SignedStatement,
    where: FindingPlace,
    texts: { readonly expected?: string; readonly actual?: string } = {},
  ): Promise<void> {
    const found = contradictionBetween(theirs, own);
    if (found === null) return;
    if (!(await this.#isSigned(theirs)) || !(await this.#isSigned(own))) {
      this.#unsigned(where);
      return;
    }
    const member = found.member === undefined ? {} : { member: `manifest.${found.member}` };
    this.#log.add('EQUIVOCATION', {
      where: { ...where, ...member },
      ...texts,
      message: MESSAGES[found.kind],
      evidence: [theirs, own],
    });
  }

  /** Honest epochs stand in one order: only the nearest on either side can tell first. */
  async #judgeEpoch({ epoch, hash, where }: OtherEpoch): Promise<number> {
    if (epoch.org_id !== this.#own.manifest.org_id) return 0;
    let [low, high] = [0, this.#epochs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#epochs[middle]?.epoch.epoch_no ?? 0) < epoch.epoch_no) low = middle + 1;
      else high = middle;
    }
    let compared = 0;
    for (const own of [this.#epochs[low - 1], this.#epochs[low], this.#epochs[low + 1]]) {
      if (own === undefined) continue;
      const isNext = Math.abs(own.epoch.epoch_no - epoch.epoch_no) <= 1;
      if (own.hash === hash || (isNext && (await this.#isSigned({ epoch })))) compared = 1;
      if (own.hash === hash) continue;
      const place = { ...where, epoch_no: epoch.epoch_no, epoch_id: epoch.epoch_id };
      await this.#report({ epoch }, { epoch: own.epoch }, place, { expected: hash, actual: own.hash });
      await this.#judgeTimes(epoch, own.epoch, place);
    }
    return compared;
  }

  /** Whether two epochs follow each other in time. What sets the clock back between them is in neither. */
  async #judgeTimes(theirs: Epoch, own: Epoch, where: FindingPlace): Promise<void> {
    if (theirs.epoch_no === own.epoch_no || contradictionBetween({ epoch: theirs }, { epoch: own }) !== null) return;
    const [lower, higher] = theirs.epoch_no < own.epoch_no ? [theirs, own] : [own, theirs];
    const at = (epochNo: number, time: string): number => this.#order.at('epoch_no', epochNo, parseTime(time));
    if (at(higher.epoch_no, higher.start_time) >= at(lower.epoch_no, lower.end_time)) return;
    if (!(await this.#isSigned({ epoch: theirs })) || !(await this.#isSigned({ epoch: own }))) {
      this.#unsigned(where);
      return;
    }
    this.#log.add('CONTRADICTION', {
      where,
      expected: `begun at the earliest ${lower.end_time}`,
      actual: higher.start_time,
      message: 'Of two epochs, one in each file, the later one began before the earlier one had ended.',
    });
  }

  async #judgeManifests({ name, manifest, manifestSignature }: OtherBundle): Promise<void> {
    if (manifest === null || manifestSignature === null || manifest.org_id !== this.#own.manifest.org_id) return;
    const own = { manifest: this.#own.manifest, manifest_signature: this.#own.manifestSignature };
    const theirs = { manifest, manifest_signature: manifestSignature };
    const member = contradictionBetween(theirs, own)?.member;
    if (member === undefined) return;
    const stated = (of: Manifest): string => JSON.stringify(of[member as keyof Manifest]);
    await this.#report(theirs, own, { file: name }, { expected: stated(manifest), actual: stated(own.manifest) });
  }

  async #judgeServiceKeys({ name, serviceKeys }: OtherBundle): Promise<void> {
    const byKid = new Map(this.#own.serviceKeys.map((key) => [key.kid, key]));
    const byPrevious = new Map(this.#own.serviceKeys.map((key) => [key.prev_kid, key]));
    for (const theirs of serviceKeys) {
      // Whoever makes a key can have it name any other as the one before it: only that one's signature counts.
      const { prev_kid: previous } = theirs;
      const follower = previous === null || !byKid.has(previous) ? undefined : byPrevious.get(previous);
      const own = byKid.get(theirs.kid) ?? follower;
      if (own === undefined) continue;
      await this.#report({ service_key: theirs }, { service_key: own }, { file: name, kid: theirs.kid });
    }
  }

  async #judgeAgentKeys({ name, agents }: OtherBundle): Promise<void> {
    const { org_id } = this.#own.manifest;
    const own = new Map(this.#own.agents.map((agent) => [agent.agent_id, agent]));
    for (const { agent_id, org_id: of, keys } of agents) {
      if (of !== org_id) continue;
      const known = new Map(own.get(agent_id)?.keys.map((key) => [key.kid, key]));
      for (const key of keys) {
        const same = known.get(key.kid);
        if (same === undefined) continue;
        const place = { file: name, agent_id, kid: key.kid };
        await this.#report({ org_id, agent_key: key }, { org_id, agent_key: same }, place);
      }
    }
  }
}

/** A receipt of another file and one of the bundle that exclude each other without being of one number. */
export interface ChainConflict {
  readonly theirs: Receipt;
  readonly own: Receipt;
  readonly where: FindingPlace;
  readonly message: string;
}
