import {
  CHECK_TITLES,
  CHECKS,
  type ChosenReportJudgement,
  completenessClaims,
  describeCounts,
  describePlace,
  fingerprintDigits,
  timeClaims,
} from '../../protocol/index.ts';
import { verdictMeaning, verdictTitle } from '../chosen/index.ts';
import { element, seen } from './elements.ts';

const SIGNS = { verified: '✓', incomplete: '?', failed: '✗' } as const;
const STATES = {
  pass: 'Passed',
  fail: 'Failed',
  not_checked: 'Not checked',
  not_applicable: 'Nothing to check',
} as const;

/** More findings than these are counted. */
const MAX_FINDINGS = 50;

/** The verdict, large, with what it means. */
export function verdictBanner(judgement: ChosenReportJudgement): HTMLElement {
  const { verdict } = judgement;
  return element(
    'div',
    { class: `verdict ${verdict}` },
    element(
      'p',
      { class: 'word' },
      element('span', { 'aria-hidden': 'true' }, `${SIGNS[verdict]} `),
      verdictTitle(judgement),
    ),
    element('p', {}, seen(verdictMeaning(judgement, 'reader'))),
  );
}

/** What was checked, and what was found. */
export function checksTable({ proof, problems }: ChosenReportJudgement): HTMLElement {
  const body = element('tbody');
  const row = (title: string, status: keyof typeof STATES, detail: string): void => {
    body.append(
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, title),
        element('td', { class: status }, STATES[status]),
        element('td', {}, seen(detail)),
      ),
    );
  };
  const isWhole = problems.length === 0;
  row(
    'This report',
    isWhole ? 'pass' : 'fail',
    isWhole ? 'title, question, comments and order are those of its digest' : '',
  );
  for (const name of CHECKS) {
    const result = proof.checks[name];
    row(CHECK_TITLES[name], result.status, [describeCounts(result), result.reason].filter((part) => part).join('; '));
  }
  for (const { title, status, text } of completenessClaims(proof)) row(title, status, text);
  for (const { status, text } of timeClaims(proof)) row('Times, as others say', status, text);
  const table = element(
    'table',
    {},
    element('caption', {}, 'What this page checked when it was opened'),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ...['Check', 'State', 'What was looked at'].map((title) => element('th', { scope: 'col' }, title)),
      ),
    ),
    body,
  );
  const found = [
    ...problems.map(({ code, message }) => [code, '', message] as const),
    ...proof.findings.map(({ code, where, message }) => [code, describePlace(where), message] as const),
  ];
  const list = element('ul', { class: 'findings' });
  for (const [code, place, message] of found.slice(0, MAX_FINDINGS)) {
    list.append(
      element('li', {}, element('code', {}, code), ' ', seen(place === '' ? message : `${place}: ${message}`)),
    );
  }
  if (found.length > MAX_FINDINGS) list.append(element('li', {}, `${found.length - MAX_FINDINGS} more`));
  return element(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': 'Checks', tabindex: '0' },
    table,
    found.length > 0 ? list : null,
  );
}

/** The issuer's fingerprint as people compare it: twelve groups of digits. */
export function fingerprintOf(kid: string): HTMLElement {
  const digits = fingerprintDigits(kid);
  const half = digits.length / 2;
  return element(
    'p',
    { class: 'fingerprint' },
    digits.slice(0, half).join(' '),
    element('br'),
    digits.slice(half).join(' '),
  );
}
