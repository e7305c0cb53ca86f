import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkProgramPlace } from '../../../src/recorder/system/program-place.ts';
import { atEnd } from '../../support/cleanup.ts';

const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;

/** Folders where a service can see them, with a program in the first. */
function places(): { readonly place: string; readonly beside: string } {
  const folder = mkdtempSync('/opt/countersign-test-');
  atEnd(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const [place, beside] = ['place', 'beside'].map((name) => join(folder, name));
  for (const path of [place, beside]) {
    mkdirSync(path ?? '', { mode: 0o755 });
    writeFileSync(join(path ?? '', 'code.js'), '');
    // Whatever the process may be told to keep from others.
    chmodSync(path ?? '', 0o755);
    chmodSync(join(path ?? '', 'code.js'), 0o644);
  }
  return { place: place ?? '', beside: beside ?? '' };
}

describe.skipIf(!isRoot)('where the program lies that the system runs as the recorder (needs root on Linux)', () => {
  const refused = expect.objectContaining({ code: 'SYSTEM_UNSUPPORTED' });
  const check = (place: string) => () => checkProgramPlace(join(place, 'code.js'), place);

  it('has to be readable by the account of the recorder', () => {
    const { place } = places();
    expect(check(place)).not.toThrow();
    mkdirSync(join(place, 'more'), { mode: 0o711 });
    expect(check(place)).toThrow(refused);
    chmodSync(join(place, 'more'), 0o755);
    writeFileSync(join(place, 'more', 'lib.js'), '', { mode: 0o640 });
    expect(check(place)).toThrow(refused);
  });

  it('is looked at where links lead as well, also in circles', () => {
    const { place, beside } = places();
    symlinkSync(beside, join(place, 'linked'));
    symlinkSync(place, join(beside, 'back'));
    symlinkSync('none', join(place, 'nowhere'));
    expect(check(place)).not.toThrow();
    chownSync(join(beside, 'code.js'), 54_321, 54_321);
    expect(check(place)).toThrow(refused);
  });
});
