// docs/decisions/0001-node-24-through-npm.md: a first install under the oldest Node does not warn of what runs under another one.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LOCKFILE, lockfileText } from '../../scripts/lockfile.ts';

const text = readFileSync(LOCKFILE, 'utf8');

it('leaves out for which Node the packages in it are: else run npm run lockfile', () => {
  expect(lockfileText(text) === text).toBe(true);
});
