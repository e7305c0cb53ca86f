/** A real PostgreSQL in a folder of its own: a primary, and a standby that every commit waits for. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { postgresFolder } from '../../scripts/support/postgres.ts';
import { atEnd } from './cleanup.ts';
import { until } from './until.ts';

const SETTINGS = (port: number, folder: string): string => `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${folder}'
wal_level = replica
shared_buffers = 32MB
synchronous_commit = on
logging_collector = off
`;

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** One server of PostgreSQL. It refuses to run as root, who gives it its own user. */
export class PostgresServer {
  readonly folder: string;
  readonly port: number;

  constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
    atEnd(() => this.stop('immediate'));
  }

  run(program: string, ...args: readonly string[]): void {
    const path = join(postgresFolder() ?? '', program);
    const [command, ...given] =
      process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', path, ...args] : [path, ...args];
    execFileSync(command ?? '', given, { stdio: 'ignore', cwd: '/' });
  }

  start(): void {
    this.run('pg_ctl', '-D', this.folder, '-l', `${this.folder}.log`, '-w', 'start');
  }

  /** A stop that no client is told of (`immediate`) is what a power cut is to PostgreSQL. */
  stop(mode: 'fast' | 'immediate'): void {
    try {
      this.run('pg_ctl', '-D', this.folder, '-m', mode, '-w', 'stop');
    } catch {
      // It does not run.
    }
  }

  /** Kills every process of it at once, as kill -9 does. */
  kill(): void {
    const [pid = ''] = readFileSync(join(this.folder, 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  }

  /** @returns whether it runs again; false while processes of the killed one are still there */
  startsAgain(): boolean {
    try {
      this.start();
      return true;
    } catch {
      return false;
    }
  }

  promote(): void {
    this.run('pg_ctl', '-D', this.folder, '-w', 'promote');
  }

  async query(text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: 'cs', database: 'postgres' });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }
}

/** A primary with a synchronous standby. */
export class PostgresPair {
  primary: PostgresServer;
  standby: PostgresServer;

  private constructor(primary: PostgresServer, standby: PostgresServer) {
    this.primary = primary;
    this.standby = standby;
  }

  static async start(): Promise<PostgresPair> {
    // Where this is root, PostgreSQL's own user has to reach it, and the folder of a run of tests is for one user alone.
    const root = mkdtempSync(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'cs-pg-'));
    chmodSync(root, 0o755);
    atEnd(() => rmSync(root, { recursive: true, force: true }));
    const base = join(root, 'pg');
    mkdirSync(base, { mode: 0o700 });
    if (process.getuid?.() === 0) execFileSync('chown', ['postgres', base]);
    const primary = new PostgresServer(join(base, 'p1'), await freePort());
    const standby = new PostgresServer(join(base, 'p2'), await freePort());
    primary.run('initdb', '-D', primary.folder, '-A', 'trust', '-U', 'cs', '--no-sync');
    appendFileSync(join(primary.folder, 'postgresql.conf'), SETTINGS(primary.port, base));
    primary.start();
    const pair = new PostgresPair(primary, standby);
    await pair.#copy();
    return pair;
  }

  /** Makes the standby of what the primary has, and has every commit wait for it. */
  async #copy(): Promise<void> {
    const { primary, standby } = this;
    const from = `host=127.0.0.1 port=${primary.port} user=cs application_name=p2`;
    standby.run('pg_basebackup', '-D', standby.folder, '-R', '-C', '-S', 'p2', '-d', from, '--no-sync');
    appendFileSync(join(standby.folder, 'postgresql.conf'), SETTINGS(standby.port, dirname(standby.folder)));
    appendFileSync(join(standby.folder, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
    standby.start();
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = 'p2'");
    await primary.query('SELECT pg_reload_conf()');
    await this.isSynchronous();
  }

  /** The standby is the primary from now on. What the old one had besides is nowhere: its place takes a copy of the new one. */
  async failOver(): Promise<void> {
    const { primary: old, standby: promoted } = this;
    old.kill();
    promoted.startsAgain();
    promoted.promote();
    old.stop('immediate');
    rmSync(old.folder, { recursive: true, maxRetries: 20 });
    this.primary = promoted;
    this.standby = old;
    await this.#copy();
  }

  async isSynchronous(): Promise<void> {
    await until('the standby to be synchronous', async () => {
      const rows = await this.primary.query('SELECT sync_state FROM pg_stat_replication');
      return rows.some(({ sync_state }) => sync_state === 'sync');
    });
  }

  /** As a node names it: both servers, of which one takes writes. */
  get url(): string {
    return `postgres://cs@127.0.0.1:${this.primary.port},127.0.0.1:${this.standby.port}/postgres`;
  }
}
