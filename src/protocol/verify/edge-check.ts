import type { Edges, Neighbour } from '../bundle/edges.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import type { Manifest } from '../statements/manifest.ts';
import { rawChainHash, recordSignedBytes } from '../statements/record.ts';
import { parseTime } from '../time.ts';
import type { AgentHistory } from './agent-history.ts';
import type { Directory } from './directory.ts';
import type { EpochTrack } from './epoch-track.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { PreparedRecord } from './prepared-record.ts';
import { isTooEarly, isTooLate } from './record-times.ts';
import { isSignedStatement } from './signed-statement.ts';

/** Numbers that the range should begin and end with, where they are missing. */
export interface MissingEdges {
  readonly first?: number;
  readonly last?: number;
}

/** What the neighbours of a run are held against. */
export interface EdgeSubject {
  readonly edges: Edges;
  /** The organization of the bundle. */
  readonly orgId: string;
  readonly manifest: Manifest;
  readonly epochs: Pick<EpochTrack, 'lastBefore'>;
  /** The first and the last record, as they stand in the bundle; null where it holds none. */
  readonly first: PreparedRecord | null;
  readonly last: PreparedRecord | null;
  /** Up to two agents whose records the bundle holds. */
  readonly agentIds: ReadonlySet<string>;
}

interface Collaborators {
  readonly host: HostCrypto;
  readonly verifier: StrictVerifier;
  readonly issuer: Issuer;
  readonly directory: Directory;
  readonly history: AgentHistory;
  readonly order: LedgerOrder;
  readonly log: FindingLog;
}

/** A neighbour by itself, or why it is not one. */
type Side = 'before' | 'after';

/**
 * Whether the records of a bundle begin and end where its range does (protocol V60 to V63): the receipts next to them are
 * there, signed, and outside the range; or there are none.
 */
export class EdgeCheck {
  readonly #subject: EdgeSubject;
  readonly #collaborators: Collaborators;

  constructor(subject: EdgeSubject, collaborators: Collaborators) {
    this.#subject = subject;
    this.#collaborators = collaborators;
  }

  /** @returns the numbers up to which records are missing at the ends, where the neighbours tell */
  async run(): Promise<MissingEdges> {
    const { edges } = this.#subject;
    for (const side of ['before', 'after'] as const) {
      const neighbour = edges[side];
      if (neighbour === null) continue;
      const problem = await this.#problemWith(side, neighbour);
      if (problem !== null) this.#invalid(side, neighbour, problem);
    }
    this.#checkKeys();
    return this.#subject.manifest.filter.agent_id === null ? this.#matchNumbers() : this.#matchChain();
  }

