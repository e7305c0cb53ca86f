/** Real actions of language-model agents in airline customer service (test/fixtures/README.md), and a ledger of them. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../src/protocol/index.ts';
import { type Account, registerAgent } from './service.ts';
import type { Signer } from './signer.ts';

/** A tool call: its result as the agent was given it, which often is JSON. */
export interface AirlineAction {
  readonly agent: string;
  readonly session: string;
  readonly step: number;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly result: string;
}

const FILE = new URL('../fixtures/airline-actions.jsonl.gz', import.meta.url);
/** Records in a request. */
const BATCH = 1000;
/** Between an action and the next: all of them take less than an hour. */
export const SPACING_MS = 3000;

/** All 1,164, in the order of their agents' sessions. */
export function airlineActions(): readonly AirlineAction[] {
  const lines = gunzipSync(readFileSync(FILE)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as AirlineAction);
}

/** What it is about: the reservation, user or flight that its arguments name, else its session. */
function subjectOf({ arguments: given, session }: AirlineAction): string {
  return String(given['reservation_id'] ?? given['user_id'] ?? given['flight_number'] ?? session);
}

/** What an action is in the ledger. */
export function membersOf(action: AirlineAction, issuedAt: number) {
  const { session, step, tool, arguments: given, result } = action;
  return {
    operation_type: `airline.${tool}`,
    action: tool,
    subject: subjectOf(action),
    issued_at: new Date(issuedAt).toISOString(),
    ttl_ms: 86_400_000,
    payload: { session, step, arguments: { ...given }, result },
  };
}

/**
 * Registers the four agents and submits all they did, in order, as if the last were done just now.
 * @returns when the first is said to be issued, in milliseconds
 */
export async function submitAirlineActions(account: Account, actions = airlineActions()): Promise<number> {
  const first = Date.now() - actions.length * SPACING_MS;
  const signers = new Map<string, Signer>();
  for (const agent of new Set(actions.map((action) => action.agent))) {
    signers.set(agent, await registerAgent(account, agent));
  }
  for (let from = 0; from < actions.length; from += BATCH) {
    const records = actions.slice(from, from + BATCH).map((action, n) => {
      const signer = signers.get(action.agent);
      if (signer === undefined) throw new Error(`no agent ${action.agent}`);
      return signer.next(membersOf(action, first + (from + n) * SPACING_MS));
    });
    await account.client.ok('submitBatch', { body: { records } });
  }
  return first;
}
