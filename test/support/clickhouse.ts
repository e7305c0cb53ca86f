/** A real ClickHouse behind its HTTP interface: chdb, which holds the engine as a library, and a small server before it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chdbPath } from '../../scripts/support/chdb.ts';
import type { EngineAddress } from '../../src/service/search/engine/clickhouse.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';

interface Session {
  query(text: string): string;
  queryBindAsync(
    text: string,
    parameters: Record<string, string>,
    options: { format: string },
  ): Promise<{ text(): string }>;
  insert(given: { table: string; values: string; format: string }): Promise<unknown>;
  close(): void;
}

const PASSWORD = 'a secret of the engine';
const UNESCAPED: Readonly<Record<string, string>> = { '\\t': '\t', '\\n': '\n', '\\\\': '\\' };

/** Of one process there is one engine: its databases are told apart by name. */
let session: Session | undefined;
let databases = 0;

function engine(): Session {
  if (session === undefined) {
    const path = chdbPath();
    if (path === undefined) throw new Error('chdb is not installed');
    const { Session } = createRequire(import.meta.url)(path) as { Session: new (path: string) => Session };
    session = new Session(join(temporaryFolder(), 'clickhouse'));
  }
  return session;
}

export class TestClickHouse {
  readonly address: EngineAddress;
  readonly database: string;
  /** All questions that came, as text. */
  readonly asked: string[] = [];
  #isAway = false;

  private constructor(port: number, database: string) {
    this.database = database;
    this.address = { url: `http://127.0.0.1:${port}/`, user: 'default', password: PASSWORD, database };
  }

  /** As the command line takes it. */
  get text(): string {
    const { port } = new URL(this.address.url);
    return `clickhouse://default:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${this.database}`;
  }

  static async start(): Promise<TestClickHouse> {
    const database = `tests_${++databases}`;
    engine().query(`CREATE DATABASE ${database}`);
    // A question may have thousands of numbers in its address.
    const server = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
      answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const of = new TestClickHouse((server.address() as AddressInfo).port, database);
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (of.#isAway) {
        response.destroy();
        return;
      }
      if (request.headers['x-clickhouse-key'] !== PASSWORD) {
        response.writeHead(403).end('Code: 516. DB::Exception: Authentication failed');
        return;
      }
      const url = new URL(request.url ?? '/', 'http://local');
      response.end(await of.#answer(url, Buffer.concat(chunks).toString('utf8')));
    };
    atEnd(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve(undefined));
          server.closeAllConnections();
        }),
    );
    return of;
  }

  /** Takes it away for a while. */
  async away(during: () => Promise<void>): Promise<void> {
    this.#isAway = true;
    await during();
    this.#isAway = false;
  }

  /** Asks the engine past its interface. */
  direct(text: string): string {
    engine().query(`USE ${this.database}`);
    return engine().query(text);
  }

  async #answer(url: URL, body: string): Promise<string> {
    engine().query(`USE ${this.database}`);
    const insert = url.searchParams.get('query');
    if (insert !== null) {
      const [, table = '', format = ''] = /^INSERT INTO (\w+) FORMAT (\w+)$/.exec(insert) ?? [];
      await engine().insert({ table: `${this.database}.${table}`, values: body, format });
      return '';
    }
    this.asked.push(body);
    const parameters: Record<string, string> = {};
    for (const [name, value] of url.searchParams) {
      const plain = value.replaceAll(/\\[tn\\]/g, (sign) => UNESCAPED[sign] ?? sign);
      if (name.startsWith('param_')) parameters[name.slice('param_'.length)] = plain;
    }
    const [, text = body, format = 'Null'] = /^([\s\S]*) FORMAT (\w+)$/.exec(body) ?? [];
    return (await engine().queryBindAsync(text, parameters, { format })).text();
  }
}
