// The forty questions of docs/investigating.md: a few over the live ledger in the gate; nightly all, over the same records as a case as
// well, and over the live ledger while others come in.
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ask } from '../corpus/ask.ts';
import { type Hospital, keepRecording, openHospital } from '../corpus/hospital.ts';
import { corpusLines, keepLines, keptLines } from '../corpus/lines.ts';
import type { Person } from '../corpus/person.ts';
import { QUESTIONS } from '../corpus/questions.ts';
import { SCRIPTS } from '../corpus/scripts.ts';
import { IS_NIGHTLY } from '../support/extent.ts';

/** Set where the story has changed, or what agents make of it: the lines that are kept are written again. */
const KEEPS = process.env['COUNTERSIGN_KEEP_CORPUS'] === '1';

/** Weeks of records are made before the first question. No measure. */
const PATIENCE = 900_000;

const ALL = Object.keys(SCRIPTS).map(Number);
const A_FEW = [2, 9, 10, 20, 22];

describe.skipIf(chromiumPath() === undefined)('forty questions', () => {
  let hospital: Hospital;

  let examiner: Person;

  beforeAll(async () => {
    hospital = await openHospital();
    if (IS_NIGHTLY) examiner = await hospital.openCase();
  }, PATIENCE);

  it('are about the ledger whose lines are kept', async () => {
    const lines = await corpusLines(hospital.bundle);
    if (KEEPS) keepLines(lines);
    expect(lines).toEqual(keptLines());
  });

  it('each have a script', () => {
    expect(ALL).toEqual(QUESTIONS.map(({ number }) => number));
  });

  describe('over the live ledger', () => {
    ask('live', IS_NIGHTLY ? ALL : A_FEW, () => hospital.live);
  });

  if (!IS_NIGHTLY) return;

  describe('over the same records as a case', () => {
    ask('case', ALL, () => examiner);
  });

  describe('over the live ledger while records come in', () => {
    beforeAll(() => keepRecording(hospital.owner));

    ask('recording', ALL, () => hospital.live);
  });
});
