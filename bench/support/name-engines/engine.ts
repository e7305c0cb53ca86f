import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineName, EngineReply, EngineRequest, FillFigures, SubmitFigures } from './engine-process.ts';

const PROGRAM = join(import.meta.dirname, 'engine-process.ts');

type Done = Extract<EngineReply, { kind: 'done' }>;
type Opened = Extract<EngineReply, { kind: 'open' }>;

/** An engine in a separate process, which can be ended and started again. */
export class Engine {
  readonly name: EngineName;
  readonly #folder: string;
  readonly #stores: string;
  #child: ChildProcess | null = null;
  #asked: { readonly resolve: (reply: Done) => void; readonly reject: (error: Error) => void } | null = null;
  /** The newest sequence number that the engine has committed. */
  committed = 0;

  /** @param stores folder where the packages of stores are installed */
  constructor(name: EngineName, parent: string, stores: string) {
    this.name = name;
    this.#folder = join(parent, name);
    this.#stores = stores;
    mkdirSync(this.#folder);
  }

  async start(): Promise<Opened> {
    const child = fork(PROGRAM, [this.name, this.#folder, this.#stores]);
    this.#child = child;
    return new Promise((resolve, reject) => {
      child.once('exit', () => {
        const error = new Error(`${this.name} ended`);
        reject(error);
        this.#asked?.reject(error);
      });
      child.on('message', (reply: EngineReply) => {
        if (reply.kind === 'open') resolve(reply);
        else if (reply.kind === 'committed') this.committed = reply.last;
        else this.#asked?.resolve(reply);
      });
    });
  }

  #running(): ChildProcess {
    if (this.#child === null) throw new Error(`${this.name} is not running`);
    return this.#child;
  }

  async #ask(request: EngineRequest): Promise<Done> {
    const child = this.#running();
    return new Promise((resolve, reject) => {
      this.#asked = { resolve, reject };
      child.send(request);
    });
  }

  async fill(first: number, last: number): Promise<FillFigures> {
    return (await this.#ask({ kind: 'fill', first, last })).filled;
  }

  async submit(first: number, last: number): Promise<SubmitFigures> {
    const { figures } = await this.#ask({ kind: 'submit', first, last });
    if (figures === null) throw new Error(`${this.name} measured nothing`);
    return figures;
  }

  /** How many of some records are known. */
  async known(first: number, last: number): Promise<number> {
    return (await this.#ask({ kind: 'check', first, last })).known;
  }

  async close(): Promise<void> {
    await this.#ended((child) => child.send({ kind: 'close' } satisfies EngineRequest));
  }

  /** Ends the process as a crash does. */
  async kill(): Promise<void> {
    await this.#ended((child) => child.kill('SIGKILL'));
  }

  async #ended(end: (child: ChildProcess) => void): Promise<void> {
    const child = this.#running();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    end(child);
    await ended;
    this.#child = null;
  }

  /** Files of the engine; for a table in the ledger's file that is the ledger. */
  #files(): string[] {
    const names = readdirSync(this.#folder).filter((name) =>
      this.name === 'table-in-ledger' ? name.startsWith('ledger') : !name.startsWith('ledger'),
    );
    return names.flatMap((name) => {
      const path = join(this.#folder, name);
      return statSync(path).isDirectory() ? readdirSync(path).map((file) => join(path, file)) : [path];
    });
  }

  /** Megabytes on disk, and of these in the page cache where util-linux' fincore is installed. */
  disk(): { readonly megabytes: number; readonly cachedMb: number | null } {
    const files = this.#files();
    const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
    const total = files.reduce((sum, path) => sum + statSync(path).blocks * 512, 0);
    if (!existsSync('/usr/bin/fincore')) return { megabytes: megabytes(total), cachedMb: null };
    const cached = execFileSync('/usr/bin/fincore', ['--noheadings', '--bytes', '--output', 'RES', ...files]);
    const bytes = cached.toString().trim().split('\n').map(Number);
    return { megabytes: megabytes(total), cachedMb: megabytes(bytes.reduce((sum, size) => sum + size, 0)) };
  }
}
