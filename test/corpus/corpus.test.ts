// The questions about the hospital's ledger: their answers are those that a program of its own computes from the records.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { missingInteropTools } from '../../scripts/support/capabilities.ts';
import { KEPT_LINES } from './lines.ts';
import { QUESTIONS } from './questions.ts';

const ANSWERS = fileURLToPath(new URL('answers.py', import.meta.url));

describe('the forty questions', () => {
  it('are forty, in order', () => {
    expect(QUESTIONS.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  });

  it.skipIf(missingInteropTools().length > 0)('have the answers that follow from the records', () => {
    const { stdout, stderr } = spawnSync('python3', [ANSWERS, KEPT_LINES], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(QUESTIONS.map(({ number, answer }) => [number, answer])));
  });
});
