import type { Receipt } from '../statements/receipt.ts';
import type { OtherBundle, OtherLink } from './other-bundle.ts';
import type { Link } from './prepared-record.ts';
import type { FindingPlace } from './report.ts';

/** Two receipts that exclude each other without being of one number. */
export interface ChainConflict {
  readonly theirs: Receipt;
  readonly own: Receipt;
  readonly where: FindingPlace;
  readonly message: string;
}

function placed({ seq_no, operation_id, agent_id }: Receipt, where: FindingPlace): FindingPlace {
  return { ...where, seq_no, operation_id, agent_id };
}

/**
 * What continues the agents' chains in the files that were given, by the agent and the chain hash that is continued, null before
 * the first (protocol V112): one record continues a chain. All of it is kept, since anybody can put what nobody signed before
 * what the service did.
 */
export class Continuations {
  readonly #places = new Map<string, { own: Link | null; readonly given: OtherLink[] }>();

  add(link: OtherLink): void {
    if (link.prev === undefined) return;
    const place = placeOf(link.prev, link.receipt);
    const there = this.#places.get(place);
    if (there === undefined) this.#places.set(place, { own: null, given: [link] });
    else there.given.push(link);
  }

  /** Takes the next record of the verified bundle. A second one in a place breaks the bundle's own chain. */
  addOwn(link: Link): void {
    if (link.prev === undefined) return;
    const there = this.#places.get(placeOf(link.prev, link.receipt));
    if (there !== undefined) there.own ??= link;
  }

  /** After the last record. @param isSigned of a receipt */
  async *conflicts(orgId: string, isSigned: (receipt: Receipt) => Promise<boolean>): AsyncGenerator<ChainConflict> {
    const message = 'Two records of the agent continue its chain from the same place.';
    for (const { own, given } of this.#places.values()) {
      const links = [own, ...given].filter((link) => link?.receipt.org_id === orgId).filter((link) => link !== null);
      const hashes = new Set(links.map(({ receipt }) => receipt.chain_hash));
      if (hashes.size < 2) continue;
      let first: Link | null = null;
      for (const link of links) first ??= (await isSigned(link.receipt)) ? link : null;
      for (const { receipt, where } of given) {
        if (first === null || receipt.org_id !== orgId || receipt.chain_hash === first.receipt.chain_hash) continue;
        yield { theirs: receipt, own: first.receipt, where: placed(receipt, where), message };
      }
    }
  }
}

/** The end of one file's chains beside another file that continues them, or that they continue. */
export class ChainEnds {
  readonly #other: OtherBundle;
  /** Each agent's first record of the bundle behind the end of the other file, and its newest one of all. */
  readonly #firstBehind = new Map<string, Link>();
  readonly #heads = new Map<string, Link>();
  /** The first and last number of the other file, where its records follow each other without a gap and in order. */
  readonly #theirRun: readonly [first: number, last: number] | null;
  readonly #conflicts: ChainConflict[] = [];

  constructor(other: OtherBundle) {
    this.#other = other;
    this.#theirRun = runOf(other.links);
  }

  /** Takes the next record of the bundle. */
  add(link: Link): void {
    const { seq_no, agent_id } = link.receipt;
    const end = this.#theirRun?.[1];
    if (end !== undefined && seq_no > end && !this.#firstBehind.has(agent_id)) this.#firstBehind.set(agent_id, link);
    this.#heads.set(agent_id, link);
  }

  #conflict(theirs: OtherLink, { receipt: own }: Link, message: string): void {
    this.#conflicts.push({ theirs: theirs.receipt, own, where: placed(theirs.receipt, theirs.where), message });
  }

  /** After the last record. @param run first and last number of the bundle, which is of all agents */
  finish([first, last]: readonly [first: number, last: number]): readonly ChainConflict[] {
    const { links } = this.#other;
    if (this.#theirRun === null) return [];
    const [theirFirst, theirLast] = this.#theirRun;
    if (last > theirLast && first <= theirLast + 1) this.#continueTheirs(links, theirFirst === 1);
    else if (theirLast > last && theirFirst <= last + 1) this.#continueOwn(links, first === 1, last);
    return this.#conflicts;
  }

  /** The bundle continues the other file. */
  #continueTheirs(links: readonly OtherLink[], fromTheFirst: boolean): void {
    const heads = new Map(links.map((link) => [link.receipt.agent_id, link]));
    for (const [agentId, own] of this.#firstBehind) {
      const head = heads.get(agentId);
      const message = breakOf(own, head, fromTheFirst, 'the other file');
      // Where the other file has none of the agent's, its manifest says so, and no receipt in it.
      const theirs = head ?? { ...own, where: { file: this.#other.name } };
      if (message !== null) this.#conflict(theirs, own, message);
    }
  }

  /** The other file continues the bundle. */
  #continueOwn(links: readonly OtherLink[], fromTheFirst: boolean, last: number): void {
    const seen = new Set<string>();
    for (const link of links) {
      const agentId = link.receipt.agent_id;
      if (link.receipt.seq_no <= last || seen.has(agentId)) continue;
      seen.add(agentId);
      const head = this.#heads.get(agentId);
      const message = breakOf(link, head, fromTheFirst, 'the bundle');
      if (message !== null) this.#conflict(link, head ?? link, message);
    }
  }
}

/** Why an agent's first record behind the end of a file does not continue what that has of it (protocol V113); null where it does. */
function breakOf({ prev }: Link, head: Link | undefined, fromTheFirst: boolean, file: string): string | null {
  if (prev === undefined || prev === head?.receipt.chain_hash) return null;
  if (head !== undefined) return `The agent's first record behind ${file} does not continue its last one there.`;
  if (!fromTheFirst || prev === null) return null;
  return `The agent has no record in ${file}, which begins with the first, and yet continues one.`;
}

function runOf(links: readonly Link[]): readonly [first: number, last: number] | null {
  const first = links[0]?.receipt.seq_no;
  if (first === undefined || links.some(({ receipt }, index) => receipt.seq_no !== first + index)) return null;
  return [first, first + links.length - 1];
}

function placeOf(prev: string | null, { agent_id }: Receipt): string {
  return `${prev} of ${agent_id}`;
}
