import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import {
  type Checkpoint,
  cosignedBytes,
  formatCosignature,
  formatWitnessKey,
  judgeWitnessRequest,
  parseServiceKeys,
  parseWitnessKey,
  type ServiceKey,
  serviceKeysBytes,
  toHex,
  utf8,
  type WitnessedLog,
  type WitnessKey,
  type WitnessRefusal,
} from '../../protocol/index.ts';
import { mlDsaSigner } from '../../protocol/ml-dsa/index.ts';
import { nodeCrypto, nodeSigner, Serial } from '../index.ts';

/** How long another program is waited for that answers a request in the same folder. */
const WAIT_MS = 10_000;

const TABLES = `
  CREATE TABLE IF NOT EXISTS witness (
    id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, ed25519_seed BLOB NOT NULL, ml_dsa_44_seed BLOB NOT NULL,
    last_time INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS log (
    origin TEXT PRIMARY KEY, signed TEXT NOT NULL, cosigned TEXT NOT NULL, service_keys BLOB NOT NULL, size INTEGER NOT NULL,
    cosigned_at INTEGER NOT NULL
  ) STRICT;`;

/** What the secret keys are kept sealed with, and what each is sealed for. */
export interface SeedSeal {
  seal(plaintext: Uint8Array, context: string): Uint8Array;
  /** @throws Error where it was sealed otherwise, or altered */
  open(sealed: Uint8Array, context: string): Uint8Array;
}

const SEED_BYTES = 32;

/** Of a folder by itself: the keys lie in a file that only this user may read. */
const UNSEALED: SeedSeal = {
  seal: (plaintext) => plaintext,
  open: (seed) => {
    if (seed.length === SEED_BYTES) return seed;
    throw new WitnessFolderError('the keys of this witness are sealed: the service of the data folder answers for it');
  },
};

/** A log, as it was cosigned last. */
export interface CosignedLog {
  readonly origin: string;
  readonly size: number;
  /** Milliseconds since the Unix epoch. */
  readonly cosigned_at: number;
  /** With the signatures of log and witness. */
  readonly checkpoint: string;
}

interface WitnessRow {
  readonly name: string;
  readonly ed25519_seed: Buffer;
  readonly ml_dsa_44_seed: Buffer;
  readonly last_time: number;
}

interface LogRow {
  readonly signed: string;
  readonly cosigned: string;
  readonly service_keys: Buffer;
}

/** A key of a witness, and what signs with it. */
interface WitnessSigner {
  readonly key: WitnessKey;
  sign(message: Uint8Array): Uint8Array;
}

/** What became of a request. */
export type WitnessAnswer =
  | {
      readonly status: 200;
      /** The signature lines, each ended: the body of the answer (C2SP tlog-witness). */
      readonly lines: string;
      readonly checkpoint: Checkpoint;
    }
  | WitnessRefusal;

export interface WitnessOptions {
  /** Whose logs are cosigned, as trust entries. */
  readonly trustedKids: readonly string[];
  /** Service keys that came with the request, for a log or a key that is new here. */
  readonly serviceKeys: readonly ServiceKey[];
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export class WitnessFolderError extends Error {
  override readonly name = 'WitnessFolderError';
}

/**
 * The folder of a witness: its keys, and of each log the newest checkpoint that it cosigned. One SQLite file, so that a checkpoint is
 * kept whole and on the disk before its cosignature leaves, whichever program of the same folder answers.
 */
export class WitnessFolder {
  readonly #database: Database.Database;
  readonly #signers: readonly WitnessSigner[];
  /** A connection has one transaction at a time, and each answer is one. */
  readonly #answers = new Serial();

  private constructor(database: Database.Database, row: WitnessRow, seal: SeedSeal) {
    this.#database = database;
    const { name } = row;
    const seedOf = (column: SeedColumn): Uint8Array => seal.open(row[column], contextOf(name, column));
    const [one, other] = [nodeSigner(seedOf('ed25519_seed')), mlDsaSigner(Uint8Array.from(seedOf('ml_dsa_44_seed')))];
    this.#signers = [
      { key: { name, algorithm: 'ed25519', publicKey: one.publicKey }, sign: (message) => one.sign(message) },
      { key: { name, algorithm: 'ml-dsa-44', publicKey: other.publicKey }, sign: (message) => other.sign(message) },
    ];
  }

