import { hash } from 'node:crypto';

/** The members of an operation that it is found by. */
export interface IndexedOperation {
  readonly operationId: string;
  readonly agentId: string;
  readonly nonce: string;
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

export function agentKey(orgId: string, agentId: string): number {
  return key('agent', orgId, agentId);
}
