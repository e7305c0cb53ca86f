// What the desktop and the service load before they have started: what a start does not need is loaded when it is.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseImports } from '../../scripts/parse-imports.ts';
import { ROOT } from '../../scripts/support/paths.ts';

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

describe('before it has started', () => {
  it('the service loads nothing for sign-in with a provider, mail, reports and passwords', () => {
    const loaded = loadedWith('src/service/index.ts');
    expect([...loaded]).toEqual(expect.arrayContaining(['src/service/compose/start.ts', 'koa', 'better-sqlite3']));
    for (const name of ['openid-client', 'nodemailer', 'pdfkit', '@node-rs/argon2']) {
      expect(loaded, name).not.toContain(name);
    }
  });

  it('the desktop begins its window without the service, its contract, and the commands', () => {
    const loaded = [...loadedWith('src/main/index.ts')];
    expect(loaded).toContain('src/main/desktop.ts');
    // The table of screens, for menu and links, and the form of a page's secret: neither loads anything of the contract.
    const light = ['src/contract/page.ts', 'src/contract/screens.ts'];
    expect(loaded.filter((path) => /^src\/(service|contract|cli)\//.test(path)).toSorted()).toEqual(light);
  });

  it('the general help of the command line loads no command', () => {
    // What main loads at first, and what it loads for the help.
    const loaded = [...loadedWith('src/cli/main.ts'), ...loadedWith('src/cli/help/help.ts')];
    expect(loaded).toContain('src/cli/command-table.ts');
    const foreign = loaded.filter((path) => path.endsWith('.ts') && !/^src\/cli\/(help\/)?[\w-]+\.ts$/.test(path));
    expect(foreign).toEqual([]);
    const packages = loaded.filter((path) => !/\.(ts|json)$/.test(path) && !path.startsWith('node:'));
    expect(packages).toEqual([]);
  });
});
