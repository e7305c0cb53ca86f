// The forty questions of docs/investigating.md: over the live ledger, over the same records as a case, and while others come in.
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ask } from '../corpus/ask.ts';
import { type Hospital, keepRecording, openHospital } from '../corpus/hospital.ts';
import type { Person } from '../corpus/person.ts';
import { QUESTIONS } from '../corpus/questions.ts';
import { SCRIPTS } from '../corpus/scripts.ts';

describe.skipIf(chromiumPath() === undefined)('forty questions', () => {
  let hospital: Hospital;

  beforeAll(async () => {
    hospital = await openHospital();
  });

  it('each have a script, or a reason why the screens do not answer them', () => {
    const missing = QUESTIONS.filter((question) => question.missing !== undefined).map(({ number }) => number);
    const known = [...Object.keys(SCRIPTS).map(Number), ...missing];
    expect(known.toSorted((a, b) => a - b)).toEqual(QUESTIONS.map(({ number }) => number));
  });

  describe('over the live ledger', () => {
    ask('live', () => hospital.live);
  });

  describe('over the same records as a case', () => {
    let examiner: Person;

    beforeAll(async () => {
      examiner = await hospital.openCase();
    });

    ask('case', () => examiner);
  });

  describe('over the live ledger while records come in', () => {
    beforeAll(async () => {
      const stop = await keepRecording(hospital.owner);
      return stop;
    });

    ask('live', () => hospital.live);
  });
});
