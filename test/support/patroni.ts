/** PostgreSQL under Patroni with etcd, on three hosts that are network namespaces of this machine: what an operator has who fails over by himself. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { postgresFolder } from '../../src/cli/shared/postgres-pair.ts';
import { hasCode } from '../../src/protocol/light.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';
import { until } from './until.ts';

/** Where the packages etcd-server, patroni and what they need were unpacked (`dpkg -x`); empty where they are installed. */
const { COUNTERSIGN_PATRONI: ROOT = '', PYTHONPATH = '' } = process.env;
const TTL_SECONDS = 20;

const ip = (...args: readonly string[]): Buffer => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'ignore'] });

/** One of the three hosts. */
class Member {
  readonly name: string;
  readonly address: string;
  readonly space: string;
  readonly folder: string;
  etcd: ChildProcess | null = null;
  patroni: ChildProcess | null = null;

  constructor(name: string, address: string, space: string, folder: string) {
    this.name = name;
    this.address = address;
    this.space = space;
    this.folder = folder;
  }

  /** Runs a program there, as the user of PostgreSQL. */
  spawn(command: string, ...args: readonly string[]): ChildProcess {
    const log = openSync(join(this.folder, `${this.name}.log`), 'a');
    const packages = join(ROOT === '' ? '/' : ROOT, 'usr/lib/python3/dist-packages');
    // The system's own Python, for whose version the packages are, and which that user may run.
    const PATH = '/usr/bin:/bin:/usr/sbin:/sbin';
    const env = { PATH, PYTHONPATH: [PYTHONPATH, packages].join(delimiter), HOME: this.folder };
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', command, ...args];
    return spawn('ip', ['netns', 'exec', this.space, ...asPostgres], { env, stdio: ['ignore', log, log], cwd: '/' });
  }

