/** A central node in this process, on a folder of runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerOf } from '../../src/api/index.ts';
import { CentralNode, type Reader } from '../../src/cli/archive/central.ts';
import { acceptedRuns } from '../../src/service/archive/accepted-runs.ts';
import type { AcceptedRun, RefusedRun } from '../../src/service/archive/follow.ts';
import type { S3Given } from '../../src/service/archive/s3-target.ts';
import { type Service, startService } from '../../src/service/index.ts';
import type { EngineAddress } from '../../src/service/search/engine/clickhouse.ts';
import { atEnd } from './cleanup.ts';
import { Client } from './client.ts';
import { temporaryFolder } from './folders.ts';
import { LEAST_COST } from './password-cost.ts';
import { TestService } from './service.ts';

export interface CentralUse {
  readonly folder: string;
  /** Of a bucket: how it is reached. */
  readonly s3?: S3Given;
  readonly trusted: readonly string[];
  readonly readers?: readonly Reader[];
  readonly keepers?: readonly Reader[];
  readonly dataDir?: string;
  readonly rendererDir?: string;
  readonly engine?: EngineAddress;
}

export class TestCentral {
  readonly running: Service;
  /** The same, for people who sign up at it. */
  readonly service: TestService;
  #node: CentralNode;
  readonly #use: CentralUse;

  private constructor(running: Service, node: CentralNode, use: CentralUse) {
    this.running = running;
    this.service = TestService.over(running, running.dataDir);
    this.#node = node;
    this.#use = use;
  }

  static async start(use: CentralUse): Promise<TestCentral> {
    const dataDir = use.dataDir ?? join(temporaryFolder(), 'central');
    const { rendererDir = null } = use;
    const settings = { dataDir, port: 0, rateLimit: null, logLevel: 'silent', trustStore: '', signUp: 'open' } as const;
    const running = await startService({ ...settings, rendererDir }, { passwordCost: LEAST_COST });
    const central = new TestCentral(running, await openNode(running, use), use);
    atEnd(() => central.stop());
    return central;
  }

  /** Has other organizations read. */
  async letRead(readers: readonly Reader[]): Promise<void> {
    await this.#again({ readers });
  }

  /** Has the rules of other organizations decide. */
  async letKeep(keepers: readonly Reader[]): Promise<void> {
    await this.#again({ keepers });
  }

  async #again(use: Partial<CentralUse>): Promise<void> {
    await this.#node.close();
    this.#node = await openNode(this.running, { ...this.#use, ...use });
  }

  /** Whom hosts name to follow what it decides. */
  get orderKey(): string {
    return this.#node.orderKey;
  }

  /** What it remembers. */
  accepted(): AcceptedRun[] {
    const [, orgId = ''] = this.orderKey.split('@');
    return acceptedRuns(this.running.dataDir, orgId);
  }

  /**
   * Looks at the folder once, and waits until all is searchable.
   * @param recheck as at a start
   */
  async follow(recheck = true): Promise<RefusedRun[]> {
    const refused = await this.#node.follow(recheck, new AbortController().signal);
    await this.#node.settled();
    return refused;
  }

  /** The account that administers the node. */
  async owner(): Promise<Client> {
    const { email, password } = JSON.parse(readFileSync(join(this.running.dataDir, 'archive-identity.json'), 'utf8'));
    const client = new Client(this.running.url);
    const { token } = await client.ok('signIn', { body: { email, password } });
    return new Client(this.running.url, token);
  }

  async stop(): Promise<void> {
    await this.#node.close();
    await this.service.stop();
  }
}

function openNode(
  running: Service,
  { folder, s3, trusted, readers = [], keepers = [], engine }: CentralUse,
): Promise<CentralNode> {
  return CentralNode.open(running, {
    from: { at: folder, spool: running.dataDir, ...(s3 && { s3 }) },
    engine,
    readers,
    keepers,
    trustedKids: trusted,
    onAccepted: () => {},
    onRefused: () => {},
  });
}

/** The archive that somebody sees; null where they see none. */
export async function archiveOf(client: Client): Promise<AnswerOf<'getCase'> | null> {
  const { data } = await client.ok('listCases', {});
  return data.find(({ archive }) => archive !== null) ?? null;
}
