import type { BundleOrg } from '../bundle/document.ts';
import { fromBase64Url } from '../encoding.ts';
import { thumbprint } from '../fingerprint.ts';
import { firstPlace } from '../first-place.ts';
import { AGENT_NAMES, type AgentNames, type AttestedAgentKey, type BundleAgent } from '../statements/agent-key.ts';
import type { RecordCore } from '../statements/record.ts';
import { instantText } from '../time.ts';
import type { KnownAgentKey } from './directory.ts';
import type { FindingLog } from './finding-log.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { AgentChange, Naming, NotedEvent } from './noted-event.ts';
import type { FindingPlace } from './report.ts';

interface KeyState {
  readonly thumbprint: string;
  readonly createdAt: number;
  revokedAt: number | null;
  /** What clock corrections before its two events took back. */
  readonly createdShift: number;
  revokedShift: number;
}

interface AgentState {
  readonly createdAt: number;
  status: 'active' | 'frozen' | 'deleted';
  names: AgentNames;
  readonly keys: Map<string, KeyState>;
  /** Spans in which no record of it may be received, in order and by order times; the last may have no end. */
  readonly barred: { readonly from: number; to: number }[];
}

/**
 * What the organization is called, its agents, their keys and their states, as the administrative log tells them (protocol V72, V74). The
 * service signs a directory and attests keys; here it has to have said the same in the log, event by event, when it happened.
 */
export class AgentHistory {
  readonly #agents = new Map<string, AgentState>();
  /** What the organization is called; null where no event says so. */
  #orgName: string | null = null;
  /** Agents that events register and the directory does not list. */
  readonly #unlisted = new Set<string>();
  #listed: ReadonlySet<string> = new Set();
  readonly #log: FindingLog;
  readonly #order: LedgerOrder;
  /** What corrections before the event at hand took back. */
  #shift = 0;

  constructor(log: FindingLog, order: LedgerOrder) {
    this.#log = log;
    this.#order = order;
  }

  /** @param agents those of the directory: others are not judged, their events may be withheld */
  load(events: readonly NotedEvent[], agents: readonly Pick<BundleAgent, 'agent_id'>[]): void {
    this.#listed = new Set(agents.map(({ agent_id }) => agent_id));
    for (const [index, event] of events.entries()) {
      this.#shift = this.#order.shift(this.#order.before('events', index + 1));
      this.#add(event);
    }
  }

