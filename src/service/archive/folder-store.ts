import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DamagedArchive, gunzipFile, syncFolder } from '../../node/index.ts';
import type { BundleSource } from '../../protocol/index.ts';
import { codeOf, hasCode } from '../../protocol/light.ts';
import { ArchiveError } from './archive-error.ts';
import { type ArchivedLedger, ledgerPath, type RunName, readRunPath, runPath } from './run-name.ts';

/** A file in an archive: a run, or by its name nothing that belongs there. */
export interface ArchivedFile {
  /** From the archive's own folder, with forward slashes. */
  readonly path: string;
  readonly name: RunName | null;
}

/** What came of creating a run: it was not there, it was with the same content, or with other content, and is kept next to it. */
export interface Created {
  readonly outcome: 'created' | 'same' | 'second';
  readonly path: string;
}

/** Where runs are kept: created once, and never changed. */
export interface RunStore {
  /** Everything that is there, in no certain order. */
  list(): Promise<ArchivedFile[]>;
  /** What a run holds, unpacked. */
  open(path: string): BundleSource;
  /** SHA-256 of a file as it is, in hexadecimal; null where it is not there. */
  digest(path: string): Promise<string | null>;
  /** @param write makes the file; what it fails with leaves nothing */
  create(name: Omit<RunName, 'second'>, write: (path: string) => Promise<boolean>): Promise<Created | null>;
  /** Removes what a crash left of a ledger's runs. Only for the one that ships them. */
  tidy(ledger: ArchivedLedger): Promise<void>;
}

/** A step that is done: tests end the process there. */
export type StoreStep = 'written' | 'named' | 'synced' | 'removed';

const TEMPORARY = /^\..*\.part$/;

async function sha256Of(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(source, hash);
  return hash.digest('hex');
}

/** An archive in a folder, also one that several machines write to. */
export class FolderStore implements RunStore {
  readonly #root: string;
  readonly #onStep: (step: StoreStep) => void;

  constructor(root: string, onStep: (step: StoreStep) => void = () => {}) {
    this.#root = root;
    this.#onStep = onStep;
  }

  async list(): Promise<ArchivedFile[]> {
    const entries = await readdir(this.#root, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      throw new ArchiveError('ARCHIVE_UNUSABLE', `${this.#root} cannot be read: ${codeOf(error)}`, { cause: error });
    });
    return entries
      .filter((entry) => !entry.isDirectory() && !TEMPORARY.test(entry.name))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name).slice(join(this.#root, '/').length).replaceAll('\\', '/');
        // A link could lead anywhere, and be led elsewhere later.
        return { path, name: entry.isFile() ? readRunPath(path) : null };
      });
  }

  open(path: string): BundleSource {
    return () => gunzipFile(join(this.#root, path));
  }

  async digest(path: string): Promise<string | null> {
    try {
      return await sha256Of(createReadStream(join(this.#root, path)));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  /**
   * Writes under a name that is nothing, and gives it the run's name by link(2), which takes no name that exists, on a file server
   * either. A crash leaves before the link a `.part` file, which the next shipping removes, and behind it a whole run, which the
   * next shipping finds.
   */
  async create(name: Omit<RunName, 'second'>, write: (path: string) => Promise<boolean>): Promise<Created | null> {
    const run = { ...name, second: null };
    const path = runPath(run);
    const folder = await this.#makeFolder(name);
    const temporary = join(folder, `.${name.first}-${name.last}.${randomUUID()}.part`);
    try {
      if (!(await write(temporary))) return null;
      this.#onStep('written');
      const isNew = await this.#name(temporary, path);
      let created: Created = { outcome: 'created', path };
      if (!isNew) {
        const own = await this.#contentOf(temporary);
        const second = runPath({ ...name, second: own.slice(0, 16) });
        if (own === (await this.#contentOf(join(this.#root, path)))) created = { outcome: 'same', path };
        else {
          await this.#name(temporary, second);
          created = { outcome: 'second', path: second };
        }
      }
      this.#onStep('named');
      await syncFolder(folder);
      this.#onStep('synced');
      return created;
    } finally {
      await rm(temporary, { force: true });
      this.#onStep('removed');
    }
  }

  async tidy(ledger: ArchivedLedger): Promise<void> {
    const folder = join(this.#root, ledgerPath(ledger));
    const names = await readdir(folder).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    });
    for (const name of names) if (TEMPORARY.test(name)) await rm(join(folder, name), { force: true });
  }

  /** The folder of a ledger, and its name on the disk: a run in a folder that a power cut takes away would be gone too. */
  async #makeFolder(ledger: ArchivedLedger): Promise<string> {
    const folder = join(this.#root, ledgerPath(ledger));
    const made = await mkdir(folder, { recursive: true, mode: 0o750 });
    if (made !== undefined) {
      for (let at = folder; at.length >= made.length; at = dirname(at)) await syncFolder(dirname(at));
    }
    return folder;
  }

  /** @returns false where something has the name */
  async #name(temporary: string, path: string): Promise<boolean> {
    try {
      await link(temporary, join(this.#root, path));
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
      const message = `${this.#root}: this file system has no hard links, without which two writers could take one name: ship to another one, and copy it from there`;
      throw new ArchiveError('ARCHIVE_UNUSABLE', message, { cause: error });
    }
  }

  /** SHA-256 of what a run holds: another version of zlib may have packed the same otherwise. Of one that cannot be unpacked, of the file. */
  async #contentOf(path: string): Promise<string> {
    try {
      return await sha256Of(gunzipFile(path));
    } catch (error) {
      if (!(error instanceof DamagedArchive)) throw error;
      return await sha256Of(createReadStream(path));
    }
  }
}
