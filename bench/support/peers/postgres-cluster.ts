import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PROGRAMS = ['initdb', 'postgres', 'psql', 'pgbench'];
/** Where Debian puts them, beside the path. */
const DEBIAN = '/usr/lib/postgresql';
const USER = 'bench';
const START_TRIES = 100;
const START_WAIT_MS = 100;

/** Makes every commit durable before it is answered; clients come over a socket in the cluster's own folder only. */
const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '',
};

/** The folder in which PostgreSQL's programs are, or null. */
export function findPostgres(): string | null {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'initdb'));
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    // Links on the path lead to a folder that has all of them.
    ...onPath.filter((program) => existsSync(program)).map((program) => dirname(realpathSync(program))),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ];
  return folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program)))) ?? null;
}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** Who runs the cluster: PostgreSQL refuses root, so its own user does where root measures. */
function clusterOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const ask = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: ask('-u'), gid: ask('-g') };
}

/** A database cluster in a temporary folder, served by a separate process over a unix socket. */
export class PostgresCluster {
  readonly #programs: string;
  readonly #folder: string;
  readonly #owner: Owner;
  #server: ChildProcess | null = null;
  #log = '';

  private constructor(programs: string, folder: string, owner: Owner) {
    this.#programs = programs;
    this.#folder = folder;
    this.#owner = owner;
  }

  static async start(programs: string): Promise<PostgresCluster> {
    const owner = clusterOwner();
    const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'countersign-peer-'));
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
    const cluster = new PostgresCluster(programs, folder, owner);
    try {
      const data = join(folder, 'data');
      await cluster.#run('initdb', ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C']);
      await cluster.#serve(data);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  async #serve(data: string): Promise<void> {
    const settings = Object.entries({ ...SETTINGS, unix_socket_directories: this.#folder });
    const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(join(this.#programs, 'postgres'), ['-D', data, ...options], {
      ...this.#owner,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#server = server;
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text;
    });
    await new Promise((resolve, reject) => server.once('spawn', resolve).once('error', reject));
    for (let tries = 1; ; tries++) {
      if (server.exitCode !== null) throw new Error(`PostgreSQL does not start: ${this.#log}`);
      try {
        await this.sql('SELECT 1');
        return;
      } catch (error) {
        if (tries === START_TRIES) throw error;
        await sleep(START_WAIT_MS);
      }
    }
  }

  async #run(program: string, parameters: readonly string[]): Promise<string> {
    const { stdout } = await run(join(this.#programs, program), parameters, { ...this.#owner, cwd: this.#folder });
    return stdout;
  }

  /** Runs statements. @returns the values of the rows, separated by `|` and line ends @throws where one fails */
  async sql(statements: string): Promise<string> {
    const quiet = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'];
    const text = await this.#run('psql', [
      ...quiet,
      '-h',
      this.#folder,
      '-U',
      USER,
      '-d',
      'postgres',
      '-c',
      statements,
    ]);
    return text.trim();
  }

  /**
   * Runs pgbench's load: all clients repeat one statement, prepared once for each, over connections that stay.
   * @param values of the statement's variables, sent with every execution
   * @returns transactions a second, without the time to connect
   * @throws where a transaction failed
   */
  async load(
    statement: string,
    values: Readonly<Record<string, string>>,
    { clients, seconds }: { readonly clients: number; readonly seconds: number },
  ): Promise<number> {
    const script = join(this.#folder, 'load.sql');
    writeFileSync(script, `${statement};\n`);
    const text = await this.#run('pgbench', [
      ...['-n', '-M', 'prepared', '-c', String(clients), '-j', String(Math.min(clients, 2)), '-T', String(seconds)],
      ...Object.entries(values).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
      ...['-f', script, '-h', this.#folder, '-U', USER, 'postgres'],
    ]);
    const rate = /^tps = ([\d.]+) \(without initial connection time\)$/m.exec(text)?.[1];
    const failed = /^number of failed transactions: (\d+)/m.exec(text)?.[1] ?? '0';
    if (rate === undefined || failed !== '0') throw new Error(`pgbench: ${text}`);
    return Number(rate);
  }

  /** Where a client of `pg` finds it. */
  get address(): { readonly host: string; readonly user: string; readonly database: string } {
    return { host: this.#folder, user: USER, database: 'postgres' };
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server?.pid !== undefined && server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      // Fast shutdown: open sessions are ended.
      server.kill('SIGINT');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
