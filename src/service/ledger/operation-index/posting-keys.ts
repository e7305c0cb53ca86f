import { hash } from 'node:crypto';

/** What operations are searched by, besides time. */
export interface OperationTerms {
  readonly agentId?: string | undefined;
  readonly operationType?: string | undefined;
  readonly subject?: string | undefined;
}

/** The members of an operation that its postings are made from. */
export interface IndexedOperation {
  readonly operationId: string;
  readonly agentId: string;
  readonly nonce: string;
  readonly operationType: string;
  readonly subject: string;
}

/**
 * 48 bits of SHA-256: a number that SQLite stores in six bytes. Agents choose what goes in, so it must not be easy to
 * make many collide; the few that do by chance cost a look at one more row, for every candidate is compared with its row.
 */
function key(...parts: readonly string[]): number {
  // No part but the last holds a NUL: the join is unambiguous.
  // Text rather than bytes: half the time.
  return Number.parseInt(hash('sha256', parts.join('\0'), 'hex').slice(0, 12), 16);
}

export function operationIdKey(orgId: string, operationId: string): number {
  return key('id', orgId, operationId.toLowerCase());
}

export function nonceKey(orgId: string, agentId: string, nonce: string): number {
  return key('nonce', orgId, agentId, nonce);
}

/** Which of the terms a key is made of, as the bits of a mask; every combination has its own postings, and so does the empty one. */
const EVERYTHING = 0;
const AGENT = 1;
const TYPE = 2;
const SUBJECT = 4;

const MAX_REMEMBERED = 50_000;
const HALF = 0x100_0000;

/** Two numbers of 48 bits in, one out; the multipliers are those of MurmurHash3. Both halves of the result take in both numbers. */
function mix(a: number, b: number): number {
  const low = Math.imul((a % HALF) ^ Math.imul(b % HALF, 0x85eb_ca6b), 0xc2b2_ae35) ^ Math.floor(b / HALF);
  const high = Math.imul(Math.floor(a / HALF) ^ Math.imul(Math.floor(b / HALF), 0xc2b2_ae35), 0x85eb_ca6b) ^ low;
  return ((high >>> 8) ^ (low >>> 20)) * HALF + ((low ^ (low >>> 15)) & 0xff_ffff);
}

/**
 * Makes the keys of terms. Each term is digested by itself and remembered, for the same few agents and types come again
 * and again; the key of a combination is mixed from those.
 */
export class TermKeys {
  readonly #known = new Map<string, number>();

  /** The key under which operations with exactly these terms are listed; all of the organization where there are none. */
  of(orgId: string, { agentId, operationType, subject }: OperationTerms): number {
    const keys = [
      agentId === undefined ? null : this.#term(orgId, AGENT, agentId),
      operationType === undefined ? null : this.#term(orgId, TYPE, operationType),
      subject === undefined ? null : this.#term(orgId, SUBJECT, subject),
    ].filter((key) => key !== null);
    return keys.length === 0 ? this.#term(orgId, EVERYTHING, '') : keys.reduce(mix);
  }

  /** The keys of all combinations of an operation's terms. */
  all(orgId: string, { agentId, operationType, subject }: IndexedOperation): number[] {
    const agent = this.#term(orgId, AGENT, agentId);
    const type = this.#term(orgId, TYPE, operationType);
    const about = this.#term(orgId, SUBJECT, subject);
    const agentAndType = mix(agent, type);
    const everything = this.#term(orgId, EVERYTHING, '');
    return [
      everything,
      agent,
      type,
      about,
      agentAndType,
      mix(agent, about),
      mix(type, about),
      mix(agentAndType, about),
    ];
  }

  #term(orgId: string, kind: number, value: string): number {
    const name = `${kind}${orgId}\0${value}`;
    let found = this.#known.get(name);
    if (found === undefined) {
      found = key('term', name);
      if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
      this.#known.set(name, found);
    }
    return found;
  }
}
