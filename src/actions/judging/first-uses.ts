import { type DigestParts, DigestSet, type Sha256, utf8 } from '../../protocol/index.ts';
import { type FactPhase, joinOf, type Mark, type RecordFacts, type RecordHead } from '../index.ts';
import { newRate, type Rate, rateBefore } from './rate.ts';

/** How many calls an agent must have made before a first use is marked: in the beginning everything is new. */
export const CALLS_BEFORE_FIRST_USE = 20;
/** The most agents that are told apart; records of any further one are not marked. */
const MAX_AGENTS = 100_000;
/** The most calls, tools and hosts of agents that are told apart; nothing is marked as new beyond them. */
const MAX_USED = 8_000_000;

const PHASES_OF_CALLS: readonly FactPhase[] = [
  'proposed',
  'asked',
  'started',
  'completed',
  'failed',
  'refused',
  'record',
];

export interface FirstUsesState {
  readonly agents: Map<string, { calls: number; readonly rate: Rate }>;
  /** By digest: calls that began, and which agent used what. */
  readonly used: DigestParts;
  size: number;
}

export const newFirstUses = (): FirstUsesState => ({
  agents: new Map(),
  used: new DigestSet(128).parts,
  size: 0,
});

/** A record in the order of seq_no. */
export interface ReadFacts {
  readonly head: RecordHead;
  /** In milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  readonly facts: RecordFacts;
}

/** First uses of tools and hosts by each agent, and its rate. */
export class FirstUses {
  readonly #hash: Sha256;
  readonly #state: FirstUsesState;
  readonly #used: DigestSet;

  constructor(hash: Sha256, state: FirstUsesState) {
    this.#hash = hash;
    this.#state = state;
    this.#used = new DigestSet(128, state.used);
  }

  /** @returns what is unusual, with figures that explain-marks.ts makes a sentence of; `begins` whether the record is the first of a call */
  take({ head, issuedAt, facts }: ReadFacts): {
    readonly begins: boolean;
    readonly found: readonly { readonly code: Mark; readonly figures: readonly number[] }[];
  } {
    const { agents } = this.#state;
    const begins = this.#beginsCall(head, facts);
    let agent = agents.get(head.agent_id);
    if (agent === undefined) {
      if (agents.size >= MAX_AGENTS) return { begins, found: [] };
      agent = { calls: 0, rate: newRate() };
      agents.set(head.agent_id, agent);
    }
    const rate = rateBefore(agent.rate, issuedAt);
    const { calls } = agent;
    if (begins) agent.calls++;
    const isNewTool = facts.tool !== null && begins && this.#isNew('tool', head.agent_id, facts.tool);
    const newHosts = facts.host.flatMap((host, index) => (this.#isNew('host', head.agent_id, host) ? [index] : []));
    const known = calls >= CALLS_BEFORE_FIRST_USE;
    return {
      begins,
      found: [
        ...(known && isNewTool ? [{ code: 'FIRST_TOOL' as const, figures: [calls] }] : []),
        ...(known && newHosts.length > 0 ? [{ code: 'FIRST_HOST' as const, figures: [calls, ...newHosts] }] : []),
        ...(rate === null ? [] : [{ code: 'RATE_UNUSUAL' as const, figures: rate }]),
      ],
    };
  }

  /** Whether a record is the first of its call, and a call at all. Notes it. */
  #beginsCall(head: RecordHead, facts: RecordFacts): boolean {
    const { tool, phase, input } = facts;
    if (tool === null || !PHASES_OF_CALLS.includes(phase)) return false;
    const call = joinOf(head, facts);
    const isNew = call === null || this.#isNew('call', call);
    // What is given an input under an id from before is another call, however its agent names it.
    return isNew || (phase === 'record' && input !== null);
  }

  #isNew(...names: readonly string[]): boolean {
    if (this.#state.size >= MAX_USED || !this.#used.add(this.#hash(utf8(JSON.stringify(names))))) return false;
    this.#state.size++;
    return true;
  }
}
