import { join } from 'node:path';

/**
 * The path of a file that comes with the product, in resources/: seen from the sources as from the built desktop, out/main,
 * both of which are two folders below the root.
 */
export function resourcePath(...names: readonly string[]): string {
  return join(import.meta.dirname, '..', '..', 'resources', ...names);
}
