// Some of the forty questions of docs/investigating.md, over the live ledger; forty-questions.nightly.test.ts asks all of them.
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ask } from '../corpus/ask.ts';
import { type Hospital, openHospital } from '../corpus/hospital.ts';
import { corpusLines, keepLines, keptLines } from '../corpus/lines.ts';

/** Set where the story has changed, or what agents make of it: the lines that are kept are written again. */
const KEEPS = process.env['COUNTERSIGN_KEEP_CORPUS'] === '1';

describe.skipIf(chromiumPath() === undefined)('some of forty questions', () => {
  let hospital: Hospital;

  beforeAll(async () => {
    hospital = await openHospital();
  });

  it('are about the ledger whose lines are kept', async () => {
    const lines = await corpusLines(hospital.bundle);
    if (KEEPS) keepLines(lines);
    expect(lines).toEqual(keptLines());
  });

  ask('live', () => hospital.live, [9, 10, 20, 22, 24]);
});
