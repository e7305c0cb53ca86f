/** The ledger that a service has after a history: every statement signed as the history wants it, whether it is true or not. */
import {
  type AdminEvent,
  type AttestedAgentKey,
  adminEventHash,
  agentKeySignedBytes,
  type BundleAgent,
  type BundleRecord,
  type Epoch,
  epochHash,
  epochSignedBytes,
  formatDigest,
  type Json,
  merkleRoot,
  receiptLeafHash,
  receiptSignedBytes,
  type ServiceKey,
  serviceKeySignedBytes,
} from '../../src/protocol/index.ts';
import { ORG_ID, uuid } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { type Act, type AgentName, chainHashOf, type History } from './history.ts';
import { instant, type KeyName, keyOf, sha256, signed, time } from './world.ts';

interface AgentState {
  status: 'active' | 'frozen' | 'deleted';
  readonly createdAt: number;
  updatedAt: number;
  readonly keys: Map<KeyName, { readonly createdAt: number; retiredAt: number | null }>;
}

/** Who holds what: the keys that sign in the service's place, in the order of rotations. */
export type ServiceLine = readonly KeyName[];
export const SERVICE: ServiceLine = ['service-1', 'service-2'];

export interface Ledger {
  readonly serviceKeys: readonly ServiceKey[];
  readonly agents: readonly BundleAgent[];
  readonly events: readonly AdminEvent[];
  readonly records: readonly BundleRecord[];
  readonly leaves: readonly Uint8Array[];
  readonly epochs: readonly Epoch[];
  /** The key that signs now. */
  readonly signer: KeyName;
}

/** What the organization of the model is called. */
export const ORG_NAME = 'Example';

function namesOf(agent: AgentName): Pick<BundleAgent, 'display_name' | 'responsible_entity' | 'integration_type'> {
  return { display_name: agent, responsible_entity: null, integration_type: 'sdk' };
}

class LedgerMaker {
  readonly #line: ServiceLine;
  readonly #rotations: number[] = [];
  #signsWith = 0;
  readonly #agents = new Map<AgentName, AgentState>();
  readonly #events: AdminEvent[] = [];
  readonly #records: BundleRecord[] = [];
  readonly #leaves: Uint8Array[] = [];
  readonly #epochs: Epoch[] = [];

  constructor(line: ServiceLine) {
    this.#line = line;
  }

  get #signer(): KeyName {
    return at(this.#line, this.#signsWith);
  }

  make(history: History): Ledger {
    this.#log('org.create', 'organization', ORG_ID, { name: ORG_NAME }, 0);
    for (const act of history) this.#do(act);
    return {
      serviceKeys: this.#serviceKeys(),
      agents: [...this.#agents].map(([name, state]) => this.#agent(name, state)),
      events: this.#events,
      records: this.#records,
      leaves: this.#leaves,
      epochs: this.#epochs,
      signer: this.#signer,
    };
  }

  #do(act: Act): void {
    switch (act.act) {
      case 'record':
        this.#accept(act);
        break;
      case 'seal':
        this.#seal(act.at);
        break;
      case 'rotate':
        this.#log('service_key.rotate', 'service', 'service', {}, act.at);
        this.#rotations.push(act.at);
        if (act.ignored !== true) this.#signsWith = this.#rotations.length;
        break;
      case 'note':
        this.#log('org.update', 'org', ORG_ID, {}, act.at);
        break;
      default:
        this.#change(act);
    }
  }

