/**
 * The script inside an HTML report of chosen records. It verifies the data in the file before it shows anything of them, loads
 * nothing, and keeps nothing. Whoever made the file wrote the data, and can have written another script as well: the page says so.
 */

import {
  type ChosenReport,
  type ChosenReportJudgement,
  type ExaminerSignatureState,
  judgeChosenReport,
  namesKey,
  ProtocolError,
  parseChosenReport,
  parseTrustEntry,
  proofOf,
  type RecordProof,
  utf8,
} from '../../protocol/index.ts';
import {
  aboutSection,
  askedSection,
  type Outline,
  provesSection,
  RECORDS_SECTION,
  type RecordView,
  recordContent,
  type Section,
  shownContents,
  sumsSection,
  viewRecords,
  writtenBy,
} from '../chosen/index.ts';
import { webCrypto } from '../verify/index.ts';
import { blockNodes, element, factList, seen } from './elements.ts';
import { checksTable, fingerprintOf, verdictBanner } from './verdict.ts';

/** How much of a record's contents is laid out: browsers become slow long before this. */
const BOUNDS = { lines: 20_000, characters: 2_000_000 };

function outlineList({ lines }: Outline): HTMLElement {
  const list = element('div', { class: 'outline' });
  for (const { depth, name, value } of lines) {
    const row = element('div', { class: `depth-${Math.min(depth, 8)}` });
    if (name !== '') row.append(element('span', { class: 'name' }, seen(name)), ' ');
    if (value !== null) row.append(seen(value, { lines: true }));
    list.append(row);
  }
  return list;
}

function contents(view: RecordView): HTMLElement {
  const { outline, notes } = shownContents(view, BOUNDS);
  return element(
    'div',
    {},
    outline === null ? null : outlineList(outline),
    ...notes.map((note) => element('p', {}, seen(note))),
  );
}

/**
 * A record as it is read. Contents are laid out once they are opened, or printed: a report may have a thousand of them.
 * @param isOpen whether the contents are shown from the start
 */
function recordArticle(view: RecordView, isOpen: boolean, signature: ExaminerSignatureState): HTMLElement {
  const { number, summary, blocks, hashes } = recordContent(view, signature);
  const whole = element('details', {}, element('summary', {}, 'Contents of the record'));
  const fill = (): void => {
    if (whole.childElementCount === 1) whole.append(contents(view));
  };
  whole.addEventListener('toggle', fill);
  if (isOpen) {
    fill();
    whole.open = true;
  }
  const technical = element('details', {}, element('summary', {}, 'Hashes and signatures'), factList(hashes));
  const id = `record-${view.seqNo}`;
  return element(
    'article',
    { 'aria-labelledby': id },
    element('h3', { id }, `${number} `, seen(summary)),
    ...blockNodes(blocks, ` on ${number}`),
    whole,
    technical,
  );
}

/** Contents of more records than these are closed at first. */
const OPEN_RECORDS = 20;

function section(title: string, ...children: readonly (Node | null)[]): HTMLElement {
  return element('section', {}, element('h2', {}, title), ...children);
}

const written = ({ title, blocks }: Section): HTMLElement => section(title, ...blockNodes(blocks));

/** Where the reader says whom they trust: the verdict follows. Nothing is kept or sent. */
function issuerSection(
  report: ChosenReport,
  kid: string | null,
  onJudged: (judgement: ChosenReportJudgement) => void,
): HTMLElement {
  const answer = element('p', { role: 'status', class: 'answer' });
  if (kid === null) return section('Issuer', element('p', {}, 'The key of the issuer cannot be read.'));
  const input = element('input', { id: 'fingerprint', autocomplete: 'off', spellcheck: 'false', inputmode: 'numeric' });
  const form = element(
    'form',
    { class: 'compare' },
    element('label', { for: 'fingerprint' }, 'Fingerprint that you received through a separate channel'),
    input,
    element('button', { type: 'submit' }, 'Compare fingerprint'),
    answer,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void (async () => {
      const entry = parseTrustEntry(input.value.trim());
      const isSame = namesKey(entry, kid);
      answer.textContent = isSame
        ? 'It is the same fingerprint.'
        : 'It is not the fingerprint of this issuer: this report is not verified. Look at each group of digits again.';
      onJudged(await judge(report, isSame ? [input.value.trim()] : []));
    })();
  });
  return section(
    'Issuer',
    element('p', {}, 'Fingerprint of the key that the issuer signed with:'),
    fingerprintOf(kid),
    element(
      'p',
      {},
      'Compare these digits with what the issuer told you by telephone, in person or on paper. A fingerprint that came only ' +
        'with this file proves nothing.',
    ),
    form,
  );
}

function judge(report: ChosenReport, trustedKids: readonly string[]): Promise<ChosenReportJudgement> {
  return webCrypto().then((crypto) => judgeChosenReport(report, { crypto, trustedKids }));
}

function recordsSection(
  report: ChosenReport,
  proof: RecordProof | null,
  signature: ExaminerSignatureState,
): HTMLElement {
  const { title, blocks } = RECORDS_SECTION;
  if (proof === null) return section(title, element('p', {}, 'The records are damaged so that they cannot be shown.'));
  const views = viewRecords(report, proof);
  const isOpen = views.length <= OPEN_RECORDS;
  return section(title, ...blockNodes(blocks), ...views.map((view) => recordArticle(view, isOpen, signature)));
}

async function show(report: ChosenReport, place: HTMLElement): Promise<void> {
  const judgement = await judge(report, []);
  const { signature } = judgement.report;
  const proof = proofOf(report);
  const asked = askedSection(report, signature);
  const sums = sumsSection(report, signature);
  const verdict = element('div', { role: 'status' }, verdictBanner(judgement));
  const checks = element('div', {}, checksTable(judgement));
  const onJudged = (now: ChosenReportJudgement): void => {
    verdict.replaceChildren(verdictBanner(now));
    checks.replaceChildren(checksTable(now));
  };
  place.replaceChildren(
    element(
      'header',
      {},
      element('p', { class: 'kind' }, 'Report of chosen records'),
      element('p', { class: 'kind' }, `${writtenBy('Title', signature)}:`),
      element('h1', {}, seen(report.title)),
    ),
    element(
      'main',
      {},
      verdict,
      asked === null ? null : written(asked),
      written(aboutSection(report, judgement, proof)),
      issuerSection(report, judgement.proof.issuer.kid, onJudged),
      sums === null ? null : written(sums),
      recordsSection(report, proof, signature),
      written(provesSection(judgement, 'FILE.html')),
      section('What was checked', checks),
    ),
  );
}

/** On paper everything is open. */
function openForPrint(): void {
  for (const details of document.querySelectorAll('details')) {
    details.open = true;
    details.dispatchEvent(new Event('toggle'));
  }
}

async function start(): Promise<void> {
  const place = document.getElementById('report');
  const data = document.getElementById('countersign-report');
  if (place === null || data === null) return;
  place.replaceChildren(element('main', {}, element('p', { role: 'status' }, 'Checking the proofs in this file…')));
  try {
    await show(parseChosenReport(utf8(data.textContent ?? '')), place);
  } catch (error) {
    const why = error instanceof ProtocolError ? error.message : 'an error in this page itself';
    place.replaceChildren(
      element(
        'main',
        {},
        element('h1', {}, 'This report cannot be read'),
        element(
          'div',
          { class: 'verdict failed' },
          element('p', {}, 'Do not rely on it: its data are damaged. ', seen(why)),
        ),
      ),
    );
  }
}

addEventListener('beforeprint', openForPrint);
void start();
