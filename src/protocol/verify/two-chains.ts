import type { Receipt } from '../statements/receipt.ts';
import type { OtherBundle, OtherLink } from './other-bundle.ts';
import type { PreparedRecord } from './prepared-record.ts';
import type { ChainConflict } from './two-files.ts';

/** The link of a record of the bundle, as far as it is needed here. */
interface OwnLink {
  readonly prev: string | null;
  readonly receipt: Receipt;
}

/**
 * The agents' chains of another bundle beside those of the bundle at hand (protocol §9, CONTRADICTION 2): whether one record
 * continues a chain where the other file continues it otherwise, and whether the later file continues where the earlier ended.
 */
export class TwoChains {
  readonly #other: OtherBundle;
  /**
   * What continues a chain in the other file, by the chain hash that is continued, or by the agent where none is: all of it, since
   * anybody can put what nobody signed before what the service did. What the bundle has come to is taken out.
   */
  readonly #continued = new Map<string, OtherLink[]>();
  readonly #conflicts: ChainConflict[] = [];
  /** Each agent's first record of the bundle behind the end of the other file, and its newest one of all. */
  readonly #firstBehind = new Map<string, OwnLink>();
  readonly #heads = new Map<string, OwnLink>();
  /** The first and last number of the other file, where its records follow each other without a gap and in order. */
  readonly #theirRun: readonly [first: number, last: number] | null;

  constructor(other: OtherBundle) {
    this.#other = other;
    this.#theirRun = runOf(other.links);
    for (const link of other.links) {
      const place = link.prev === undefined ? null : placeOf(link.prev, link.receipt);
      if (place === null) continue;
      const rivals = this.#continued.get(place);
      if (rivals === undefined) this.#continued.set(place, [link]);
      else rivals.push(link);
    }
  }

  /** Takes the next record of the bundle. */
  add({ eor, ear }: PreparedRecord): void {
    const own = { prev: eor.prev_chain_hash, receipt: ear };
    const place = placeOf(own.prev, ear);
    for (const theirs of this.#continued.get(place) ?? []) {
      if (theirs.receipt.org_id !== ear.org_id || theirs.receipt.chain_hash === ear.chain_hash) continue;
      const message = 'Two records of the agent, one in each file, continue its chain from the same place.';
      this.#conflict(theirs, own, message);
    }
    // A second record of the bundle in this place breaks the bundle's own chain.
    this.#continued.delete(place);
    const end = this.#theirRun?.[1];
    if (end !== undefined && ear.seq_no > end && !this.#firstBehind.has(ear.agent_id))
      this.#firstBehind.set(ear.agent_id, own);
    this.#heads.set(ear.agent_id, own);
  }

  #conflict({ receipt: theirs, where }: OtherLink, { receipt: own }: OwnLink, message: string): void {
    const { seq_no, operation_id, agent_id } = theirs;
    this.#conflicts.push({ theirs, own, where: { ...where, seq_no, operation_id, agent_id }, message });
  }

  /**
   * After the last record.
   * @param run first and last number of the bundle where it is of all agents; null otherwise
   */
  finish(run: readonly [first: number, last: number] | null): readonly ChainConflict[] {
    const { manifest, links } = this.#other;
    const theirRun = this.#theirRun;
    if (run === null || theirRun === null || manifest === null || manifest.filter.agent_id !== null) {
      return this.#conflicts;
    }
    const [first, last] = run;
    const [theirFirst, theirLast] = theirRun;
    if (last > theirLast && first <= theirLast + 1) this.#continueTheirs(links, theirFirst === 1);
    else if (theirLast > last && theirFirst <= last + 1) this.#continueOwn(links, first === 1, last);
    return this.#conflicts;
  }

  /** The bundle continues the other file. */
  #continueTheirs(links: readonly OtherLink[], fromTheFirst: boolean): void {
    const heads = new Map(links.map((link) => [link.receipt.agent_id, link]));
    for (const [agentId, own] of this.#firstBehind) {
      const head = heads.get(agentId);
      if (head !== undefined && own.prev !== head.receipt.chain_hash) {
        this.#conflict(
          head,
          own,
          "The agent's first record behind the other file does not continue its last one there.",
        );
      } else if (head === undefined && fromTheFirst && own.prev !== null && links[0] !== undefined) {
        this.#conflict(
          links[0],
          own,
          'The agent has no record in the other file, which begins with the first, and yet continues one.',
        );
      }
    }
  }

  /** The other file continues the bundle. */
  #continueOwn(links: readonly OtherLink[], fromTheFirst: boolean, last: number): void {
    const seen = new Set<string>();
    for (const link of links) {
      const agentId = link.receipt.agent_id;
      if (link.receipt.seq_no <= last || seen.has(agentId)) continue;
      seen.add(agentId);
      if (link.prev === undefined) continue;
      const head = this.#heads.get(agentId);
      if (head !== undefined && link.prev !== head.receipt.chain_hash) {
        this.#conflict(link, head, "The agent's first record behind the bundle does not continue its last one there.");
      } else if (head === undefined && fromTheFirst && link.prev !== null) {
        const message = 'The agent has no record in the bundle, which begins with the first, and yet continues one.';
        this.#conflict(link, { prev: null, receipt: link.receipt }, message);
      }
    }
  }
}

function runOf(links: readonly OtherLink[]): readonly [first: number, last: number] | null {
  const first = links[0]?.receipt.seq_no;
  if (first === undefined || links.some(({ receipt }, index) => receipt.seq_no !== first + index)) return null;
  return [first, first + links.length - 1];
}

/** No agent has the digest of a chain as its id. */
function placeOf(prev: string | null, receipt: Receipt): string {
  return prev ?? `first of ${receipt.agent_id}`;
}
