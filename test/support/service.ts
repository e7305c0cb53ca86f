import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Role } from '../../src/api/index.ts';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  type AdminEvent,
  type NamedSource,
  type Receipt,
  type VerificationReport,
  verifyBundle,
} from '../../src/protocol/index.ts';
import { type HostOptions, type Service, type Settings, startService } from '../../src/service/index.ts';
import type { AdminAction } from '../../src/service/ledger/admin-log/admin-action.ts';
import { atEnd } from './cleanup.ts';
import { Client } from './client.ts';
import { temporaryFolder } from './folders.ts';
import { LEAST_COST } from './password-cost.ts';
import { type Members, Signer } from './signer.ts';
import { until } from './until.ts';

/** A signed-up user, owner of an organization of their own. */
export interface Account {
  readonly email: string;
  readonly password: string;
  readonly userId: string;
  readonly orgId: string;
  /** Calls with the user's session. */
  readonly client: Client;
}

/** Everything up to now, and some. */
export const ALWAYS = { startTime: '2000-01-01T00:00:00Z', endTime: '2100-01-01T00:00:00Z' } as const;

/** A service on a folder of its own, with real SQLite and real HTTP on a free port. */
export class TestService {
  readonly dataDir: string;
  readonly #settings: Partial<Settings>;
  readonly #host: HostOptions;
  /** Whether the set-up code was given to somebody: of several that sign up at once, the first has it. */
  #claimed = false;
  #service: Omit<Service, 'archive' | 'replica'> | null = null;
  #sql: Database.Database | null = null;

  private constructor(dataDir: string, settings: Partial<Settings>, host: HostOptions = {}) {
    this.dataDir = dataDir;
    this.#host = { passwordCost: LEAST_COST, ...host };
    this.#settings = { port: 0, rateLimit: null, logLevel: 'silent', trustStore: '', dataDir, ...settings };
  }

  /** Starts a service that stops with the test file; its folder goes away then. */
  static async start(settings: Partial<Settings> = {}, host: HostOptions = {}): Promise<TestService> {
    const service = new TestService(settings.dataDir ?? join(temporaryFolder(), 'data'), settings, host);
    atEnd(() => service.stop());
    await service.restart();
    return service;
  }

  /** One that runs already, such as the desktop's, on its folder; it stops with the test file. */
  static over(running: Omit<Service, 'archive' | 'replica'>, dataDir: string): TestService {
    const service = new TestService(dataDir, {});
    service.#service = running;
    atEnd(() => service.stop());
    return service;
  }

  get #running(): Omit<Service, 'archive' | 'replica'> {
    if (this.#service === null) throw new Error('the service does not run');
    return this.#service;
  }

  get url(): string {
    return this.#running.url;
  }

  /** A link into the case room, as `countersign serve` prints it. */
  workstationLink(): string {
    return this.#running.workstationLink();
  }

  get kid(): string {
    return this.#running.kid;
  }

  /** Starts it, after a clean stop where it runs. */
  async restart(settings: Partial<Settings> = {}): Promise<void> {
    await this.stop();
    this.#service = await startService({ ...this.#settings, ...settings }, this.#host);
  }

  async stop(): Promise<void> {
    this.#sql?.close();
    this.#sql = null;
    const service = this.#service;
    this.#service = null;
    await service?.close();
  }

  /** A second connection to the ledger, for states that the interface cannot bring about and for looking. */
  get sql(): Database.Database {
    this.#sql ??= new Database(join(this.dataDir, 'ledger.sqlite'));
    return this.#sql;
  }

  client(token?: string): Client {
    return new Client(this.url, token);
  }

  /** The service's one-time set-up code; null once it is spent. */
  setUpCode(): string | null {
    return this.#running.setUpCode();
  }

  /** Signs somebody up: the first with the set-up code, whose organization then is the home organization, others as guests. */
  async signUp(name = 'owner'): Promise<Account> {
    const code = this.#claimed ? null : this.setUpCode();
    this.#claimed = true;
    return this.#signUp(name, code === null ? {} : { setup_code: code });
  }

  /** Signs somebody up as a program does that knows nothing of set-up codes: the organization is a guest. */
  signUpGuest(name = 'guest'): Promise<Account> {
    return this.#signUp(name, {});
  }