  /**
   * @param name of the witness, for a folder without a witness
   * @throws WitnessFolderError where it is of another name, or new and no name is given, or cannot be used; what `seal` throws
   */
  static open(folder: string, name: string | null, seal: SeedSeal = UNSEALED): WitnessFolder {
    const path = pathIn(folder);
    if (name === null && !WitnessFolder.isIn(folder)) {
      throw new WitnessFolderError(`${folder}: is not the folder of a witness yet; give it a name: --name NAME`);
    }
    // Loaded here: programs without a witness need no SQLite.
    const Sqlite: typeof Database = createRequire(import.meta.url)('better-sqlite3');
    let database: Database.Database | undefined;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // For this user alone, before the keys are in it.
      closeSync(openSync(path, 'a', 0o600));
      database = new Sqlite(path, { timeout: WAIT_MS });
      database.pragma('synchronous = FULL');
      return new WitnessFolder(database, prepare(database, name, seal), seal);
    } catch (error) {
      database?.close();
      if (error instanceof Sqlite.SqliteError || (error instanceof Error && 'syscall' in error)) {
        throw new WitnessFolderError(`${folder}: cannot be used: ${error.message}`, { cause: error });
      }
      throw error;
    }
  }

  /** Whether a folder has a witness. */
  static isIn(folder: string): boolean {
    return existsSync(pathIn(folder));
  }

  get name(): string {
    return this.#signers[0]?.key.name ?? '';
  }

  /** As readers pin them. */
  get vkeys(): string[] {
    return this.#signers.map(({ key }) => formatWitnessKey(key));
  }

  /** The newest checkpoint of a log, with the signatures of log and witness; null where none was cosigned. */
  cosigned(origin: string): string | null {
    return this.#row(origin)?.cosigned ?? null;
  }

  /** As `cosigned`, of the log whose origin has a SHA-256 hash, in hexadecimal digits (C2SP tlog-witness). */
  cosignedByHash(hash: string): string | null {
    const origins = this.#database.prepare('SELECT origin FROM log').pluck().all() as string[];
    const origin = origins.find((one) => toHex(nodeCrypto.sha256(utf8(one))) === hash);
    return origin === undefined ? null : this.cosigned(origin);
  }

  /** All logs with a checkpoint. */
  logs(): CosignedLog[] {
    const columns = 'origin, size, cosigned_at, cosigned AS checkpoint';
    return this.#database.prepare(`SELECT ${columns} FROM log ORDER BY origin`).all() as CosignedLog[];
  }

  /** Cosigns, or says why not. The checkpoint is on the disk once this is resolved. */
  answer(request: Uint8Array, options: WitnessOptions): Promise<WitnessAnswer> {
    return this.#answers.run(() => this.#answer(request, options));
  }

  async #answer(request: Uint8Array, { trustedKids, serviceKeys, now }: WitnessOptions): Promise<WitnessAnswer> {
    // Held from the look at what is known to the keeping: two requests of one log come one after the other.
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const knownKeys = (origin: string): ServiceKey[] => {
        const row = this.#row(origin);
        const kept = row === undefined ? [] : parseServiceKeys(row.service_keys);
        const kids = new Set(kept.map(({ kid }) => kid));
        return [...kept, ...serviceKeys.filter(({ kid }) => !kids.has(kid))];
      };
      const known = (origin: string): WitnessedLog => ({
        checkpoint: this.#row(origin)?.signed ?? null,
        serviceKeys: knownKeys(origin),
      });
      const judged = await judgeWitnessRequest({ request, known, trustedKids, crypto: nodeCrypto });
      if (judged.status !== 200) {
        this.#database.exec('ROLLBACK');
        return judged;
      }
      const { checkpoint, signed, serviceKeys: kept } = judged;
      const time = this.#time(Math.floor(now() / 1000));
      const lines = this.#cosign(checkpoint, time);
      const keys = Buffer.from(serviceKeysBytes(kept));
      this.#database
        .prepare(
          'INSERT OR REPLACE INTO log (origin, signed, cosigned, service_keys, size, cosigned_at) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(checkpoint.origin, signed, `${signed}${lines}`, keys, checkpoint.size, time * 1000);
      this.#database.exec('COMMIT');
      return { status: 200, lines, checkpoint };
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  #row(origin: string): LogRow | undefined {
    return this.#database.prepare('SELECT signed, cosigned, service_keys FROM log WHERE origin = ?').get(origin) as
      | LogRow
      | undefined;
  }

  /** @param now in seconds; where the clock went back, the time of the last cosignature is said again */
  #time(now: number): number {
    const last = this.#database.prepare('SELECT last_time FROM witness').pluck().get() as number;
    const time = Math.max(now, last);
    this.#database.prepare('UPDATE witness SET last_time = ?').run(time);
    return time;
  }

  /** @param time in seconds */
  #cosign(checkpoint: Checkpoint, time: number): string {
    // ML-DSA-44 has no form for an origin that is longer than this (protocol F94).
    const isLong = Buffer.byteLength(checkpoint.origin) > 255;
    return this.#signers
      .filter(({ key }) => !isLong || key.algorithm === 'ed25519')
      .map(({ key, sign }) => `${formatCosignature(key, time, sign(cosignedBytes(checkpoint, key, time)))}\n`)
      .join('');
  }
}

const pathIn = (folder: string): string => join(folder, 'witness.sqlite');

type SeedColumn = 'ed25519_seed' | 'ml_dsa_44_seed';
const contextOf = (name: string, column: SeedColumn): string => `countersign.witness.v1 ${column} ${name}`;

/** The witness of a database, made where there is none. @throws WitnessFolderError */
function prepare(database: Database.Database, name: string | null, seal: SeedSeal): WitnessRow {
  return database
    .transaction(() => {
      database.exec(TABLES);
      const row = database.prepare('SELECT * FROM witness').get() as WitnessRow | undefined;
      if (row !== undefined) {
        if (name === null || row.name === name) return row;
        throw new WitnessFolderError(`the folder is that of the witness ${row.name}, not ${name}`);
      }
      if (name === null) throw new WitnessFolderError('the folder has no witness yet: give it a name: --name NAME');
      const [one, other] = [randomBytes(SEED_BYTES), randomBytes(SEED_BYTES)];
      // A name that no reader could pin must not become one.
      parseWitnessKey(formatWitnessKey({ name, algorithm: 'ed25519', publicKey: nodeSigner(one).publicKey }));
      const sealed = (seed: Uint8Array, column: SeedColumn): Buffer =>
        Buffer.from(seal.seal(seed, contextOf(name, column)));
      const made = {
        name,
        ed25519_seed: sealed(one, 'ed25519_seed'),
        ml_dsa_44_seed: sealed(other, 'ml_dsa_44_seed'),
        last_time: 0,
      };
      database
        .prepare('INSERT INTO witness VALUES (1, ?, ?, ?, ?)')
        .run(name, made.ed25519_seed, made.ml_dsa_44_seed, 0);
      return made;
    })
    .immediate();
}
