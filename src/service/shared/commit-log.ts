import { createHmac, hkdfSync, randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { NodeState } from '../../api/index.ts';
import { CodedError } from '../../protocol/light.ts';
import { keySealer, SealBroken } from '../ledger/keys/sealing.ts';
import type { RowImage } from '../store/writer.ts';

/**
 * The seam of a ledger on several nodes (docs/shared-log.md, decision 105): one list of entries in an engine that its
 * operator keeps alive. A place is taken once, and only upon its predecessor; a node keeps in its own ledger only what the
 * engine has surely kept. Engines: postgres-log.ts, object-log.ts, folder-log.ts.
 */

/** A place in the log, from 1 on, and the id of the entry there. Place 0 is before the first. */
export interface Place {
  readonly no: number;
  readonly id: string;
}

/** `changes` is one commit of the ledger; with `term` a node takes over; `begin` is the first, `end` the last. */
export type EntryKind = 'begin' | 'changes' | 'term' | 'end';

/** An entry as the engine has it. Who runs the engine reads all of this but what is sealed, and can alter none of it unseen. */
export interface LogEntry extends Place {
  /** The entry before it. */
  readonly prev: string;
  /** The newest place that its writer knows to be kept for good; below its own. */
  readonly kept: number;
  /** The schema of the ledger that it changes: a node with an older one does not apply it. */
  readonly schema: number;
  readonly kind: EntryKind;
  readonly sealed: Uint8Array;
}

/** What the active node says about once a second, in the one row or file for it. */
export interface Beat extends Place {
  /** Another one with each beat: who sees no new one for a while takes over. */
  readonly count: string;
  /** Says the same of the place as the entries' `kept`: the entry with this id is kept for good. Sealed, too. */
  readonly proof: string;
  /** Whether the node has left, so that nobody need wait. */
  readonly left: boolean;
}

/** What a node reads at once. */
export interface Slice {
  /** From the place that was asked for, which is the first, in order and without gaps. */
  readonly entries: readonly LogEntry[];
  readonly beat: Beat | null;
}

/** A node, to the others. */
export interface NodeAbout extends Pick<NodeState, 'name' | 'role' | 'url'> {
  /** What its clock reads. */
  readonly at: number;
}

/** What a node says of itself about once a second: where it is and what. */
export interface NodeSign {
  /** The same for the same node: of its name, which only nodes can read. */
  readonly key: string;
  readonly sealed: Uint8Array;
}

export interface Met {
  readonly nodes: readonly (NodeSign & { readonly heardMs: number })[];
  readonly bytes: number;
  /** What the engine's clock reads. */
  readonly now: number;
}

/** The engine. Every method throws LogDoubt where the answer is not clear, and nothing is known then. */
export interface CommitLog {
  /** Takes a place if its predecessor is there and it is free. @returns whether it was taken; false says that another node has it */
  append(entry: LogEntry): Promise<boolean>;
  /**
   * @param most how many entries, at least one
   * @param bytes it ends with the entry by which those after the place have as many: see isCut
   * @throws LogError LOG_SET_BACK where the place asked for is not there with its id
   */
  read(from: Place, most: number, bytes?: number): Promise<Slice>;
  /** @returns whether no entry follows the place of the beat: else another node is active */
  beat(beat: Beat): Promise<boolean>;
  /** The newest entry; null in an empty log. */
  newest(): Promise<LogEntry | null>;
  /** Removes some of what is older than a day and lies before a place: to be called now and then. */
  cut(before: number): Promise<void>;
  /** Says that a node is there. @returns what the other nodes said last, within a day, and what the log takes, in bytes */
  meet(own: NodeSign | null): Promise<Met>;
  close(): Promise<void>;
}

/** Nothing but a clear answer counts: the node stops, and reads what became of it. */
export class LogDoubt extends Error {
  override readonly name = 'LogDoubt';
}

export type LogErrorCode =
  /** The log does not hold what this folder holds: the engine was set back, or the log was cut. */
  | 'LOG_SET_BACK'
  /** An entry does not open: another ledger's log, another sealing key, or altered. */
  | 'LOG_FOREIGN'
  /** A newer version of Countersign wrote to the log. */
  | 'LOG_NEWER'
  | 'LOG_ENDED'
  | 'LOG_TAKEN'
  | 'LOG_UNUSABLE';

/** Why a node cannot go on with a log. */
export class LogError extends CodedError<LogErrorCode> {
  override readonly name = 'LogError';
}

/** What an entry says. */
export interface Content {
  readonly rows: readonly RowImage[];
  /** The service's next key file, where the commit is its registration: a node without it could not sign. Sealed where the folder's keys are. */
  readonly keyFile: Uint8Array | null;
  /** Of the node that wrote it. */
  readonly node: string;
  readonly url: string;
}

/** The largest entry, in bytes of what it says: more is refused as a whole. */
export const MAX_ENTRY_BYTES = 64 * 1024 * 1024;

/** How many bytes are read at once, if not one entry alone has more: an engine has to answer in time, and a node to hold them. */
export const READ_BYTES = 4 * 1024 * 1024;

/** Whether a reading ends with the last of these entries; more may follow. */
export function isCut({ no: from }: Place, entries: readonly LogEntry[], most: number, bytes: number): boolean {
  const read = entries.reduce((sum, { no, sealed }) => (no > from ? sum + sealed.length : sum), 0);
  return entries.length >= most || read >= bytes;
}

const FASTEST = { [constants.ZSTD_c_compressionLevel]: 1 };

/** Seals and opens what a log holds, under a key that every node of the ledger has. */
export class EntrySeal {
  readonly #key: Uint8Array;

  /** @param key 32 bytes, for the log alone */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** @throws LogError LOG_UNUSABLE where it is larger than an entry may be */
  sealed(entry: Omit<LogEntry, 'sealed' | 'id'>, content: Content): LogEntry {
    const bytes = serialize(content);
    if (bytes.length > MAX_ENTRY_BYTES) {
      throw new LogError('LOG_UNUSABLE', `a change of ${bytes.length} bytes is more than the shared log takes at once`);
    }
    const id = randomUUID();
    const unsealed = { ...entry, id };
    // Told the size, it makes no tables for more: most entries are some kilobytes.
    const packed = zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, params: FASTEST });
    return { ...unsealed, sealed: this.#sealer(id).seal(packed, contextOf(unsealed)) };
  }

  /** @throws LogError LOG_FOREIGN */
  opened(entry: LogEntry): Content {
    try {
      const bytes = this.#sealer(entry.id).open(entry.sealed, contextOf(entry));
      return deserialize(zstdDecompressSync(bytes, { maxOutputLength: MAX_ENTRY_BYTES })) as Content;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw new LogError('LOG_FOREIGN', `entry ${entry.no} of the shared log does not open with this folder's key`);
    }
  }

  signOf(about: NodeAbout): NodeSign {
    const key = createHmac('sha256', this.#key).update(`node ${about.name}`).digest('base64url');
    return { key, sealed: this.#sealer(key).seal(Buffer.from(JSON.stringify(about)), `node ${key}`) };
  }

  /** @returns null for what no node of this ledger said */
  aboutIn({ key, sealed }: NodeSign): NodeAbout | null {
    try {
      return JSON.parse(Buffer.from(this.#sealer(key).open(sealed, `node ${key}`)).toString('utf8')) as NodeAbout;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      return null;
    }
  }

  /** What shows that a node of this ledger said of a place that it is kept. */
  proofOf({ no, id }: Place): string {
    return createHmac('sha256', this.#key).update(`kept ${no} ${id}`).digest('base64url');
  }

  /** One key an entry: with one for all, random nonces would meet after some weeks (NIST SP 800-38D §8.3). */
  #sealer(id: string) {
    return keySealer(Buffer.from(hkdfSync('sha256', this.#key, id, 'countersign.shared-log-entry.v1', 32)));
  }
}

/** What is not sealed, bound to what is. */
function contextOf({ no, id, prev, kept, schema, kind }: Omit<LogEntry, 'sealed'>): string {
  return `countersign.shared-log.v1 ${no} ${id} ${prev} ${kept} ${schema} ${kind}`;
}
