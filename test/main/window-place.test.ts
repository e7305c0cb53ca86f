import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { StateFile } from '../../src/main/state-file.ts';
import { placeOf } from '../../src/main/window-place.ts';
import { temporaryFolder } from '../support/folders.ts';

const SCREEN = { x: 0, y: 0, width: 1920, height: 1080 };
const BESIDE = { x: 1920, y: 0, width: 1280, height: 1024 };
const USUAL = { width: 1280, height: 860 };

describe('a window opens', () => {
  test.each([
    ['where it was', { x: 100, y: 50, width: 900, height: 700 }, [SCREEN], { x: 100, y: 50, width: 900, height: 700 }],
    [
      'on the second screen, while there is one',
      { x: 2000, y: 50, width: 900, height: 700 },
      [SCREEN, BESIDE],
      { x: 2000, y: 50, width: 900, height: 700 },
    ],
    ['in the middle, once that screen is gone', { x: 2000, y: 50, width: 900, height: 700 }, [SCREEN], USUAL],
    [
      'in the middle, where its upper edge could not be reached',
      { x: 100, y: -40, width: 900, height: 700 },
      [SCREEN],
      USUAL,
    ],
    ['in the middle, where too little of it would show', { x: 1860, y: 50, width: 900, height: 700 }, [SCREEN], USUAL],
    ['no smaller than it can be used', { x: 10, y: 10, width: 1, height: 1 }, [{ ...SCREEN, x: -200 }], USUAL],
  ])('%s', (_what, place, screens, expected) => {
    expect(placeOf({ ...place, maximized: false }, screens)).toEqual(expected);
  });

  test('at its usual size where nothing is remembered', () => {
    expect(placeOf(null, [SCREEN])).toEqual(USUAL);
  });
});

describe('what the desktop remembers', () => {
  it('stays, and is replaced as a whole', () => {
    const path = join(temporaryFolder(), 'made', 'desktop.json');
    new StateFile(path).change({ port: 9000, recent: ['/a'] });
    expect(new StateFile(path).get()).toEqual({
      port: 9000,
      place: null,
      keepRunning: false,
      recorder: true,
      recent: ['/a'],
    });
  });

  test.each(['', 'null', '{"port":99999}', '{"place":{"x":"1"}}', '{"unknown":1}'])('%j counts as nothing', (text) => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'desktop.json');
    writeFileSync(path, text);
    expect(new StateFile(path).get().port).toBe(8787);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});
