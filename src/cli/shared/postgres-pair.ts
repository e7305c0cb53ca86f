import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Where Debian puts the servers, a folder a version. */
const DEBIAN = '/usr/lib/postgresql';
const OLDEST = 15;
/** How long the servers may take for what they do by themselves, in milliseconds. */
const PATIENCE_MS = 120_000;

/**
 * The folder of PostgreSQL's programs, of version 15 or later: COUNTERSIGN_POSTGRES names it, PATH has it, or Debian's is installed.
 * @returns undefined where there is none
 */
export function postgresFolder(): string | undefined {
  const { COUNTERSIGN_POSTGRES: named = '', PATH = '' } = process.env;
  if (named !== '') return named;
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const versions = debian.filter((version) => version >= OLDEST).toSorted((a, b) => b - a);
  const folders = [...PATH.split(delimiter), ...versions.map((version) => join(DEBIAN, String(version), 'bin'))];
  return folders.find((folder) => ['initdb', 'pg_ctl', 'psql'].every((name) => existsSync(join(folder, name))));
}

/** Whom the servers run as where this is root, whom they refuse: PostgreSQL's own user, or else somebody who owns nothing. */
function serverUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = ['postgres', 'nobody'].flatMap((name) => users.filter(([user]) => user === name))[0] ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

const settings = (port: number, folder: string): string => `
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

/** One server of PostgreSQL on this machine. */
class PostgresServer {
  readonly folder: string;
  readonly port: number;

  constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  run(program: string, ...args: readonly string[]): string {
    const path = join(postgresFolder() ?? '', program);
    // A server that is started keeps what it is given: a pipe to this process would never end.
    const stdio = program === 'pg_ctl' ? 'ignore' : ['ignore', 'pipe', 'ignore'];
    const output = execFileSync(path, [...args], {
      ...serverUser(),
      stdio: stdio as 'pipe',
      cwd: '/',
    }) as Buffer | null;
    return output?.toString('utf8') ?? '';
  }

  start(): void {
    this.run('pg_ctl', '-D', this.folder, '-l', `${this.folder}.log`, '-w', 'start');
  }

  /** A stop of which no client hears (`immediate`) is what a power cut is to PostgreSQL. */
  stop(mode: 'fast' | 'immediate'): void {
    try {
      this.run('pg_ctl', '-D', this.folder, '-m', mode, '-w', 'stop');
    } catch {
      // It does not run.
    }
  }

  /** Kills it as kill -9 does. */
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

  /** @returns the rows, each a line with its columns between bars */
  query(text: string): string[] {
    const where = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'cs', '-d', 'postgres'];
    const output = this.run('psql', '-X', '-A', '-t', '-q', '-v', 'ON_ERROR_STOP=1', ...where, '-c', text);
    return output.split('\n').filter((line) => line !== '');
  }
}

/** @throws Error where it takes too long */
async function waitFor(what: string, isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !isSo(); await pause(20)) {
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
  }
}

/** A primary with a standby that every commit waits for, on this machine: what a shared log rests on. */
export class PostgresPair {
  primary: PostgresServer;
  standby: PostgresServer;

  readonly #folder: string;

  private constructor(folder: string, primary: PostgresServer, standby: PostgresServer) {
    this.#folder = folder;
    this.primary = primary;
    this.standby = standby;
  }

  /**
   * In a temporary folder, which `close` removes.
   * @throws Error where the servers cannot be started
   */
  static async start(): Promise<PostgresPair> {
    const user = serverUser();
    // The temporary folder of this user may be closed to whoever the servers run as.
    const folder = mkdtempSync(join(user === null ? tmpdir() : '/tmp', 'countersign-pg-'));
    if (user !== null) chownSync(folder, user.uid, user.gid);
    const [primary, standby] = [
      new PostgresServer(join(folder, 'p1'), await freePort()),
      new PostgresServer(join(folder, 'p2'), await freePort()),
    ];
    const pair = new PostgresPair(folder, primary, standby);
    try {
      primary.run('initdb', '-D', primary.folder, '-A', 'trust', '-U', 'cs', '--no-sync');
      appendFileSync(join(primary.folder, 'postgresql.conf'), settings(primary.port, folder));
      primary.start();
      await pair.#copy();
      return pair;
    } catch (error) {
      pair.close();
      throw error;
    }
  }

  /** Makes the standby of what the primary has, and has every commit wait for it. */
  async #copy(): Promise<void> {
    const { primary, standby } = this;
    const from = `host=127.0.0.1 port=${primary.port} user=cs application_name=p2`;
    standby.run('pg_basebackup', '-c', 'fast', '-D', standby.folder, '-R', '-C', '-S', 'p2', '-d', from, '--no-sync');
    appendFileSync(join(standby.folder, 'postgresql.conf'), settings(standby.port, dirname(standby.folder)));
    appendFileSync(join(standby.folder, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
    // Of a server that was killed the socket counts as taken until its process is gone.
    await waitFor('the standby of the database to start', () => standby.startsAgain());
    primary.query("ALTER SYSTEM SET synchronous_standby_names = 'p2'");
    primary.query('SELECT pg_reload_conf()');
    const isSynchronous = (): boolean =>
      primary.query('SELECT sync_state FROM pg_stat_replication').some((state) => state === 'sync');
    await waitFor('the standby of the database to become synchronous', isSynchronous);
  }

  /** The primary dies, and the standby is the primary from then on. What the old one had besides is nowhere: its place takes a copy of the new one. */
  async failOver(): Promise<void> {
    const { primary: old, standby: promoted } = this;
    old.kill();
    // Where it was away.
    promoted.startsAgain();
    promoted.promote();
    rmSync(old.folder, { recursive: true, maxRetries: 20 });
    this.primary = promoted;
    this.standby = old;
    await this.#copy();
  }

  /** As a node names it: both servers, of which one takes writes. */
  get url(): string {
    return `postgres://cs@127.0.0.1:${this.primary.port},127.0.0.1:${this.standby.port}/postgres`;
  }

  close(): void {
    for (const server of [this.standby, this.primary]) server.stop('immediate');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
