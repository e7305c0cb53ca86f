// The one table of screens: what is made from it names the same screens.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { isScreenPath, NAV_SCREENS, SCREENS, type ScreenEntry } from '../../src/api/index.ts';
import { screenOfLink } from '../../src/main/command-line.ts';
import { SHORTCUTS } from '../../src/renderer/app/keyboard.ts';
import { isOfEveryLedger, NAV } from '../../src/renderer/app/screens-list.ts';

const UUID = '7f8df8f3-80ea-4874-975d-7fc1c7cfb796';
const ENTRIES: readonly ScreenEntry[] = Object.values(SCREENS);
const example = (path: string): string => path.replace(/\$\w+/g, UUID);

describe('the table of screens', () => {
  it('gives every screen its own address, and every letter and label to one screen', () => {
    for (const values of [
      ENTRIES.map(({ path }) => path),
      NAV_SCREENS.map(({ key }) => key),
      NAV_SCREENS.map(({ label }) => label),
    ]) {
      expect(new Set(values).size).toBe(values.length);
    }
  });

  it('is what the navigation, its keys and the help show, in the same order', () => {
    expect(NAV.map(({ to, label, key }) => ({ path: to, label, key }))).toEqual(
      NAV_SCREENS.map(({ path, label, key }) => ({ path, label, key })),
    );
    const helped = SHORTCUTS.filter(({ keys }) => keys.startsWith('g '));
    expect(helped.map(({ keys }) => keys)).toEqual(NAV_SCREENS.map(({ key }) => `g ${key}`));
    expect(helped.every(({ what }, n) => what.startsWith(NAV_SCREENS[n]?.label ?? '-'))).toBe(true);
  });

  it('is what links of the desktop may lead to, below a case too where the screen is of every ledger', () => {
    for (const { path } of ENTRIES) expect(screenOfLink(`countersign:/${example(path)}`)).toBe(example(path));
    for (const { path, isOfLedger } of ENTRIES.filter(({ access }) => access === undefined)) {
      expect(isScreenPath(`/cases/${UUID}${example(path)}`)).toBe(isOfLedger === true);
    }
    expect(NAV.filter(({ to }) => isOfEveryLedger(to)).map(({ label }) => label)).toEqual([
      'Agents',
      'Search',
      'Sessions',
      'Entities',
      'Epochs',
    ]);
  });

  it('is where the router and the menu of the desktop take every address from', () => {
    for (const file of ['src/renderer/app/router.tsx', 'src/main/menu.ts']) {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const written = [...source.matchAll(/path: '([^']*)'/g)].map(([, path]) => path);
      // The root leads on to the dashboard; within a case, its verdict and its comparison.
      expect(written.filter((path) => !['/', '/compare'].includes(path ?? ''))).toEqual([]);
    }
  });
});

describe('the keys of queries', () => {
  it('are written down in one file', () => {
    const sources = readdirSync(join(ROOT, 'src', 'renderer'), { recursive: true, encoding: 'utf8' });
    const written = sources
      .filter((file) => /\.tsx?$/.test(file))
      .filter((file) => /queryKey: \[/.test(readFileSync(join(ROOT, 'src', 'renderer', file), 'utf8')));
    expect(written).toEqual([]);
  });
});
