// The questions of docs/investigating.md over their corpus on five hosts, archived: at the central node the answers are those of one ledger.
// A few in the gate; nightly all that can be asked of records alone.
import { beforeAll, describe } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ask } from '../corpus/ask.ts';
import { openArchivedHospital } from '../corpus/hospital.ts';
import type { Person } from '../corpus/person.ts';
import { SCRIPTS } from '../corpus/scripts.ts';
import { IS_NIGHTLY } from '../support/extent.ts';

/** Weeks of records are made before the first question. No measure. */
const PATIENCE = 900_000;

/** To hand over all of one ledger, to compare two bundles, and to check files in the window: these are asked of a file, and an archive is none. */
const OF_A_FILE: readonly number[] = [14, 17, 18, 19];
const ALL = Object.keys(SCRIPTS)
  .map(Number)
  .filter((number) => !OF_A_FILE.includes(number));
const A_FEW = [2, 9, 10, 20, 22];

describe.skipIf(chromiumPath() === undefined)('questions at a central node', () => {
  let examiner: Person;

  beforeAll(async () => {
    examiner = await openArchivedHospital();
  }, PATIENCE);

  ask('case', IS_NIGHTLY ? ALL : A_FEW, () => examiner);
});
