// What the desktop and the service load before they have started: what a start does not need is loaded when it is.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseImports } from '../../scripts/parse-imports.ts';
import { THREADS } from '../../scripts/support/bundling.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { BUILT_FOLDER } from '../support/built-command.ts';

/** All files and packages that are loaded with a file. */
function loadedWith(entry: string): Set<string> {
  const loaded = new Set<string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    if (!path.endsWith('.ts')) continue;
    for (const { specifier, typeOnly, dynamic } of parseImports(path, readFileSync(join(ROOT, path), 'utf8')).imports) {
      if (typeOnly || dynamic) continue;
      waiting.push(specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier);
    }
  }
  return loaded;
}

/** The files that a file loads only when it comes to it. */
function dynamicImportsOf(path: string): string[] {
  const { imports } = parseImports(path, readFileSync(join(ROOT, path), 'utf8'));
  return imports.flatMap(({ specifier, dynamic }) => (dynamic ? [posix.join(posix.dirname(path), specifier)] : []));
}

/** The sources that are in what a built file loads with it. */
function builtWith(entry: string): Set<string> {
  const sources = new Set<string>();
  const chunks = new Set([entry]);
  for (const name of chunks) {
    const text = readFileSync(join(BUILT_FOLDER, name), 'utf8');
    for (const [, source = ''] of text.matchAll(/^\/\/ ((?:src|node_modules)\/\S+)$/gm)) sources.add(source);
    for (const [, chunk = ''] of text.matchAll(/^(?:import|export)\b[^'"\n]*["']\.\/([^"']+)["'];?$/gm))
      chunks.add(chunk);
  }
  return sources;
}

describe('a thread', () => {
  it.each(Object.entries(THREADS))(
    '%s loads no form of the interface: to build all takes longer than its start',
    (name, entry) => {
      const loaded = builtWith(`${name}.js`);
      expect(loaded).toContain(entry);
      // Names and numbers, and the two bodies that a thread reads.
      const light = [
        ...['annotation-acts', 'custody-actions', 'domain', 'run-refusals', 'submit-bodies'],
        ...['errors/error-codes', 'errors/index', 'light', 'limits', 'page', 'programs', 'screens'],
      ];
      const contract = [...loaded].filter((path) => path.startsWith('src/api/'));
      expect(contract.filter((path) => !light.some((file) => path === `src/api/${file}.ts`))).toEqual([]);
    },
  );

  it('that reads large bodies needs neither the interface nor what reads requests, from its sources either', () => {
    const loaded = loadedWith('src/service/ledger/large-body-worker.ts');
    expect(loaded).toContain('src/api/light.ts');
    for (const name of ['src/api/index.ts', 'raw-body', 'koa']) expect(loaded, name).not.toContain(name);
  });
});

describe('before it has started', () => {
  it('the service loads nothing for sign-in with a provider, mail, reports and passwords', () => {
    const loaded = loadedWith('src/service/index.ts');
    expect([...loaded]).toEqual(expect.arrayContaining(['src/service/start/start.ts', 'koa', 'better-sqlite3']));
    for (const name of ['openid-client', 'nodemailer', 'pdfkit', 'harfbuzzjs', '@node-rs/argon2']) {
      expect(loaded, name).not.toContain(name);
    }
  });

  it('the command `serve` and the desktop look for a recorder without loading it', () => {
    const loaded = loadedWith('src/recorder/compose/start-if-installed.ts');
    expect(loaded).toContain('src/recorder/base/agent-file.ts');
    for (const name of ['src/recorder/index.ts', 'src/recorder/compose/start.ts', 'better-sqlite3', 'zod']) {
      expect(loaded, name).not.toContain(name);
    }
    for (const entry of ['src/cli/commands/serve.ts', 'src/main/recorder.ts']) {
      expect(loadedWith(entry), entry).not.toContain('src/recorder/index.ts');
    }
  });

  it('the desktop begins its window without the service, the interface, and the commands', () => {
    const loaded = [...loadedWith('src/main/index.ts')];
    expect(loaded).toContain('src/main/desktop.ts');
    // Names and numbers of the interface, for menu, links and the form of a page's secret, and none of its schemas.
    const light = ['errors/error-codes', 'errors/index', 'light', 'limits', 'page', 'programs', 'screens'].map(
      (name) => `src/api/${name}.ts`,
    );
    expect(loaded.filter((path) => /^src\/(service|recorder|api|cli)\//.test(path)).toSorted()).toEqual(light);
  });

  it.each([
    ['protocol/text', 3],
    ['protocol', 23],
    ['actions/profile', 27],
    // Codes, fields, and the clocks of zones, by which screens write times.
    ['actions', 3],
    ['api', 6],
    ['node', 13],
  ])('the light entry point of %s loads no schema, no native code, and few files', (layer, most) => {
    const loaded = [...loadedWith(`src/${layer}/light.ts`)];
    const own = loaded.filter((path) => path.startsWith('src/') && !path.endsWith('/light.ts'));
    expect(own.length).toBeLessThanOrEqual(most);
    const packages = loaded.filter((path) => !path.startsWith('src/') && !path.startsWith('node:'));
    expect(packages.filter((name) => !name.startsWith('@noble/'))).toEqual([]);
  });

  it.each([
    ...['backup', 'restore', 'verify'].map((command) => `src/cli/commands/${command}.ts`),
    'src/cli/verify-ledgers.ts',
    // What they load when they come to it.
    ...dynamicImportsOf('src/service/light.ts'),
  ])('what works on stored files loads no service: %s', (entry) => {
    const loaded = loadedWith(entry);
    expect(loaded.size).toBeGreaterThan(10);
    for (const name of ['src/service/index.ts', 'src/service/start/start.ts', 'koa']) {
      expect(loaded, name).not.toContain(name);
    }
  });

  it('the general help of the command line loads no command', () => {
    // What main loads at first, and what it loads for the help.
    const loaded = [...loadedWith('src/cli/main.ts'), ...loadedWith('src/cli/help/help.ts')];
    expect(loaded).toContain('src/cli/command-table.ts');
    // And the one table of characters that no terminal gets as they are, and what errors and sizes are as text.
    const light =
      /^src\/(?:cli\/(?:help\/)?[\w-]+|protocol\/text\/(?:light|error-text|hidden-characters|size-text))\.ts$/;
    const foreign = loaded.filter((path) => path.endsWith('.ts') && !light.test(path));
    expect(foreign).toEqual([]);
    const packages = loaded.filter((path) => !/\.(ts|json)$/.test(path) && !path.startsWith('node:'));
    expect(packages).toEqual([]);
  });
});