  /** Kills its PostgreSQL as kill -9 does. */
  killServer(): void {
    const [pid = ''] = readFileSync(join(this.folder, this.name, 'data', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
  }

  /** Lets nothing through to these addresses, and so no answer back. */
  cutOff(...others: readonly string[]): void {
    for (const other of others) ip('netns', 'exec', this.space, 'ip', 'route', 'add', 'blackhole', `${other}/32`);
  }

  mend(...others: readonly string[]): void {
    for (const other of others) ip('netns', 'exec', this.space, 'ip', 'route', 'del', 'blackhole', `${other}/32`);
  }
}

export class PatroniTrio {
  readonly members: readonly Member[];
  /** This machine's address on their network. */
  readonly #own: string;

  private constructor(members: readonly Member[], own: string) {
    this.members = members;
    this.#own = own;
  }

  /** Needs root, for the namespaces. */
  static async start(): Promise<PatroniTrio> {
    const folder = temporaryFolder();
    // Read by a user who owns nothing of it.
    for (let above = folder; above !== '/tmp' && above !== '/'; above = join(above, '..')) chmodSync(above, 0o755);
    const network = `10.213.${process.pid % 250}`;
    const bridge = `cs${process.pid}`;
    ip('link', 'add', bridge, 'type', 'bridge');
    atEnd(() => ip('link', 'del', bridge));
    ip('addr', 'add', `${network}.254/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
    const members = [1, 2, 3].map((n) => new Member(`m${n}`, `${network}.${n}`, `${bridge}-${n}`, folder));
    const trio = new PatroniTrio(members, `${network}.254`);
    for (const [n, member] of members.entries()) {
      const { space } = member;
      ip('netns', 'add', space);
      atEnd(async () => {
        const pids = ip('netns', 'pids', space)
          .toString('utf8')
          .split('\n')
          .filter((pid) => pid !== '');
        for (const pid of pids) killed(Number(pid));
        await until('all of a host to have ended', () => ip('netns', 'pids', space).length === 0);
        ip('netns', 'del', space);
      });
      const [here, there] = [`${bridge}v${n}`, `${bridge}w${n}`];
      ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there);
      ip('link', 'set', here, 'master', bridge, 'up');
      ip('link', 'set', there, 'netns', space);
      for (const args of [
        ['addr', 'add', `${member.address}/24`, 'dev', there],
        ['link', 'set', there, 'up'],
        ['link', 'set', 'lo', 'up'],
      ]) {
        ip('netns', 'exec', space, 'ip', ...args);
      }
      mkdirSync(join(folder, member.name), { mode: 0o700 });
      mkdirSync(join(folder, `${member.name}-etcd`), { mode: 0o700 });
      execFileSync('chown', ['postgres', join(folder, member.name), join(folder, `${member.name}-etcd`)]);
    }
    const cluster = members.map(({ name, address }) => `${name}=http://${address}:2380`).join(',');
    for (const member of members) {
      const { name, address } = member;
      const peer = `http://${address}:2380`;
      const client = `http://${address}:2379`;
      const etcd = [join(ROOT, '/usr/bin/etcd'), '--name', name, '--data-dir', join(folder, `${name}-etcd`)];
      const urls = [
        '--listen-peer-urls',
        peer,
        '--initial-advertise-peer-urls',
        peer,
        '--advertise-client-urls',
        client,
      ];
      const [command = '', ...args] = [...etcd, ...urls, '--listen-client-urls', client, '--initial-cluster', cluster];
      member.etcd = member.spawn(command, ...args);
      writeFileSync(join(folder, `${name}.yml`), trio.#settingsOf(member, `${network}.0/24`));
    }
    for (const member of members) trio.startPatroni(member);
    await trio.#settledLeader();
    return trio;
  }

  startPatroni(member: Member): void {
    member.patroni = member.spawn('python3', '-m', 'patroni', join(member.folder, `${member.name}.yml`));
  }

  #settingsOf({ name, address, folder }: Member, network: string): string {
    const data_dir = join(folder, name, 'data');
    const hosts = this.members.map((one) => `${one.address}:2379`);
    return JSON.stringify({
      scope: 'countersign',
      name,
      restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
      etcd3: { hosts },
      bootstrap: {
        dcs: {
          ttl: TTL_SECONDS,
          loop_wait: 5,
          retry_timeout: 5,
          synchronous_mode: true,
          synchronous_mode_strict: true,
          postgresql: { use_pg_rewind: true, use_slots: true },
        },
        initdb: [{ auth: 'trust' }, { encoding: 'UTF8' }, 'no-sync'],
      },
      postgresql: {
        listen: `${address}:5432`,
        connect_address: `${address}:5432`,
        data_dir,
        bin_dir: postgresFolder(),
        pgpass: join(folder, name, 'pgpass'),
        remove_data_directory_on_diverged_timelines: false,
        authentication: {
          superuser: { username: 'cs', password: 'x' },
          replication: { username: 'rep', password: 'x' },
        },
        parameters: { shared_buffers: '32MB', unix_socket_directories: join(folder, name) },
        pg_hba: ['local all all trust', `host all all ${network} trust`, `host replication all ${network} trust`],
      },
    });
  }

  get servers(): readonly { readonly host: string; readonly port: number }[] {
    return this.members.map(({ address: host }) => ({ host, port: 5432 }));
  }

  /** Of whichever takes writes; no rows where none does. */
  query(text: string): string[] {
    const leader = this.leader();
    return leader === null ? [] : ask(leader.address, text);
  }

  /** The one that takes writes, among those that this machine and Patroni's key agree on. */
  leader(but: Member | null = null): Member | null {
    for (const member of this.members) {
      if (member === but || !existsSync(join(member.folder, member.name, 'data', 'postmaster.pid'))) continue;
      if (ask(member.address, 'SELECT pg_is_in_recovery()')[0] === 'f') return member;
    }
    return null;
  }

  /** The leader, once both standbys follow it and one has everything: before that nobody may take its place. */
  #settledLeader(): Promise<Member> {
    return until('a leader with a synchronous standby', async () => {
      const leader = this.leader();
      if (leader === null) return undefined;
      // Patroni promotes only whom its own list has.
      const answer = await fetch(`http://${leader.address}:8008/cluster`).catch(() => null);
      if (answer === null || !(await answer.text()).includes('"sync_standby"')) return undefined;
      const standbys = ask(leader.address, 'SELECT sync_state FROM pg_stat_replication');
      const isWhole = standbys.includes('sync') && standbys.length === this.members.length - 1;
      // A number for a transaction is a commit that waits for the standby.
      return isWhole && ask(leader.address, 'SELECT pg_current_xact_id()').length > 0 && leader;
    });
  }

  async #nextLeader(but: Member): Promise<Member> {
    return until('another leader', () => this.leader(but) ?? undefined);
  }

  /** What is done to a host, and to how a node that is not active reaches it. */
  readonly faults: Readonly<Record<string, (cut: (host: string) => () => void) => Promise<void>>> = {
    'kill the leader': async () => {
      const leader = await this.#settledLeader();
      leader.killServer();
      await until('a leader', () => this.leader() ?? undefined);
    },
    "stop the leader's Patroni until another one leads": async () => {
      const leader = await this.#settledLeader();
      leader.patroni?.kill('SIGSTOP');
      await this.#nextLeader(leader);
      leader.patroni?.kill('SIGCONT');
      await this.#follows(leader);
    },
    "cut the leader's host off": async () => {
      const leader = await this.#settledLeader();
      const others = [this.#own, ...this.members.filter((one) => one !== leader).map(({ address }) => address)];
      leader.cutOff(...others);
      await this.#nextLeader(leader);
      leader.mend(...others);
      await this.#follows(leader);
    },
    "cut the leader's host and the active node off together": async (cut) => {
      const leader = await this.#settledLeader();
      const others = this.members.filter((one) => one !== leader).map(({ address }) => address);
      const mend = cut(leader.address);
      leader.cutOff(...others);
      await this.#nextLeader(leader);
      leader.mend(...others);
      mend();
      await this.#follows(leader);
    },
  };

  async #follows(member: Member): Promise<void> {
    await until('the old leader to follow', () => ask(member.address, 'SELECT pg_is_in_recovery()')[0] === 't');
  }
}

/** Kills what may have ended by itself. */
function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

function ask(host: string, text: string): string[] {
  const program = join(postgresFolder() ?? '', 'psql');
  const args = ['-X', '-A', '-t', '-q', '-h', host, '-U', 'cs', '-d', 'postgres', '-c', text];
  try {
    const env = { PATH: process.env['PATH'], PGCONNECT_TIMEOUT: '2' };
    return execFileSync(program, args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 5000, env })
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    // It does not answer.
    return [];
  }
}