  #mismatch(
    where: FindingPlace,
    message: string,
    { expected, actual }: { expected?: string | undefined; actual?: string | undefined } = {},
  ): void {
    this.#log.add('DIRECTORY_MISMATCH', {
      where,
      ...(expected === undefined ? {} : { expected }),
      ...(actual === undefined ? {} : { actual }),
      message,
    });
  }

  #add({ createdAt, whole }: NotedEvent): void {
    if (whole === null) return;
    if (whole.naming !== null) this.#name(whole.naming, { event_id: whole.eventId });
    if (whole.change === null) return;
    const { agentId, what } = whole.change;
    const where = { event_id: whole.eventId, agent_id: agentId };
    const agent = this.#agents.get(agentId);
    if (what.kind === 'unclear') {
      this.#mismatch(where, 'The event does not say what it must of the agent: its keys, or what it is called.');
    } else if (!this.#listed.has(agentId)) {
      if (what.kind === 'register') this.#unlisted.add(agentId);
    } else if (what.kind === 'register') {
      if (agent === undefined) this.#register(agentId, what, createdAt, where);
      else this.#mismatch(where, 'The agent was registered before.');
    } else if (agent === undefined) {
      this.#mismatch(where, 'No event before this one registers the agent.');
    } else if (agent.status === 'deleted') {
      this.#mismatch(where, 'The agent was deleted before.');
    } else this.#change(agent, what, createdAt, where);
  }

  #name({ kind, name }: Naming, where: FindingPlace): void {
    if (name === null) this.#mismatch(where, 'The event does not say what the organization is called.');
    else if ((kind === 'create') === (this.#orgName === null)) this.#orgName = name;
    else if (kind === 'create') this.#mismatch(where, 'The organization was created before.');
    else this.#mismatch(where, 'No event before this one creates the organization.');
  }

  #register(
    agentId: string,
    { keys, names }: Extract<AgentChange, { kind: 'register' }>,
    createdAt: number,
    where: FindingPlace,
  ): void {
    const agent: AgentState = { createdAt, status: 'active', names, keys: new Map(), barred: [] };
    this.#agents.set(agentId, agent);
    for (const key of keys) this.#give(agent, key, createdAt, where);
  }

  #give(
    agent: AgentState,
    { kid, thumbprint: print }: { readonly kid: string; readonly thumbprint: string },
    createdAt: number,
    where: FindingPlace,
  ): void {
    if (agent.keys.has(kid)) this.#mismatch({ ...where, kid }, 'The agent has a key of this kid already.');
    else
      agent.keys.set(kid, {
        thumbprint: print,
        createdAt,
        revokedAt: null,
        createdShift: this.#shift,
        revokedShift: 0,
      });
  }

  #change(
    agent: AgentState,
    what: Exclude<AgentChange, { kind: 'register' | 'unclear' }>,
    at: number,
    where: FindingPlace,
  ): void {
    switch (what.kind) {
      case 'update':
        agent.names = { ...agent.names, ...what.names };
        break;
      case 'add_key':
        this.#give(agent, what.key, at, where);
        break;
      case 'revoke_key': {
        const key = agent.keys.get(what.kid);
        if (key !== undefined && key.revokedAt === null) {
          key.revokedAt = at;
          key.revokedShift = this.#shift;
        } else this.#mismatch({ ...where, kid: what.kid }, 'The agent has no key of this kid that could be revoked.');
        break;
      }
      case 'freeze':
        if (agent.status !== 'active') this.#mismatch(where, 'The agent was frozen already.');
        else agent.barred.push({ from: at + this.#shift, to: Number.POSITIVE_INFINITY });
        agent.status = 'frozen';
        break;
      case 'unfreeze': {
        const open = agent.barred.at(-1);
        if (agent.status !== 'frozen' || open === undefined) this.#mismatch(where, 'The agent was not frozen.');
        else open.to = at + this.#shift;
        agent.status = 'active';
        break;
      }
      case 'delete':
        if (agent.status !== 'frozen') agent.barred.push({ from: at + this.#shift, to: Number.POSITIVE_INFINITY });
        agent.status = 'deleted';
        break;
    }
  }

  /** From when to when a key was its agent's, as its attestation says and the log orders it, in order times. */
  spanOf(
    { agent_id, agent_pubkey_kid }: Pick<RecordCore, 'agent_id' | 'agent_pubkey_kid'>,
    { createdAt, retiredAt }: Pick<KnownAgentKey, 'createdAt' | 'retiredAt'>,
  ): { readonly from: number; readonly to: number } {
    const key = this.#agents.get(agent_id)?.keys.get(agent_pubkey_kid);
    const to = retiredAt === null ? Number.POSITIVE_INFINITY : retiredAt + (key?.revokedShift ?? 0);
    return { from: createdAt + (key?.createdShift ?? 0), to };
  }

  /** Whether an agent was frozen or deleted at an order time; at the very moment of such an event it may have been either. */
  isBarred(agentId: string, at: number): boolean {
    const barred = this.#agents.get(agentId)?.barred;
    if (barred === undefined || barred.length === 0) return false;
    // The last span that begins before the instant is the only one that can hold it.
    const span = barred[firstPlace(barred.length, (place) => (barred[place]?.from ?? 0) >= at) - 1];
    return span !== undefined && at < span.to;
  }

  /**
   * Compares a directory with what the events say.
   * @param org null where it could not be read
   * @param isOfAll whether it has to list every agent there ever was
   */
  compare(org: BundleOrg | null, agents: readonly BundleAgent[], isOfAll: boolean): void {
    if (org !== null && org.name !== this.#orgName) {
      this.#mismatch({ member: 'org.name' }, 'The organization is called otherwise than its events have it.', {
        expected: this.#orgName ?? 'named by no event',
        actual: org.name,
      });
    }
    for (const agent of agents) this.#compareAgent(agent);
    if (!isOfAll) return;
    for (const agent_id of this.#unlisted) {
      this.#mismatch({ agent_id }, 'The log registers an agent that the directory does not list.');
    }
  }

  #compareAgent(agent: BundleAgent): void {
    const where = { agent_id: agent.agent_id };
    const known = this.#agents.get(agent.agent_id);
    if (known === undefined) {
      this.#mismatch(where, 'No event of the administrative log registers the agent.');
      return;
    }
    if (agent.created_at !== known.createdAt) {
      this.#mismatch(where, 'The agent was registered at another time.', {
        expected: instantText(known.createdAt),
        actual: instantText(agent.created_at),
      });
    }
    if (agent.status !== known.status) {
      this.#mismatch(where, 'The state of the agent is not the one that the events leave it in.', {
        expected: known.status,
        actual: agent.status,
      });
    }
    for (const name of Object.keys(AGENT_NAMES) as (keyof AgentNames)[]) {
      if (agent[name] === known.names[name]) continue;
      this.#mismatch({ ...where, member: name }, 'The agent is called otherwise than its events have it.', {
        expected: String(known.names[name]),
        actual: String(agent[name]),
      });
    }
    const listed = new Set(agent.keys.map(({ kid }) => kid));
    for (const key of agent.keys) this.#compareKey(key, known.keys.get(key.kid), where);
    for (const kid of known.keys.keys()) {
      if (!listed.has(kid)) this.#mismatch({ ...where, kid }, 'The directory lacks a key that the log gave the agent.');
    }
  }

  #compareKey(key: AttestedAgentKey, known: KeyState | undefined, agent: FindingPlace): void {
    const where = { ...agent, kid: key.kid };
    if (known === undefined) {
      this.#mismatch(where, 'No event of the administrative log gives the agent this key.');
      return;
    }
    const print = thumbprint(fromBase64Url(key.public_key, 32));
    if (print !== known.thumbprint) {
      this.#mismatch(where, 'The log gave the agent another public key under this kid.', {
        expected: known.thumbprint,
        actual: print,
      });
    }
    if (key.created_at !== known.createdAt || key.retired_at !== known.revokedAt) {
      const text = (from: number, to: number | null): string =>
        `from ${instantText(from)}${to === null ? '' : ` to ${instantText(to)}`}`;
      this.#mismatch(where, "The key's times are not those of the events that gave and revoked it.", {
        expected: text(known.createdAt, known.revokedAt),
        actual: text(key.created_at, key.retired_at),
      });
    }
  }
}
