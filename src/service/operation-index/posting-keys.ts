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
  return hash('sha256', parts.join('\0'), 'buffer').readUIntBE(0, 6);
}

export function operationIdKey(orgId: string, operationId: string): number {
  return key('id', orgId, operationId.toLowerCase());
}

export function nonceKey(orgId: string, agentId: string, nonce: string): number {
  return key('nonce', orgId, agentId, nonce);
}

/** Which of the terms a key is made of, as the digits of a mask; every combination has postings of its own. */
const AGENT = 1;
const TYPE = 2;
const SUBJECT = 4;
const COMBINATIONS = [1, 2, 3, 4, 5, 6, 7];

const MAX_REMEMBERED = 50_000;

/** Makes the keys of terms and remembers them: the same few agents, types and subjects come again and again. */
export class TermKeys {
  readonly #known = new Map<string, number>();

  /** The key under which operations with exactly these terms are listed; null where there are none. */
  of(orgId: string, { agentId, operationType, subject }: OperationTerms): number | null {
    const mask =
      (agentId === undefined ? 0 : AGENT) |
      (operationType === undefined ? 0 : TYPE) |
      (subject === undefined ? 0 : SUBJECT);
    return mask === 0 ? null : this.#key(orgId, mask, agentId ?? '', operationType ?? '', subject ?? '');
  }

  /** The keys of all combinations of an operation's terms. */
  all(orgId: string, { agentId, operationType, subject }: IndexedOperation): number[] {
    return COMBINATIONS.map((mask) =>
      this.#key(
        orgId,
        mask,
        mask & AGENT ? agentId : '',
        mask & TYPE ? operationType : '',
        mask & SUBJECT ? subject : '',
      ),
    );
  }

  #key(orgId: string, mask: number, agentId: string, operationType: string, subject: string): number {
    // An agent_id or operation_type holds no NUL (protocol §3); a subject may, and stands last.
    const name = `${mask}\0${orgId}\0${agentId}\0${operationType}\0${subject}`;
    let value = this.#known.get(name);
    if (value === undefined) {
      value = key('terms', name);
      if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
      this.#known.set(name, value);
    }
    return value;
  }
}