  async #signUp(name: string, further: { readonly setup_code?: string }): Promise<Account> {
    const account = { email: `${name}-${randomUUID()}@example.org`, password: 'correct horse battery' };
    const body = { ...account, name, org_name: `Organization of ${name}`, ...further };
    const { token, user } = await this.client().ok('signUp', { body });
    return { ...account, userId: user.id, orgId: user.orgId ?? '', client: this.client(token) };
  }

  /**
   * A user with a session, made in the database: nothing of it goes through the costly hash of a password.
   * @param membership in which organization and as what; null for none
   */
  addUser(membership: { readonly orgId: string; readonly role: Role } | null, email?: string): Account {
    const userId = randomUUID();
    const token = `csn_sess_${randomBytes(32).toString('base64url')}`;
    const tokenHash = createHash('sha256').update(token).digest();
    const address = email ?? `user-${userId}@example.org`;
    const now = Date.now();
    this.sql
      .prepare("INSERT INTO users (user_id, email, name, created_at) VALUES (?, ?, 'A user', ?)")
      .run(userId, address, now);
    this.sql
      .prepare('INSERT INTO sessions (token_hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)')
      .run(tokenHash, userId, now, now + 3_600_000);
    if (membership !== null) {
      this.sql
        .prepare('INSERT INTO members (member_id, org_id, user_id, role, joined_at) VALUES (?, ?, ?, ?, ?)')
        .run(randomUUID(), membership.orgId, userId, membership.role, now);
    }
    return { email: address, password: '', userId, orgId: membership?.orgId ?? '', client: this.client(token) };
  }

  /** A further member of somebody's organization. */
  addMember({ orgId }: Account, role: Role): Account {
    return this.addUser({ orgId, role });
  }

  setRole({ userId }: Account, role: Role): void {
    this.sql.prepare('UPDATE members SET role = ? WHERE user_id = ?').run(role, userId);
  }

  /**
   * How many rows each table has, and where each agent's chain ends: the same before and after what leaves no trace. Without
   * the list of what was refused, which is written later than the answer.
   */
  trace(): Record<string, unknown> {
    const tables = this.sql
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'refusals'")
      .pluck()
      .all() as string[];
    const counts = tables.map((table) => [table, this.sql.prepare(`SELECT count(*) FROM ${table}`).pluck().get()]);
    const heads = this.sql.prepare('SELECT agent_id, head_seq_no, hex(head_chain_hash) FROM agents').raw().all();
    return { ...Object.fromEntries(counts), heads };
  }
}

/** Signs the first user of a service in a process of its own up, with the set-up code in its data folder. */
export async function firstOwner(url: string, dataDir: string): Promise<Account> {
  const given = { email: 'owner@example.org', password: 'correct horse battery' };
  const code = storedSetUpCode(dataDir);
  const body = { ...given, name: 'O', org_name: 'Org', ...(code === null ? {} : { setup_code: code }) };
  const { token, user } = await new Client(url).ok('signUp', { body });
  return { ...given, userId: user.id, orgId: user.orgId ?? '', client: new Client(url, token) };
}

/** An account signed in with its password at a service that has it, such as a restored one. */
export async function signInAt(url: string, account: Account): Promise<Account> {
  const { email, password } = account;
  const { token } = await new Client(url).ok('signIn', { body: { email, password } });
  return { ...account, client: new Client(url, token) };
}

/** The set-up code in the data folder of a service; null once it is spent. */
export function storedSetUpCode(dataDir: string): string | null {
  const path = join(dataDir, 'set-up-code.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { code: string }).code : null;
}

/** Registers an agent with one key. */
export async function registerAgent({ client, orgId }: Account, agentId = `agent-${randomUUID()}`): Promise<Signer> {
  const signer = new Signer(orgId, agentId);
  await client.ok('registerAgent', { body: signer.registration });
  return signer;
}

/** Submits the next record of an agent's chain. */
export function submitNext({ client }: Account, signer: Signer, members: Members = {}): Promise<Receipt> {
  return client.ok('submitOperation', { body: signer.next(members) });
}

/** The administrative log of an account's organization, newest first. */
export async function eventsOf({ client }: Account, action?: AdminAction): Promise<readonly AdminEvent[]> {
  const { events } = await client.ok('listAdminEvents', { query: { limit: '100' } });
  return action === undefined ? events : events.filter((event) => event.action === action);
}

/** Has an export made. @returns its id, once it is completed */
export async function exportOf({ client }: Account, request: object = ALWAYS): Promise<string> {
  const { exportId } = await client.ok('createExport', { body: request });
  await until('the export', async () => {
    const { status } = await client.ok('getExport', { params: { export_id: exportId } });
    if (status === 'failed') throw new Error('the export failed');
    return status === 'completed';
  });
  return exportId;
}

/** Has a backup made. @returns its id, once it is made and verified */
export async function backupOf({ client }: Account): Promise<string> {
  const { job } = await until('a backup to be begun', async () => {
    // Somebody else's may be under way.
    const answer = await client.call('createBackup');
    return answer.status === 202 && answer.body;
  });
  await until('the backup', async () => {
    const { backups, job: state } = await client.ok('listBackups');
    if (state?.status === 'failed' && state.backup_id === job.backup_id) throw new Error(`no backup: ${state.failure}`);
    return backups.some(({ backup_id: id, verification }) => id === job.backup_id && verification !== null);
  });
  return job.backup_id;
}

/** Exports and downloads. */
export async function bundleOf(account: Account, request: object = ALWAYS): Promise<Buffer> {
  const params = { export_id: await exportOf(account, request) };
  return (await account.client.call('downloadExport', { params })).bytes;
}

/** Verifies a bundle as a stranger does who trusts one service key. */
export function verifyWith(
  kid: string,
  bundle: Uint8Array,
  receipts: readonly NamedSource[] = [],
): Promise<VerificationReport> {
  return verifyBundle(() => [bundle], { crypto: nodeCrypto, trustedKids: [kid], receipts });
}
