/** Who acts in the hospital's ledger, and by which of the three ways each submits: the agent library, a recorder, plain HTTP. */
import { Agent, type Session } from '../../src/agent/index.ts';
import type { JsonObject } from '../../src/protocol/index.ts';
import { startRecorder } from '../../src/recorder/compose/start.ts';
import { atEnd } from '../support/cleanup.ts';
import { Client } from '../support/client.ts';
import { post } from '../support/planted/doors.ts';
import { installAgent } from '../support/recorder.ts';
import { type Account, registerAgent } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';
import { until } from '../support/until.ts';

/** Agents that use the library. */
export type Writer = 'apotheke' | 'post' | 'zahlung';
/** Agents that submit records with payloads of their own shape. */
export type Plain = 'shell-ops' | 'labor';
/** The agent that a recorder records. */
export const RECORDED = 'claudecode-it';

export interface PlainRecord {
  readonly operation_type: string;
  readonly subject: string;
  readonly action: string;
  readonly payload: JsonObject;
}

export interface SessionOf {
  readonly agent: Writer;
  readonly id: string;
  readonly onBehalfOf: string;
}

const DAY_MS = 86_400_000;
/** How far the clock of the ledger may leave the recorder behind, in milliseconds. */
const MOST_BEHIND_MS = 3_600_000;

/** An organization at a service, and the key of that. */
export interface Host {
  readonly account: Account;
  readonly kid: string;
}

/** The agents of one ledger or of several, each registered at its host and ready. */
export class Cast {
  readonly #hostOf: (agentId: string) => Host;
  /** Of agents that submit themselves. */
  readonly #clients = new Map<string, Client>();
  /** When the recorder was last told something that it may not have handed in yet; null where it has nothing. */
  #toldAt: number | null = null;
  readonly #writers = new Map<string, Agent>();
  readonly #signers = new Map<string, Signer>();
  readonly #sessions = new Map<string, Session>();
  #recorder: { readonly hook: (body: object) => Promise<void>; readonly sent: () => Promise<void> } | null = null;

  constructor(hostOf: (agentId: string) => Host) {
    this.#hostOf = hostOf;
  }

  async begin(): Promise<void> {
    // A session would end within the three weeks.
    const tokenOf = async ({ account }: Host): Promise<string> =>
      (await account.client.ok('createToken', { body: { name: 'Agents' } })).token;
    for (const agentId of ['apotheke', 'post', 'zahlung'] satisfies Writer[]) {
      const host = this.#hostOf(agentId);
      const { client, orgId } = host.account;
      const { kid, seed } = await registerAgent(host.account, agentId);
      const token = await tokenOf(host);
      this.#writers.set(agentId, new Agent({ serviceUrl: client.url, token, orgId, agentId, kid, privateKey: seed }));
    }
    for (const agentId of ['shell-ops', 'labor'] satisfies Plain[]) {
      const host = this.#hostOf(agentId);
      this.#signers.set(agentId, await registerAgent(host.account, agentId));
      this.#clients.set(agentId, new Client(host.account.client.url, await tokenOf(host)));
    }
    const { account, kid } = this.#hostOf(RECORDED);
    const { home } = await installAgent(account, kid, {
      agent_id: RECORDED,
      feed: 'claudecode',
      before: 'all',
    });
    const recorder = await startRecorder(home, {
      onError: (error) => {
        throw error;
      },
    });
    atEnd(() => recorder.close());
    this.#recorder = {
      hook: (body) => post(home, '/v1/hook/claudecode', JSON.stringify(body)),
      sent: async () => {
        await until('the recorder to have sent everything', () => recorder.status().waiting === 0);
      },
    };
  }

  /** A session of the library, the same one for the same id. */
  session({ agent, id, onBehalfOf }: SessionOf): Session {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const made = of(this.#writers, agent).session({
      id,
      onBehalfOf,
      identitySource: 'auth-session',
      model: 'klinik-1',
    });
    this.#sessions.set(id, made);
    return made;
  }

  /** What the recorded program gives its hook. */
  async hook(body: object): Promise<void> {
    if (this.#recorder === null) throw new Error('the recorder does not run');
    this.#toldAt = Date.now();
    await this.#recorder.hook(body);
  }

  /**
   * Lets no records grow old in the recorder before the clock is set: it hands them in by real time, and signs those again whose time has
   * run out.
   */
  async before(time: number): Promise<void> {
    if (this.#toldAt !== null && time - this.#toldAt > MOST_BEHIND_MS) await this.sent();
  }

  async plain(agent: Plain, issuedAt: number, record: PlainRecord): Promise<void> {
    const issued_at = new Date(issuedAt).toISOString();
    const body = of(this.#signers, agent).next({ ...record, issued_at, ttl_ms: DAY_MS });
    await of(this.#clients, agent).ok('submitOperation', { body });
  }

  /** Waits until the recorder has handed everything in. */
  async sent(): Promise<void> {
    await this.#recorder?.sent();
    this.#toldAt = null;
  }
}

function of<T>(all: ReadonlyMap<string, T>, name: string): T {
  const found = all.get(name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
