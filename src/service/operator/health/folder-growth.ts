import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How often sizes are kept to compare with, how many of them, and how long a look counts as the present one, in milliseconds. */
const SAMPLE_MS = 600_000;
const SAMPLES = 6;
const SAME_LOOK_MS = 10_000;

type Sizes = ReadonlyMap<string, number>;

async function sizeOf(path: string): Promise<number> {
  try {
    const about = await stat(path);
    if (!about.isDirectory()) return about.size;
    const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))));
    return sizes.reduce((sum, size) => sum + size, 0);
  } catch {
    // Gone since it was listed: nothing of it is there to be counted.
    return 0;
  }
}

/** Which file or folder of the data folder has grown most within the last hour. */
export class FolderGrowth {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #samples: Sizes[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #first: Promise<void>;
  #look: { readonly sizes: Promise<Sizes>; readonly until: number } | null = null;

  /** @param now milliseconds, of any beginning */
  constructor(folder: string, now: () => number = () => performance.now()) {
    this.#folder = folder;
    this.#now = now;
    this.#timer = setInterval(() => void this.#sample(), SAMPLE_MS).unref();
    this.#first = this.#sample();
  }

  async #sample(): Promise<void> {
    this.#samples.push(await this.#sizes());
    if (this.#samples.length > SAMPLES) this.#samples.shift();
  }

  #sizes(): Promise<Sizes> {
    const now = this.#now();
    if (this.#look === null || now >= this.#look.until) {
      this.#look = { sizes: this.#measure(), until: now + SAME_LOOK_MS };
    }
    return this.#look.sizes;
  }

  async #measure(): Promise<Sizes> {
    const names = await readdir(this.#folder).catch(() => []);
    return new Map(
      await Promise.all(names.map(async (name) => [name, await sizeOf(join(this.#folder, name))] as const)),
    );
  }

  /** @returns its name and by how many bytes; null where nothing has grown */
  async most(): Promise<{ readonly name: string; readonly bytes: number } | null> {
    await this.#first;
    const before = this.#samples[0];
    if (before === undefined) return null;
    let most: { readonly name: string; readonly bytes: number } | null = null;
    for (const [name, size] of await this.#sizes()) {
      const bytes = size - (before.get(name) ?? 0);
      if (bytes > (most?.bytes ?? 0)) most = { name, bytes };
    }
    return most;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
