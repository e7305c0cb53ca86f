/** Records of the payload profile as coherence takes them, one after the other, each honest unless a test says otherwise. */
import {
  AGENT_ACTION_PROFILE,
  Coherence,
  type CoherenceFinding,
  type CoherenceRecord,
  type CoherenceReport,
  contentDigest,
  type NamedAgent,
  newCoherence,
} from '../../src/actions/profile/index.ts';
import { type Json, payloadHash } from '../../src/protocol/index.ts';
import { makeBundle, type Plan, uuid } from './bundle-maker.ts';

export type Members = { readonly [member: string]: Json };

export const AGENT = 'coder';
export const PERSON = 'ada';
/** The salt of every content here: 16 bytes. */
export const SALT = 'AAAAAAAAAAAAAAAAAAAAAA';
export const START = Date.UTC(2026, 4, 1, 10);

/** A payload of the profile. */
export function action(phase: string, members: Members = {}): Members {
  return { profile: AGENT_ACTION_PROFILE, phase, ...members };
}

export function input(value: Json): { value: Json; salt: string } {
  return { value, salt: SALT };
}

export const digestOf = (value: Json): string => contentDigest(SALT, value);

export const actionId = (label: string | number): string => uuid(`action ${label}`);
export const operationId = (seqNo: number): string => uuid(`operation ${seqNo}`);

/** What a record is besides its payload, where it is not the next honest one. */
export interface Circumstances {
  readonly agent?: string;
  readonly withheld?: number;
  readonly issuedAt?: number;
}

/** Records in the order of a ledger. */
export class Story {
  readonly records: CoherenceRecord[] = [];
  readonly #agents = new Set<string>();
  readonly #first: number;
  readonly #named = new Map<string, NamedAgent>();

  /** @param first the number of the first record; from 2 on, the agents have records from before */
  constructor(first = 1) {
    this.#first = first;
  }

  add(payload: Members | null, { agent = AGENT, withheld = 0, issuedAt }: Circumstances = {}): this {
    const seqNo = this.#first + this.records.length;
    this.records.push({
      seq_no: seqNo,
      operation_id: operationId(seqNo),
      agent_id: agent,
      kid: 'k1',
      issued_at: issuedAt ?? START + seqNo * 1000,
      first_of_agent: this.#first === 1 && !this.#agents.has(agent),
      payload,
      withheld,
    });
    this.#agents.add(agent);
    return this;
  }

  /** What the issuer calls an agent. */
  named(agent_id: string, integration_type: string, keyMadeAt = START): this {
    this.#named.set(agent_id, { agent_id, integration_type, keys: [{ kid: 'k1', created_at: keyMadeAt }] });
    return this;
  }

  /** A call that nobody need approve. */
  call(label: string | number, value: Json = { n: 1 }): this {
    return this.add(started(label, value)).add(action('completed', { action_id: actionId(label) }));
  }

  /** @param interrupted whether somebody else continues after each record, with what was kept as data */
  report({ allAgents = true, toHead = true, interrupted = false } = {}): CoherenceReport {
    let state = newCoherence();
    let coherence = new Coherence({ allAgents }, state);
    const found: CoherenceFinding[] = [];
    for (const record of this.records) {
      coherence.take(record);
      if (!interrupted) continue;
      found.push(...coherence.drained());
      state = structuredClone(state);
      coherence = new Coherence({ allAgents }, state);
    }
    const report = coherence.report({ toHead, named: (agentId) => this.#named.get(agentId) });
    return { ...report, findings: [...found, ...report.findings] };
  }

  /** Codes of the findings, each with its severity's first letter: `c` contradiction, `o` open, `n` note. */
  codes(options?: { allAgents?: boolean; toHead?: boolean }): string[] {
    return this.report(options).findings.map(({ code, severity }) => `${code} ${severity[0]}`);
  }
}

export function asked(label: string | number, value: Json): Members {
  return action('asked', {
    action_id: actionId(label),
    tool: { name: 'pay' },
    input: input(value),
    presented: input(`Pay? ${JSON.stringify(value)}`),
  });
}

export function decided(label: string | number, value: Json, members: Members = {}): Members {
  return action('decided', {
    action_id: actionId(label),
    decision: {
      outcome: 'approved',
      input_digest: digestOf(value),
      presented_digest: digestOf(`Pay? ${JSON.stringify(value)}`),
      by: { kind: 'human', id: 'ada@example.org', mode: 'interactive' },
      ...members,
    },
  });
}

export function started(label: string | number, value: Json, members: Members = {}): Members {
  return action('started', { action_id: actionId(label), tool: { name: 'pay' }, input: input(value), ...members });
}

export function completed(label: string | number, members: Members = {}): Members {
  return action('completed', { action_id: actionId(label), ...members });
}

/** An action that was asked for, decided by a person, carried out and ended. */
export function approvedAction(story: Story, label: string | number, value: Json, executed: Json = value): Story {
  return story
    .add(asked(label, value))
    .add(decided(label, value), { agent: PERSON })
    .add(started(label, executed))
    .add(completed(label));
}

/** A bundle whose two agents take turns with these payloads: the first acts, the second decides. */
export function bundleOfPayloads(payloads: readonly Members[], plan: Plan = {}): string {
  return makeBundle({
    agents: 2,
    epochs: [payloads.length],
    record: (draft, index) => {
      const payload = payloads[index] ?? {};
      return { ...draft, payload, payload_hash: payloadHash(payload) };
    },
    ...plan,
  }).text;
}

/** Payloads of an approved action for such a bundle; the second agent's last one is not of the profile. */
export function approvedPayloads(value: Json, executed: Json = value): Members[] {
  return [asked(1, value), decided(1, value), started(1, executed), { n: 1 }, completed(1)];
}
