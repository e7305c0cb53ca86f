/** A real object store with S3's interface: one that is named, or Ceph with everything in memory. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { delimiter, join } from 'node:path';
import { cephRoot, givenObjectStore } from '../../scripts/support/object-store.ts';
import { S3Client, type S3Request } from '../../src/service/archive/s3-client.ts';
import { S3Store } from '../../src/service/archive/s3-store.ts';
import type { S3Credentials, S3Target } from '../../src/service/archive/s3-target.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';
import { until } from './until.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A store, and the one bucket of it that a test has. */
export class ObjectStore {
  readonly endpoint: string;
  readonly credentials: S3Credentials;
  readonly #bucket: string;
  readonly #gateway: (() => ChildProcess) | null;
  #running: ChildProcess | null = null;
  #prefixes = 0;

  private constructor(
    endpoint: string,
    credentials: S3Credentials,
    bucket: string,
    gateway: (() => ChildProcess) | null,
  ) {
    this.endpoint = endpoint;
    this.credentials = credentials;
    this.#bucket = bucket;
    this.#gateway = gateway;
  }

  /** Whether a test may take it away for a while. */
  get isOurs(): boolean {
    return this.#gateway !== null;
  }

  static async start(): Promise<ObjectStore> {
    const given = givenObjectStore();
    if (given !== undefined) {
      const credentials = {
        accessKeyId: decodeURIComponent(given.username),
        secretAccessKey: decodeURIComponent(given.password),
      };
      return new ObjectStore(given.origin, credentials, given.pathname.slice(1), null);
    }
    const ceph = new Ceph(cephRoot() ?? '');
    const store = await ceph.start();
    const made = new ObjectStore(store.endpoint, store.credentials, 'archive', store.gateway);
    await made.comeBack();
    await new S3Client(made.target('')).send({ method: 'PUT', key: '' });
    return made;
  }

  target(prefix: string): S3Target {
    return {
      bucket: this.#bucket,
      prefix,
      region: 'us-east-1',
      endpoint: this.endpoint,
      credentials: this.credentials,
    };
  }

  /** The address of a place of which nobody else knows. */
  newPlace(): string {
    return `s3://${this.#bucket}/test-${randomUUID().slice(0, 8)}/${this.#prefixes++}`;
  }

  at(place: string, spool = temporaryFolder()): S3Store {
    return new S3Store(this.target(prefixOf(place)), spool);
  }

  async put(place: string, path: string, bytes: Uint8Array): Promise<void> {
    const file = join(temporaryFolder(), 'object');
    writeFileSync(file, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await this.#send(place, { method: 'PUT', key: path, file: { path: file, bytes: bytes.length, sha256 } });
  }

  remove(place: string, path: string): Promise<void> {
    return this.#send(place, { method: 'DELETE', key: path });
  }

  async #send(place: string, { key, ...request }: S3Request): Promise<void> {
    const { prefix, ...target } = this.target(prefixOf(place));
    const answer = await new S3Client({ ...target, prefix }).send({ ...request, key: prefix + key });
    answer.resume();
  }

  /** What a command needs to reach it. */
  get environment(): Record<string, string> {
    return {
      AWS_ENDPOINT_URL_S3: this.endpoint,
      AWS_ACCESS_KEY_ID: this.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: this.credentials.secretAccessKey,
    };
  }

  /** Takes it away, as a power cut at its gateway does. */
  async goAway(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await gone;
  }

  async comeBack(): Promise<void> {
    this.#running = this.#gateway?.() ?? null;
    await until('the gateway of the object store', async () => {
      const answer = await fetch(this.endpoint).catch(() => null);
      return answer !== null && answer.status < 500;
    });
  }
}

const prefixOf = (place: string): string => `${place.split('/').slice(3).join('/')}/`;

/** Ceph with one monitor, one store in memory and one gateway, of processes that end with the test file. */
class Ceph {
  readonly #folder = temporaryFolder();
  readonly #environment: NodeJS.ProcessEnv;
  readonly #library: string;

  constructor(root: string) {
    const machine = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
    const library = join(root === '' ? '/' : root, 'usr/lib', machine);
    this.#library = library;
    const unpacked = {
      LD_LIBRARY_PATH: [library, join(library, 'ceph'), join(root, 'lib', machine)].join(delimiter),
      PATH: [join(root, 'usr/bin'), process.env['PATH']].join(delimiter),
      PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
    };
    this.#environment = {
      ...process.env,
      ...(root === '' ? {} : unpacked),
      CEPH_CONF: join(this.#folder, 'ceph.conf'),
    };
  }

  #run(command: string, ...args: string[]): string {
    return execFileSync(command, args, {
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    }).toString();
  }

  #spawn(command: string, ...args: string[]): ChildProcess {
    const child = spawn(command, ['-f', ...args], { env: this.#environment, stdio: 'ignore', cwd: this.#folder });
    atEnd(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    });
    return child;
  }

  async start() {
    const [monitor, gateway] = [await freePort(), await freePort()];
    const fsid = randomUUID();
    const at = (name: string): string => join(this.#folder, name);
    for (const name of ['mon', 'osd', 'rgw', 'run']) mkdirSync(at(name));
    const library = join(this.#library, 'ceph');
    writeFileSync(
      at('ceph.conf'),
      `[global]
fsid = ${fsid}
mon host = v1:127.0.0.1:${monitor}
mon initial members = a
auth cluster required = none
auth service required = none
auth client required = none
auth supported = none
osd pool default size = 1
osd pool default min size = 1
mon allow pool size one = true
osd pool default pg num = 4
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 1073741824
plugin dir = ${library}
erasure code dir = ${join(library, 'erasure-code')}
osd class dir = ${join(this.#library, 'rados-classes')}
osd class load list = *
osd class default list = *
admin socket = ${at('run')}/$name.asok
pid file = ${at('run')}/$name.pid
run dir = ${at('run')}
log file = ${at('$name.log')}
mon cluster log file = ${at('cluster.log')}
mon data avail warn = 1
mon data avail crit = 0
ms bind msgr2 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
[mon.a]
host = ${hostname()}
mon data = ${at('mon')}
[osd.0]
osd data = ${at('osd')}
[client.rgw.a]
rgw frontends = beast endpoint=127.0.0.1:${gateway}
rgw data = ${at('rgw')}
`,
    );
    this.#run(
      'monmaptool',
      '--create',
      '--addv',
      'a',
      `[v1:127.0.0.1:${monitor}]`,
      '--fsid',
      fsid,
      at('monmap'),
      '--clobber',
    );
    this.#run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', at('monmap'));
    this.#spawn('ceph-mon', '-i', 'a');
    const disk = randomUUID();
    this.#run('ceph', 'osd', 'new', disk);
    this.#run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', disk);
    this.#spawn('ceph-osd', '-i', '0');
    await until(
      'the store of the object store',
      () => JSON.parse(this.#run('ceph', 'osd', 'stat', '--format', 'json')).num_up_osds === 1,
    );
    this.#run('ceph', 'osd', 'crush', 'add', 'osd.0', '1', 'root=default', 'host=h');
    const credentials = { accessKeyId: 'AKIDTEST', secretAccessKey: 'not-a-secret' };
    const keys = [`--access-key=${credentials.accessKeyId}`, `--secret-key=${credentials.secretAccessKey}`];
    this.#run('radosgw-admin', '-n', 'client.rgw.a', 'user', 'create', '--uid=t', '--display-name=t', ...keys);
    const endpoint = `http://127.0.0.1:${gateway}`;
    return { endpoint, credentials, gateway: () => this.#spawn('radosgw', '-n', 'client.rgw.a') };
  }
}
