import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const PACKAGE = /^.*?[\\/](node_modules[\\/](?:.*[\\/]node_modules[\\/])?(?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

interface Chunks {
  readonly [name: string]: {
    readonly type: string;
    readonly moduleIds?: readonly string[];
    /** Of a file that is taken as it is, such as a font: where it lies, relative to the root of the build. */
    readonly originalFileNames?: readonly string[];
  };
}

/**
 * A plugin of a build that writes down which packages went into it: they are shipped, though not as folders.
 * @param to path of a file of its own
 */
export function noteBundledPackages(to: string) {
  return {
    name: 'countersign-bundled-packages',
    writeBundle(_options: unknown, bundle: Chunks): void {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        const assets = (chunk.originalFileNames ?? []).map((name) => resolve(name));
        for (const id of [...(chunk.moduleIds ?? []), ...assets]) {
          const folder = PACKAGE.exec(id)?.[1];
          if (folder !== undefined) folders.add(folder.replaceAll('\\', '/'));
        }
      }
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, `${JSON.stringify([...folders].toSorted(), null, 2)}\n`);
    },
  };
}

/**
 * The folders of all packages that were built into something, such as `node_modules/koa`, relative to the checkout.
 * @param notes the folder of what the builds wrote down
 */
export function bundledPackages(notes: string): string[] {
  const noted = readdirSync(notes).map((file) => JSON.parse(readFileSync(join(notes, file), 'utf8')) as string[]);
  return [...new Set(noted.flat())].toSorted();
}
