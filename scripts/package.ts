import './require-node.cjs';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundledPackages } from './package/bundled-packages.ts';
import { writeCompanions } from './package/companions.ts';
import { shippedPackages } from './package/shipped-packages.ts';
import { buildDesktop } from './support/build.ts';
import { packageCommand, ROOT } from './support/paths.ts';
import { runNode } from './support/run.ts';

const LIMIT_MS = 20 * 60_000;

const { values } = parseArgs({
  options: {
    /** Only the unpacked application, no installers. */
    dir: { type: 'boolean', default: false },
    /** Folder of Electron's distribution; without it electron-builder fetches it. */
    'electron-dist': { type: 'string' },
    output: { type: 'string', default: 'dist' },
    /** Take out/ as it is. */
    'no-build': { type: 'boolean', default: false },
  },
});

const output = resolve(ROOT, values.output);
process.exitCode = await packageDesktop();

/** Installers for the system this runs on, and what lies beside them. */
async function packageDesktop(): Promise<number> {
  if (!values['no-build']) {
    const build = await buildDesktop();
    if (!build.ok) return fail(`The desktop could not be built:\n${build.output}`);
  }
  const dist = values['electron-dist'];
  const packed = await runNode(
    packageCommand('electron-builder', 'electron-builder'),
    [
      '--publish=never',
      ...(values.dir ? ['--dir'] : []),
      `-c.directories.output=${output}`,
      ...(dist === undefined ? [] : [`-c.electronDist=${resolve(dist)}`]),
    ],
    { limitMs: LIMIT_MS },
  );
  if (!packed.ok) {
    return fail(
      `electron-builder failed. It fetches Electron and the installers' tools on its first run; --electron-dist names a folder with Electron.\n${packed.output}`,
    );
  }
  const archive = findArchive();
  if (archive === undefined) return fail(`there is no app.asar below ${output}`);
  const summed = writeCompanions(
    output,
    shippedPackages(archive, bundledPackages(join(ROOT, 'out', 'bundled-packages'))),
  );
  console.log(`${output}:\n  ${[...summed, 'SHA256SUMS'].join('\n  ')}`);
  return 0;
}

function fail(message: string): number {
  console.error(message);
  return 1;
}

/** The application's archive, in the folder of whatever system it was packed for. */
function findArchive(): string | undefined {
  const places = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('app.asar'));
  return places.map((path) => join(output, path)).find((path) => existsSync(path));
}
