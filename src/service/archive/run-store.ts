import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { DamagedArchive, gunzipped } from '../../node/index.ts';
import type { BundleSource } from '../../protocol/index.ts';
import { hasCode } from '../../protocol/light.ts';
import { type ArchivedLedger, type RunKey, type RunName, runPath } from './run-name.ts';

/** A file in an archive: a run, or by its name nothing that belongs there. */
export interface ArchivedFile {
  /** From the beginning of the archive, with forward slashes. */
  readonly path: string;
  readonly name: RunName | null;
}

/** What came of creating a run: it was not there, it was with the same content, or with other content, and is kept next to it. */
export interface Created {
  readonly outcome: 'created' | 'same' | 'second';
  readonly path: string;
}

/** A part of a file: its first and last byte. */
export interface FilePart {
  readonly start: number;
  readonly end: number;
}

/** A step that is done: tests end the process there. */
export type StoreStep = 'written' | 'named' | 'synced' | 'removed' | 'replaced';

export async function sha256Of(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(source, hash);
  return hash.digest('hex');
}

/** Where runs are kept: created once, and never changed. */
export abstract class RunStore {
  protected readonly onStep: (step: StoreStep) => void;

  constructor(onStep: (step: StoreStep) => void = () => {}) {
    this.onStep = onStep;
  }

  /** Everything that is there, in no certain order; where a ledger is named, what lies in its place alone. */
  abstract list(ledger?: ArchivedLedger): Promise<ArchivedFile[]>;
  /** A file as it is, or a part of it. @throws an error with the code ENOENT where it is not there */
  abstract bytes(path: string, part?: FilePart): AsyncIterable<Uint8Array>;
  /** Writes a short file that is no run, in the place of whatever has its name. */
  abstract keep(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file; it is no error where it is gone. What a bucket keeps of older versions is its owner's. */
  abstract remove(path: string): Promise<void>;
  /** Removes what a crash left of a ledger's runs. Only for the one that ships them. */
  abstract tidy(ledger: ArchivedLedger): Promise<void>;
  /** @param write makes the file; what it fails with leaves nothing */
  abstract create(name: RunKey, write: (path: string) => Promise<boolean>): Promise<Created | null>;

  /** What a run holds, unpacked. */
  open(path: string): BundleSource {
    return () => gunzipped(this.bytes(path));
  }

  /** SHA-256 of a file as it is, in hexadecimal; null where it is not there. */
  async digest(path: string): Promise<string | null> {
    try {
      return await sha256Of(this.bytes(path));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  /**
   * Gives a written file its name, which one of many writers wins.
   * @param own bytes of the written file, from its beginning each time
   * @param take gives it a name; false where something has that name
   */
  protected async name(
    run: RunKey,
    own: () => AsyncIterable<Uint8Array>,
    take: (path: string) => Promise<boolean>,
  ): Promise<Created> {
    const path = runPath({ ...run, second: null });
    if (await take(path)) return { outcome: 'created', path };
    const content = await contentOf(own);
    if (content === (await contentOf(() => this.bytes(path)))) return { outcome: 'same', path };
    const second = runPath({ ...run, second: content.slice(0, 16) });
    await take(second);
    return { outcome: 'second', path: second };
  }
}

/** SHA-256 of what a run holds: another version of zlib may have packed the same otherwise. Of one that cannot be unpacked, of the file. */
async function contentOf(bytes: () => AsyncIterable<Uint8Array>): Promise<string> {
  try {
    return await sha256Of(gunzipped(bytes()));
  } catch (error) {
    if (!(error instanceof DamagedArchive)) throw error;
    return await sha256Of(bytes());
  }
}
