import type { CheckStatus } from '../../protocol/index.ts';

/** Texts of the verdict. */
export const VERDICT = {
  word: 'Verdict:',
  showFindings: 'Show findings',
  showOpen: 'Show what was not checked',
  save: 'Save the report',
  ring: (passed: number, failed: number, open: number, off: number) =>
    [
      `${passed} ${passed === 1 ? 'check' : 'checks'} passed`,
      `${failed} failed`,
      `${open} not checked`,
      ...(off === 0 ? [] : [`${off} not applicable`]),
    ].join(', '),
  part: {
    pass: 'passed',
    fail: 'failed',
    not_checked: 'not checked',
    not_applicable: 'not applicable',
  } satisfies Readonly<Record<CheckStatus, string>>,
} as const;