  #log(action: string, type: string, target: string, details: { readonly [m: string]: Json }, tick: number): void {
    const event = {
      event_id: uuid(`event ${this.#events.length} ${action} ${target}`),
      org_id: ORG_ID,
      actor: 'operator',
      action,
      target_type: type,
      target_id: target,
      details,
      created_at: instant(tick),
      prev_event_hash: this.#events.at(-1)?.event_hash ?? null,
    };
    this.#events.push({ ...event, event_hash: adminEventHash(event, sha256) });
  }

  #change(act: Exclude<Act, { act: 'record' | 'seal' | 'rotate' | 'note' }>): void {
    const { agent: name, at: tick } = act;
    const given = 'key' in act ? { kid: act.key, thumbprint: keyOf(act.key).thumbprint } : null;
    const details = act.act === 'register' ? { keys: [given], ...namesOf(name) } : (given ?? {});
    this.#log(`agent.${act.act}`, 'agent', name, details, tick);
    const known = this.#agents.get(name);
    const agent = known ?? { status: 'active', createdAt: tick, updatedAt: tick, keys: new Map() };
    this.#agents.set(name, agent);
    agent.updatedAt = tick;
    if ('key' in act) {
      const key = agent.keys.get(act.key);
      if (act.act !== 'revoke_key') agent.keys.set(act.key, { createdAt: tick, retiredAt: null });
      else if (key !== undefined) key.retiredAt = tick;
    } else agent.status = { freeze: 'frozen', unfreeze: 'active', delete: 'deleted' }[act.act] as AgentState['status'];
  }

  #accept({ eor, at: tick }: Extract<Act, { act: 'record' }>): void {
    const seq_no = this.#records.length + 1;
    const chain_hash = chainHashOf(eor);
    const statement = {
      receipt_id: uuid(`receipt ${seq_no} for ${eor.operation_id}`),
      operation_id: eor.operation_id,
      org_id: eor.org_id,
      agent_id: eor.agent_id,
      seq_no,
      chain_hash,
      server_received_at: time(tick),
      service_kid: keyOf(this.#signer).thumbprint,
    };
    const message = receiptSignedBytes(statement);
    this.#records.push({ eor, ear: { ...statement, service_signature: signed(this.#signer, message) } });
    this.#leaves.push(receiptLeafHash(message, sha256));
  }

  #seal(tick: number): void {
    const previous = this.#epochs.at(-1);
    const first_seq_no = (previous?.last_seq_no ?? 0) + 1;
    const first = this.#records[first_seq_no - 1];
    if (first === undefined) return;
    const leaves = this.#leaves.slice(first_seq_no - 1);
    const epoch_no = (previous?.epoch_no ?? 0) + 1;
    const statement = {
      epoch_id: uuid(`epoch ${epoch_no}`),
      epoch_no,
      org_id: ORG_ID,
      start_time: first.ear.server_received_at,
      end_time: time(tick),
      first_seq_no,
      last_seq_no: this.#records.length,
      leaf_count: leaves.length,
      root_hash: formatDigest(merkleRoot(leaves, sha256)),
      log_root: formatDigest(merkleRoot(this.#leaves, sha256)),
      hash_alg: 'SHA-256' as const,
      prev_epoch_hash: previous === undefined ? null : epochHash(epochSignedBytes(previous), sha256),
      admin_head_hash: this.#events.at(-1)?.event_hash ?? null,
      service_kid: keyOf(this.#signer).thumbprint,
    };
    const message = epochSignedBytes(statement);
    this.#epochs.push({ ...statement, signature_by_service: signed(this.#signer, message) });
  }

  #serviceKeys(): ServiceKey[] {
    return this.#line.slice(0, this.#rotations.length + 1).map((name, index) => {
      const previous = this.#line[index - 1];
      const rotated = this.#rotations[index];
      const statement = {
        kid: keyOf(name).thumbprint,
        public_key: keyOf(name).publicKey,
        created_at: instant(index === 0 ? -100 : at(this.#rotations, index - 1)),
        prev_kid: previous === undefined ? null : keyOf(previous).thumbprint,
      };
      const message = serviceKeySignedBytes(statement);
      return {
        ...statement,
        algorithm: 'ed25519',
        status: rotated === undefined ? 'active' : 'retired',
        retired_at: rotated === undefined ? null : instant(rotated),
        self_signature: signed(name, message),
        prev_signature: previous === undefined ? null : signed(previous, message),
      };
    });
  }

  #agent(agent_id: AgentName, { status, createdAt, updatedAt, keys }: AgentState): BundleAgent {
    return {
      agent_id,
      org_id: ORG_ID,
      ...namesOf(agent_id),
      status,
      created_at: instant(createdAt),
      updated_at: instant(updatedAt),
      keys: [...keys].map(([name, times]) => {
        const { createdAt: from, retiredAt: to } = times;
        return attested(
          {
            kid: name,
            agent_id,
            public_key: keyOf(name).publicKey,
            algorithm: 'ed25519',
            status: to === null ? 'active' : 'revoked',
            created_at: instant(from),
            retired_at: to === null ? null : instant(to),
          },
          this.#signer,
        );
      }),
    };
  }
}

/** The service's word for an agent's key. */
export function attested(key: Omit<AttestedAgentKey, 'service_kid' | 'attestation'>, by: KeyName): AttestedAgentKey {
  const service_kid = keyOf(by).thumbprint;
  return { ...key, service_kid, attestation: signed(by, agentKeySignedBytes(ORG_ID, key, service_kid)) };
}

/** The ledger after a history. Acts count in their order, whatever their times are. */
export function ledgerOf(history: History, line: ServiceLine = SERVICE): Ledger {
  return new LedgerMaker(line).make(history);
}
