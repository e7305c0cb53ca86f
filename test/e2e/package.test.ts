// The packed application, as far as it goes without Electron's binary: packed around a placeholder of Electron, then looked
// at, and run under the small host from a folder where nothing else is.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { extractArchive, listArchive, type PackedFile, readArchive } from '../../scripts/package/asar.ts';
import { parseImports } from '../../scripts/parse-imports.ts';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { runNode } from '../../scripts/support/run.ts';
import { HostedDesktop } from '../support/desktop.ts';
import { temporaryFolder } from '../support/folders.ts';

/** What Electron's program carries, and electron-builder sets its fuses in: a mark, a version, a count, a state for each. */
const FUSE_MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSES = 8;

/** A folder in the form of Electron's distribution, whose program does nothing. */
function placeholderDistribution(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'resources'));
  const program = Buffer.concat([
    Buffer.from(`#!/bin/sh\nexit 1\n${FUSE_MARK}`),
    Buffer.of(1, FUSES),
    Buffer.alloc(FUSES, '1'),
  ]);
  writeFileSync(join(folder, 'electron'), program, { mode: 0o755 });
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'chrome_crashpad_handler', 'version']) {
    writeFileSync(join(folder, name), name);
  }
  return folder;
}

describe.skipIf(process.platform !== 'linux')('the packed application', () => {
  const output = temporaryFolder();
  const application = temporaryFolder();
  const unpacked = join(output, 'linux-unpacked');
  const archive = join(unpacked, 'resources', 'app.asar');
  let files: PackedFile[];

  beforeAll(async () => {
    const dist = placeholderDistribution();
    const args = ['--no-build', '--dir', '--electron-dist', dist, '--output', output];
    // electron-builder checks the configuration against its schema before anything else.
    const run = await runNode(join(ROOT, 'scripts', 'package.ts'), args);
    if (!run.ok) throw new Error(run.output);
    files = listArchive(archive);
    extractArchive(archive, application);
  });

  const packages = (): Set<string> =>
    new Set(
      files.flatMap(({ path }) => {
        const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
        return name === undefined ? [] : [name];
      }),
    );

  it('has no sources, tests, maps or types, and nothing of the checkout but what it runs', () => {
    const strange = files
      .map(({ path }) => path)
      .filter((path) =>
        /\.(tsx?|mts|cts|map|md|c|cc|cpp|h|gyp|sh|lock)$|node_modules\/.*\/(test|tests|__tests__|docs|bench)\//.test(
          path,
        ),
      );
    expect(strange).toEqual([]);
    const top = new Set(
      files.map(({ path }) =>
        path
          .split('/')
          .slice(0, path.startsWith('node_modules') ? 1 : 2)
          .join('/'),
      ),
    );
    expect([...top].toSorted()).toEqual([
      'LICENSE',
      'node_modules',
      'out/main',
      'out/preload',
      'out/renderer',
      'package.json',
      'resources/desktop',
      'resources/fonts',
      'resources/icons',
      'resources/report-page',
      'resources/verifier',
    ]);
  });

  it('brings the sample case with its pages', () => {
    const sample = /^out\/renderer\/assets\/(airline-agents\.csbundle-[\w-]+\.gz|sample-[\w-]+\.json)$/;
    expect(files.filter(({ path }) => sample.test(path))).toHaveLength(2);
  });

  it('has every package that its code imports, with what those need, and no other', () => {
    const imported = new Set<string>();
    for (const [path, content] of readArchive(archive, (name) => /^out\/(main|preload)\//.test(name))) {
      const source = content.toString('utf8');
      const specifiers = [
        ...parseImports(path, source).imports.map(({ specifier }) => specifier),
        // What was CommonJS and is built in asks for others like this.
        ...[...source.matchAll(/\b__require\(["']([^"']+)["']\)/g)].map(([, specifier = '']) => specifier),
      ];
      for (const specifier of specifiers.filter((one) => !one.startsWith('.'))) {
        const name = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
        if (!name.startsWith('node:') && !builtinModules.includes(name) && name !== 'electron') imported.add(name);
      }
    }
    expect([...imported].toSorted()).toEqual(['@node-rs/argon2', 'better-sqlite3', 'harfbuzzjs', 'pdfkit']);
    const needed = new Set<string>();
    const waiting = [...imported];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (needed.has(name)) continue;
      needed.add(name);
      const manifest = JSON.parse(readFileSync(join(application, 'node_modules', name, 'package.json'), 'utf8')) as {
        dependencies?: object;
        optionalDependencies?: object;
      };
      waiting.push(...Object.keys(manifest.dependencies ?? {}).filter((one) => one !== 'node-addon-api'));
      const optional = Object.keys(manifest.optionalDependencies ?? {});
      waiting.push(...optional.filter((one) => existsSync(join(application, 'node_modules', one))));
    }
    expect([...packages()].toSorted()).toEqual([...needed].toSorted());
  });

  it("has native code for this system alone, beside the archive, where a system's loader finds it", () => {
    const native = files.filter(({ path }) => path.endsWith('.node'));
    expect(native.map(({ unpacked: beside }) => beside)).toEqual([true, true]);
    expect(native.every(({ path }) => path.includes(`${process.platform}-${process.arch}`))).toBe(true);
    expect(files.filter(({ unpacked: beside }) => beside)).toHaveLength(2);
  });

  it('has its fuses set: no Node mode, no options or inspector from outside, cookies encrypted, the archive alone', () => {
    const program = readFileSync(join(unpacked, 'countersign-desktop'));
    const start = program.indexOf(FUSE_MARK) + FUSE_MARK.length + 2;
    const states = [...program.subarray(start, start + FUSES).toString('latin1')].map((state) => state === '1');
    // In the order of Electron's fuse schema 1.
    const [runAsNode, cookieEncryption, nodeOptions, nodeCliInspect, asarIntegrity, onlyAsar, , fileProtocol] = states;
    expect({ runAsNode, cookieEncryption, nodeOptions, nodeCliInspect, asarIntegrity, onlyAsar, fileProtocol }).toEqual(
      {
        runAsNode: false,
        cookieEncryption: true,
        nodeOptions: false,
        nodeCliInspect: false,
        asarIntegrity: true,
        onlyAsar: true,
        fileProtocol: false,
      },
    );
  });

  it('knows of no place to update itself from, and brings its command', () => {
    expect(readdirSync(join(unpacked, 'resources')).toSorted()).toEqual(['app.asar', 'app.asar.unpacked']);
    expect(packages().has('electron-updater')).toBe(false);
    expect(readFileSync(join(unpacked, 'bin', 'countersign'), 'utf8')).toContain('--cli "$@"');
  });

  it('comes with checksums, a bill of materials and licences that name every package', () => {
    const sums = readFileSync(join(output, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    expect(sums.map((line) => line.split('  ')[1])).toEqual(['THIRD-PARTY-LICENSES.txt', 'countersign.cdx.json']);
    for (const line of sums) {
      const [digest, name = ''] = line.split('  ');
      expect(
        createHash('sha256')
          .update(readFileSync(join(output, name)))
          .digest('hex'),
      ).toBe(digest);
    }
    const bill = JSON.parse(readFileSync(join(output, 'countersign.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string }[];
    };
    expect(bill.bomFormat).toBe('CycloneDX');
    const named = new Set(bill.components.map(({ name }) => name));
    expect(
      [...packages(), 'electron', 'react', 'uplot', 'koa', 'zod', 'drizzle-orm'].filter((name) => !named.has(name)),
    ).toEqual([]);
    const licences = readFileSync(join(output, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    const missing = bill.components.filter(
      ({ name, version }) => name !== 'electron' && !licences.includes(`${name} ${version}: `),
    );
    expect(missing).toEqual([]);
  });

  it('tests itself: starts, submits, exports, verifies, reports, and ends with 0', async () => {
    const test = new HostedDesktop({ application, args: ['--self-test'] });
    const { code, stdout, stderr } = await test.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Self-test passed\.\n$/);
  });

  it('is the command line as well, with its exit codes', async () => {
    const file = join(temporaryFolder(), 'no.csbundle');
    writeFileSync(file, '{}');
    const unusable = new HostedDesktop({ application, args: ['--cli', 'verify', file] });
    expect((await unusable.ended).code).toBe(2);
    const serving = new HostedDesktop({
      application,
      args: ['--headless', '--data-dir', join(temporaryFolder(), 'data'), '--port', '0'],
    });
    await expect.poll(() => serving.stdout).toContain('listening on');
    const address = /listening on (\S+)/.exec(serving.stdout)?.[1] ?? '';
    expect(await (await fetch(address)).text()).toContain('<div id="root">');
    serving.kill('SIGTERM');
    expect((await serving.ended).code).toBe(0);
    expect(serving.stdout).toContain('sealing the open epoch');
  });

  it.skipIf(chromiumPath() === undefined)('opens its window', async () => {
    const desktop = new HostedDesktop({
      application,
      args: ['--port=0'],
      environment: { ELECTRON_HOST_PACKAGED: '0' },
    });
    await (await desktop.page()).getByRole('link', { name: 'Choose a file' }).waitFor();
    expect((await desktop.quit()).code).toBe(0);
  });
});
