import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { ROOT } from '../support/paths.ts';
import type { ShippedPackage } from './shipped-packages.ts';

const SUMS = 'SHA256SUMS';
const INSTALLER = /\.(AppImage|deb|rpm|exe|zip|dmg)$/;

function purl({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** The bill of materials as CycloneDX 1.6, in a fixed order and without a time: the same packages give the same bytes. */
export function cycloneDx(packages: readonly ShippedPackage[]): object {
  const { electron } = packageJson.devDependencies;
  const { name, version, license } = packageJson;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl({ name, version }),
        name,
        version,
        licenses: [{ license: { id: license } }],
      },
    },
    components: [
      {
        type: 'framework',
        'bom-ref': purl({ name: 'electron', version: electron }),
        name: 'electron',
        version: electron,
        purl: purl({ name: 'electron', version: electron }),
        licenses: [{ license: { id: 'MIT' } }],
      },
      ...packages.map((one) => ({
        type: 'library',
        'bom-ref': purl(one),
        name: one.name,
        version: one.version,
        purl: purl(one),
        licenses: [
          / (OR|AND|WITH) /.test(one.license) ? { expression: one.license } : { license: { name: one.license } },
        ],
        ...(one.integrity?.startsWith('sha512-') === true
          ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(one.integrity.slice(7), 'base64').toString('hex') }] }
          : {}),
      })),
    ],
  };
}

/** All licences in one text. Those of Electron and Chromium come with Electron itself, inside the installers. */
export function licencesText(packages: readonly ShippedPackage[]): string {
  const parts = packages.map(
    ({ name, version, license, texts }) =>
      `${'='.repeat(78)}\n${name} ${version}: ${license}\n\n${texts.length === 0 ? 'The package comes without a text of its licence.' : texts.join('\n\n')}\n`,
  );
  const fonts = readFileSync(join(ROOT, 'resources', 'fonts', 'OFL.txt'), 'utf8').trim();
  const sample = readFileSync(join(ROOT, 'resources', 'sample', 'LICENSE.txt'), 'utf8').trim();
  return [
    "Countersign contains the packages below. Electron's licence and those of what it contains are LICENSE.electron.txt\nand LICENSES.chromium.html in the installed folder.\n",
    ...parts,
    `${'='.repeat(78)}\nNoto Sans, Noto Sans Mono: OFL-1.1\n\n${fonts}\n`,
    `${'='.repeat(78)}\nThe sample case: MIT\n\n${sample}\n`,
  ].join('\n');
}

/** Lays bill of materials, licences and checksums beside the installers. @returns the names of what is summed */
export function writeCompanions(folder: string, packages: readonly ShippedPackage[]): string[] {
  writeFileSync(join(folder, 'countersign.cdx.json'), `${JSON.stringify(cycloneDx(packages), null, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licencesText(packages));
  const names = readdirSync(folder)
    .filter((name) => INSTALLER.test(name) || name === 'countersign.cdx.json' || name === 'THIRD-PARTY-LICENSES.txt')
    .toSorted();
  const sums = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
  );
  writeFileSync(join(folder, SUMS), sums.join(''));
  return names;
}