  #invalid(side: Side, { ear }: Neighbour, message: string): void {
    const { seq_no, operation_id, agent_id } = ear;
    this.#collaborators.log.add('EDGE_INVALID', {
      where: { member: `edges.${side}`, seq_no, operation_id, agent_id },
      message: `The receipt next ${side} the range does not show where it ${side === 'before' ? 'begins' : 'ends'}: ${message}.`,
    });
  }

  /** Why a neighbour does not hold; null where it does. */
  async #problemWith(side: Side, neighbour: Neighbour): Promise<string | null> {
    const { ear } = neighbour;
    const { orgId, manifest, edges } = this.#subject;
    const { filter } = manifest;
    const { order, issuer, verifier } = this.#collaborators;
    if (ear.org_id !== orgId) return 'it is of another organization';
    if (!(await isSignedStatement({ receipt: ear }, (kid) => issuer.keyFor(kid), verifier))) {
      return 'its signature does not verify';
    }
    const misfit = order.misfit('seq_no', ear.seq_no, parseTime(ear.server_received_at));
    if (misfit !== null) return `the clock corrections of the log want it received ${misfit}`;
    const received = order.inRange(ear.seq_no, parseTime(ear.server_received_at), manifest.clock_corrections ?? 0);
    const isOutside =
      side === 'before' ? received < parseTime(filter.start_time) : received >= parseTime(filter.end_time);
    if (!isOutside) return 'it was received within the range';
    if (edges.head !== null) {
      const { epoch_no, end_time } = edges.head;
      const given = order.at('seq_no', ear.seq_no, parseTime(ear.server_received_at));
      if (given > order.at('epoch_no', epoch_no, parseTime(end_time))) {
        return 'it was received after the newest epoch had been closed';
      }
    }
    if (filter.agent_id !== null && ear.agent_id !== filter.agent_id) return 'it is of another agent';
    const wantsRecord = side === 'after' && filter.agent_id !== null;
    if ((neighbour.eor !== undefined) !== wantsRecord) {
      return wantsRecord ? 'its record is missing' : 'a record stands with it';
    }
    return wantsRecord ? await this.#recordProblem(neighbour) : null;
  }

  /** The record that comes with `after` in a bundle of one agent: it tells what it follows. */
  async #recordProblem({ ear, eor }: Neighbour): Promise<string | null> {
    if (eor === undefined) return null;
    if ('payload' in eor) return 'its payload stands with it';
    if (eor.org_id !== ear.org_id || eor.agent_id !== ear.agent_id || eor.operation_id !== ear.operation_id) {
      return 'its record is of another operation';
    }
    const key = this.#collaborators.directory.find(eor.agent_id, eor.agent_pubkey_kid);
    if (key === undefined || !key.strict || !key.attested)
      return 'the key of its record is not a sound one of the agent';
    if (key.unwanted) return 'its record is signed by another key than those that you named for its agent';
    const received = parseTime(ear.server_received_at);
    const at = this.#collaborators.order.at('seq_no', ear.seq_no, received);
    const { from, to } = this.#collaborators.history.spanOf(eor, key);
    if (at < from || at > to) {
      return 'the key of its record was none of the agent when it was received';
    }
    if (this.#collaborators.history.isBarred(eor.agent_id, at)) {
      return 'its agent was frozen or deleted when it was received';
    }
    if (isTooEarly(parseTime(eor.issued_at), received) || isTooLate(parseTime(eor.issued_at), eor.ttl_ms, received)) {
      return 'its record was received too early or too late to be accepted';
    }
    const message = recordSignedBytes(eor);
    const signature = fromBase64Url(eor.signature, 64);
    if (!(await this.#collaborators.verifier.holds({ publicKey: key.publicKey, message, signature }))) {
      return "the agent's signature on its record does not verify";
    }
    return formatDigest(rawChainHash(message, signature, this.#collaborators.host.sha256)) === ear.chain_hash
      ? null
      : 'its chain hash does not follow from its record';
  }

  /** Neighbours are statements of the ledger like the records: signed by keys in their time and in their order. */
  #checkKeys(): void {
    const { edges, first, last, epochs } = this.#subject;
    const { issuer, order } = this.#collaborators;
    for (const side of ['before', 'after'] as const) {
      const neighbour = edges[side];
      if (neighbour === null) continue;
      const { ear } = neighbour;
      const where = { member: `edges.${side}`, seq_no: ear.seq_no };
      issuer.checkTime(ear.service_kid, order.at('seq_no', ear.seq_no, parseTime(ear.server_received_at)), where);
      const [earlier, later] = side === 'before' ? [ear, first?.ear] : [last?.ear, ear];
      if (earlier !== undefined && later !== undefined) {
        issuer.checkOrder(earlier.service_kid, later.service_kid, where);
      }
      const sealing = side === 'before' ? undefined : epochs.lastBefore(ear.seq_no);
      if (sealing !== undefined) issuer.checkOrder(sealing.service_kid, ear.service_kid, where);
      // Whoever seals the newest epoch signed no later than everything that is in it.
      if (edges.head !== null) issuer.checkOrder(ear.service_kid, edges.head.service_kid, where);
    }
    if (edges.head !== null && last !== null) {
      issuer.checkOrder(last.ear.service_kid, edges.head.service_kid, { member: 'edges.head' });
    }
  }

  #missing(where: { readonly seq_no?: number; readonly member?: string }, message: string): void {
    this.#collaborators.log.add('SEQUENCE_GAP', { where, message });
  }

  /** All agents: the neighbours' numbers are next to those of the run. */
  #matchNumbers(): MissingEdges {
    const { edges, manifest, first, last } = this.#subject;
    const { before, after } = edges;
    const head = manifest.log_head.seq_no;
    if (first === null || last === null) {
      const beforeNo = before?.ear.seq_no ?? 0;
      const expected = after === null ? head : after.ear.seq_no - 1;
      if (beforeNo === expected) return {};
      this.#missing(
        { member: 'edges' },
        `Records from ${beforeNo + 1} to ${expected} should be in the range or beside it.`,
      );
      return beforeNo < expected ? { first: beforeNo + 1, last: expected } : {};
    }
    const [from, to] = [first.ear.seq_no, last.ear.seq_no];
    const firstNo = (before?.ear.seq_no ?? 0) + 1;
    const lastNo = after === null ? head : after.ear.seq_no - 1;
    if (firstNo !== from) {
      this.#missing(
        { seq_no: from },
        before === null
          ? `No receipt next before the range is there, although the first record has the number ${from}.`
          : `The receipt next before the range has the number ${before.ear.seq_no}, the first record ${from}.`,
      );
    }
    // A head that lies before the last record is the manifest's own contradiction.
    if (lastNo !== to && (after !== null || head > to)) {
      this.#missing(
        { seq_no: to },
        after === null
          ? `No receipt next after the range is there, although the ledger went on from ${to} to ${head}.`
          : `The receipt next after the range has the number ${after.ear.seq_no}, the last record ${to}.`,
      );
    }
    return { ...(firstNo < from ? { first: firstNo } : {}), ...(lastNo > to ? { last: lastNo } : {}) };
  }

  /** One agent: the neighbours are next to the run in the agent's chain. */
  #matchChain(): MissingEdges {
    const { edges, manifest, first, last } = this.#subject;
    const { before, after } = edges;
    // Records of others are for the manifest's check: there is no chain to follow then.
    if ([...this.#subject.agentIds].some((agentId) => agentId !== manifest.filter.agent_id)) return {};
    const begins = first === null ? undefined : first.eor.prev_chain_hash;
    const beforeHash = before?.ear.chain_hash ?? null;
    if (first !== null && (beforeHash !== begins || (before !== null && before.ear.seq_no >= first.ear.seq_no))) {
      this.#missing(
        { seq_no: first.ear.seq_no },
        'The first record of the agent does not continue the receipt that is next before the range.',
      );
    }
    const end = last === null ? before?.ear : last.ear;
    const endHash = end?.chain_hash ?? null;
    if (after === null) {
      const head = manifest.agent_head;
      if ((head?.chain_hash ?? null) === endHash && (head?.seq_no ?? 0) === (end?.seq_no ?? 0)) return {};
      this.#missing(
        { member: 'edges.after' },
        `No receipt next after the range is there, although the agent's chain went on to number ${head?.seq_no ?? 0}.`,
      );
    } else if (after.eor?.prev_chain_hash !== endHash || after.ear.seq_no <= (end?.seq_no ?? 0)) {
      this.#missing(
        { member: 'edges.after', seq_no: after.ear.seq_no },
        'The record next after the range does not continue the last one of the agent in it.',
      );
    }
    return {};
  }
}
