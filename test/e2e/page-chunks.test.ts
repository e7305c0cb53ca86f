// The built page: no chunk imports itself by way of others, so that each is whole when another one runs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RENDERER_DIR } from '../support/browser.ts';

const ASSETS = join(RENDERER_DIR, 'assets');
const IMPORT = /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g;

it('has no circular import among its chunks', () => {
  const chunks = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
  const left = new Map(
    chunks.map((name) => [name, Array.from(readFileSync(join(ASSETS, name), 'utf8').matchAll(IMPORT), ([, to]) => to)]),
  );
  expect(left.size).toBeGreaterThan(10);
  // Those that import nothing that is left go, again and again: what remains is in a circle, or imports one.
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [name, imports] of left) if (!imports.some((to) => to !== undefined && left.has(to))) left.delete(name);
  }
  expect([...left.keys()]).toEqual([]);
});
