import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Service, type Settings, startService } from '../../src/service/index.ts';
import { writeBackup } from '../../src/service/operator/backup/write-backup.ts';
import { beginLog, joinLog } from '../../src/service/shared/membership.ts';
import { type NodeRole, SharedNode } from '../../src/service/shared/node.ts';
import { markOf } from '../../src/service/shared/row-images.ts';
import { atEnd } from './cleanup.ts';
import { Client } from './client.ts';
import { temporaryFolder } from './folders.ts';
import { LEAST_COST } from './password-cost.ts';
import { type Account, TestService } from './service.ts';
import { until } from './until.ts';

/** A node of a shared log in this process, on a folder and a free port of its own. */
export class TestNode {
  readonly dataDir: string;
  readonly changes: { readonly state: NodeRole; readonly why: string }[] = [];
  url = '';
  service: Service | null = null;
  readonly #node: SharedNode<Service>;
  /** Kept when the node has ended; rejected with why it could not go on. */
  readonly ended: Promise<void>;

  constructor(name: string, log: string, dataDir: string, settings: Partial<Settings> = {}) {
    this.dataDir = dataDir;
    const given = { port: 0, rateLimit: null, logLevel: 'silent', trustStore: '', dataDir, ...settings };
    this.#node = new SharedNode<Service>({
      log,
      name,
      given,
      origins: {},
      wrappingKey: null,
      start: (aroundCommit, node) => startService(given, { passwordCost: LEAST_COST, aroundCommit, node }),
      onChange: (state, { url, service, why }) => {
        this.changes.push({ state, why });
        this.url = url;
        this.service = service;
      },
    });
    this.ended = this.#node.run();
    this.ended.catch(() => undefined);
    atEnd(() => this.stop());
  }

  get state(): NodeRole | undefined {
    return this.changes.at(-1)?.state;
  }

  /** What its service is while it runs. */
  get running(): Service {
    if (this.service === null) throw new Error('the node has no service now');
    return this.service;
  }

  /** The newest entry of the log that its ledger holds. */
  get place(): number {
    const sqlite = new Database(join(this.dataDir, 'ledger.sqlite'), { readonly: true });
    try {
      return markOf(sqlite)?.no ?? 0;
    } finally {
      sqlite.close();
    }
  }

  async becomes(state: NodeRole): Promise<this> {
    await until(`the node to be ${state}`, () => this.state === state);
    return this;
  }

  client(token?: string): Client {
    return new Client(this.url, token);
  }

  async stop(): Promise<void> {
    this.#node.stop();
    await this.ended.catch(() => undefined);
  }
}

/** A ledger with an owner, and the folders of two nodes of it. */
export interface PairOfFolders {
  readonly a: string;
  readonly b: string;
  readonly log: string;
  readonly owner: Account;
}

/** Begins a shared log with a new ledger. @param own what is not to lie beside the others */
export async function pairOfFolders(own: Partial<Omit<PairOfFolders, 'owner'>> = {}): Promise<PairOfFolders> {
  const root = temporaryFolder();
  const folder = (name: string): string => join(root, name);
  const { a, b, log } = { a: folder('a'), b: folder('b'), log: folder('log'), ...own };
  const service = await TestService.start({ dataDir: a });
  const owner = await service.signUp();
  await service.stop();
  await beginLog({ log, dataDir: a, passphraseFile: null });
  await writeBackup({ dataDir: a, to: join(root, 'backup'), withoutKeys: false, now: Date.now });
  await joinLog({ log, dataDir: b, passphraseFile: null }, join(root, 'backup'), []);
  return { a, b, log, owner };
}

/** Two nodes that run. */
export class TestPair {
  readonly folders: PairOfFolders;
  readonly active: TestNode;
  readonly standby: TestNode;

  private constructor(folders: PairOfFolders, active: TestNode, standby: TestNode) {
    this.folders = folders;
    this.active = active;
    this.standby = standby;
  }

  static async start(
    settings: Partial<Settings> = {},
    own: Parameters<typeof pairOfFolders>[0] = {},
  ): Promise<TestPair> {
    const folders = await pairOfFolders(own);
    const active = await new TestNode('a', folders.log, folders.a, settings).becomes('active');
    const standby = await new TestNode('b', folders.log, folders.b, settings).becomes('standby');
    return new TestPair(folders, active, standby);
  }

  /** The owner, at a node. */
  ownerAt(node: TestNode): Account {
    return { ...this.folders.owner, client: node.client(this.folders.owner.client.token) };
  }

  async areEqual(): Promise<void> {
    await until('the standby to have everything', () => this.standby.place === this.active.place);
  }
}
