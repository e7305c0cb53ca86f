import './require-node.cjs';
import { join } from 'node:path';
import { buildPackage, PACKAGES, packageFolder } from './support/packages.ts';
import { filesBelow } from './support/paths.ts';

for (const name of PACKAGES) {
  const { ok, output } = await buildPackage(name);
  if (ok) console.log(`${join(packageFolder(name), 'dist')}: ${filesBelow(`packages/${name}/dist`).length} files`);
  else {
    console.log(output.trimEnd());
    process.exitCode = 1;
  }
}
