// The package's examples under Bun.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  agentPackagesFolder,
  BUN,
  hasAgentPackages,
  withoutAgentPackages,
} from '../../scripts/support/agent-packages.ts';
import { packageFolder } from '../../scripts/support/packages.ts';
import { exampleIn, installPackage, runNode } from '../support/packages.ts';
import { TestService } from '../support/service.ts';

/** Bun's binary comes in a package for each system; the command of the package `bun` is made by its install script. */
function bunPath(): string {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const names = [`bun-${platform}-${arch}`, `bun-${platform}-${arch}-musl`];
  const folders = names.map((name) => join(agentPackagesFolder(BUN), 'node_modules', '@oven', name, 'bin'));
  return folders.map((folder) => join(folder, 'bun')).find((path) => existsSync(path)) ?? 'bun';
}

describe.skipIf(!hasAgentPackages(BUN))(`Bun${withoutAgentPackages(BUN)}`, () => {
  it("runs the README's examples", async () => {
    const [installed, service] = await Promise.all([installPackage('agent'), TestService.start()]);
    const owner = await service.signUp();
    const readme = readFileSync(join(packageFolder('agent'), 'README.md'), 'utf8');
    const environment = { SERVICE: service.url, TOKEN: owner.client.token ?? '', ORG: owner.orgId };
    for (const [file, printed] of [
      ['first-operation.mjs', /^accepted: seq_no 1, sha256:[0-9a-f]{64}\n$/],
      ['session.mjs', /^paid: 9 records\n$/],
    ] as const) {
      writeFileSync(join(installed.folder, file), exampleIn(readme, file));
      const { code, stdout, stderr } = await runNode(bunPath(), [file], installed.folder, environment);
      expect({ code, stderr }, file).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(printed);
    }
  });
});
