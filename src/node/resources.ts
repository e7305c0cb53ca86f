import { join } from 'node:path';

/** The root seen from the sources as from the built desktop, out/main, both of which are two folders below it. */
const ROOT = join(import.meta.dirname, '..', '..');

/** The path of a file that comes with the product, in resources/. */
export function resourcePath(...names: readonly string[]): string {
  return join(ROOT, 'resources', ...names);
}

/** The folder of the built pages, which is there once they are built. */
export function pagesPath(): string {
  return join(ROOT, 'out', 'renderer');
}
