import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../../node/index.ts';
import { hasCode } from '../../protocol/light.ts';
import { ArchiveError, folderProblem } from './archive-error.ts';
import { type ArchivedLedger, ledgerPath, type RunKey, readRunPath } from './run-name.ts';
import { type ArchivedFile, type Created, type FilePart, RunStore, type StoreStep } from './run-store.ts';

const TEMPORARY = /^\..*\.part$/;

/** An archive in a folder, also one that several machines write to. */
export class FolderStore extends RunStore {
  readonly #root: string;

  constructor(root: string, onStep?: (step: StoreStep) => void) {
    super(onStep);
    this.#root = root;
  }

  async list(ledger?: ArchivedLedger): Promise<ArchivedFile[]> {
    const folder = ledger === undefined ? this.#root : join(this.#root, ledgerPath(ledger));
    const entries = await stat(this.#root)
      .then(() => readdir(folder, { recursive: true, withFileTypes: true }))
      .catch((error: unknown) => {
        if (ledger !== undefined && hasCode(error, 'ENOENT') && existsSync(this.#root)) return [];
        throw folderProblem(this.#root, error);
      });
    return entries
      .filter((entry) => !entry.isDirectory() && !TEMPORARY.test(entry.name))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name).slice(join(this.#root, '/').length).replaceAll('\\', '/');
        // A link could lead anywhere, and be led elsewhere later.
        return { path, name: entry.isFile() ? readRunPath(path) : null };
      });
  }

  bytes(path: string, part?: FilePart): AsyncIterable<Uint8Array> {
    return createReadStream(join(this.#root, path), part);
  }

  /**
   * Writes under a name that is nothing, and gives it the run's name by link(2), which takes no name that exists, on a file server
   * either. A crash leaves before the link a `.part` file, which the next shipping removes, and behind it a whole run, which the
   * next shipping finds.
   */
  async create(name: RunKey, write: (path: string) => Promise<boolean>): Promise<Created | null> {
    const folder = join(this.#root, ledgerPath(name));
    const temporary = join(folder, `.${name.first}-${name.last}.${randomUUID()}.part`);
    try {
      await this.#makeFolder(folder);
      if (!(await write(temporary))) return null;
      this.onStep('written');
      const created = await this.name(
        name,
        () => createReadStream(temporary),
        (path) => this.#take(temporary, path),
      );
      this.onStep('named');
      await syncFolder(folder);
      this.onStep('synced');
      return created;
    } catch (error) {
      throw folderProblem(this.#root, error);
    } finally {
      await rm(temporary, { force: true }).catch(() => undefined);
      this.onStep('removed');
    }
  }

  /** A crash leaves a part that the next one overwrites, beside the folders that hosts tidy. */
  async keep(path: string, bytes: Uint8Array): Promise<void> {
    const file = join(this.#root, path);
    const temporary = join(this.#root, `.${basename(path)}.part`);
    try {
      await this.#makeFolder(dirname(file));
      await writeFile(temporary, bytes, { mode: 0o640, flush: true });
      await rename(temporary, file);
      await syncFolder(dirname(file));
    } catch (error) {
      throw folderProblem(this.#root, error);
    }
  }

  async remove(path: string): Promise<void> {
    const file = join(this.#root, path);
    try {
      await rm(file, { force: true });
      await syncFolder(dirname(file));
    } catch (error) {
      // Its folder is gone too.
      if (!hasCode(error, 'ENOENT') || !existsSync(this.#root)) throw folderProblem(this.#root, error);
    }
    this.onStep('replaced');
  }

  async tidy(ledger: ArchivedLedger): Promise<void> {
    const folder = join(this.#root, ledgerPath(ledger));
    const names = await readdir(folder).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return [];
      throw folderProblem(this.#root, error);
    });
    for (const name of names) if (TEMPORARY.test(name)) await rm(join(folder, name), { force: true });
  }

  /** The folder of a ledger, and its name on the disk: a run in a folder that a power cut takes away would be gone too. */
  async #makeFolder(folder: string): Promise<void> {
    // Where its disk is not mounted, nothing is to be made in its place.
    await stat(this.#root);
    const made = await mkdir(folder, { recursive: true, mode: 0o750 });
    if (made !== undefined) {
      for (let at = folder; at.length >= made.length; at = dirname(at)) await syncFolder(dirname(at));
    }
  }

  /** @returns false where something has the name */
  async #take(temporary: string, path: string): Promise<boolean> {
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
}
