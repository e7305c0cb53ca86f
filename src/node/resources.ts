import { join } from 'node:path';

/** The root seen from the sources as from the built desktop, out/main, both of which are two folders below it. */
const ROOT = join(import.meta.dirname, '..', '..');

/** The path of a file that comes with the product, in resources/. */
export function resourcePath(...names: readonly string[]): string {
  return join(ROOT, 'resources', ...names);
}

/** The verifier in one file, for whoever does not have this product (docs/verify-without-countersign.md). */
export const VERIFIER_FILE = resourcePath('verifier', 'verify-bundle.mjs');

/** The folder of the built pages, which is there once they are built. */
export function pagesPath(): string {
  return join(ROOT, 'out', 'renderer');
}
