import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../support/paths.ts';
import { readArchive } from './asar.ts';

/** A package that comes with an installer. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the package says. */
  readonly license: string;
  /** Texts of its licence files. */
  readonly texts: readonly string[];
  /** Digest of the package as npm has it, from the lockfile: `sha512-` and base64. */
  readonly integrity: string | null;
}

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]).default('NOASSERTION'),
});
const lockfile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
});

const MANIFEST = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/;
const LICENCE = /^(licen[cs]e|copying|notice)/i;

/**
 * What an archive holds of others: packages as folders, and those that are built into its programs and pages.
 * @param bundled folders of the latter, as the builds wrote them down
 */
export function shippedPackages(archive: string, bundled: readonly string[]): ShippedPackage[] {
  const manifests = [
    ...readArchive(archive, (path) => MANIFEST.test(path)).values(),
    ...bundled.map((folder) => readFileSync(join(ROOT, folder, 'package.json'))),
  ].map((text) => manifest.parse(JSON.parse(text.toString('utf8'))));
  const { packages } = lockfile.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const unique = new Map(manifests.map((one) => [`${one.name}@${one.version}`, one]));
  return [...unique.keys()].toSorted().flatMap((id) => {
    const one = unique.get(id);
    if (one === undefined) return [];
    // An archive may nest packages otherwise than the checkout: the same version is looked up wherever it is.
    const installed = Object.entries(packages).find(
      ([path, { version }]) => path.endsWith(`node_modules/${one.name}`) && version === one.version,
    );
    return [{ ...one, texts: textsOf(installed?.[0]), integrity: installed?.[1].integrity ?? null }];
  });
}

function textsOf(folder: string | undefined): string[] {
  if (folder === undefined || !existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
    .map((entry) => readFileSync(join(ROOT, folder, entry.name), 'utf8').trim());
}
