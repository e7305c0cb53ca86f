import { type Service, startService } from '../../src/service/index.ts';
import { type NodeState, SharedNode } from '../../src/service/shared/node.ts';
import { atEnd } from './cleanup.ts';
import { Client } from './client.ts';
import { LEAST_COST } from './password-cost.ts';
import { until } from './until.ts';

/** A node of a shared log in this process, on a folder and a free port of its own. */
export class TestNode {
  readonly dataDir: string;
  readonly changes: { readonly state: NodeState; readonly why: string }[] = [];
  url = '';
  service: Service | null = null;
  readonly #node: SharedNode<Service>;
  /** Kept when the node has ended; rejected with why it could not go on. */
  readonly ended: Promise<void>;

  constructor(name: string, log: string, dataDir: string) {
    this.dataDir = dataDir;
    const given = { port: 0, rateLimit: null, logLevel: 'silent', trustStore: '', dataDir };
    this.#node = new SharedNode<Service>({
      log,
      name,
      given,
      origins: {},
      wrappingKey: null,
      start: (aroundCommit) => startService(given, { passwordCost: LEAST_COST, aroundCommit, shared: true }),
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

  get state(): NodeState | undefined {
    return this.changes.at(-1)?.state;
  }

  async becomes(state: NodeState): Promise<this> {
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
