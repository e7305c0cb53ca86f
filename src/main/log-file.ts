import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const MOST_BYTES = 5 * 1024 * 1024;

/**
 * The log of desktop and service, as lines of JSON, in a file that people find (Help, Show the log) and can attach. The one
 * before it is kept as `.1`. It holds no secrets and no payloads; names of files and paths of requests it does.
 */
export class LogFile {
  readonly path: string;
  #file: number;
  #bytes: number;

  constructor(path: string) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }

  /** What pino writes to; one line. */
  write(line: string): void {
    if (this.#bytes > MOST_BYTES) this.#turnOver();
    this.#bytes += writeSync(this.#file, line);
  }

  /** Something that the desktop itself has to say. */
  note(level: 'info' | 'warn' | 'error', msg: string, members: object = {}): void {
    const number = { info: 30, warn: 40, error: 50 }[level];
    this.write(`${JSON.stringify({ level: number, time: Date.now(), pid: process.pid, ...members, msg })}\n`);
  }

  #turnOver(): void {
    closeSync(this.#file);
    renameSync(this.path, `${this.path}.1`);
    this.#file = openSync(this.path, 'a', 0o600);
    this.#bytes = 0;
  }
}
