import { describePages, describeVerdict, fingerprintDigits, orgFingerprint } from '../../protocol/index.ts';
import type { Flow } from '../layout/flow.ts';
import { lineHeight } from '../layout/flow.ts';
import { breakLines } from '../layout/lines.ts';
import { drawMark, MARK_COLOURS } from '../layout/marks.ts';
import { COLOURS } from '../layout/theme.ts';
import { qrCode } from '../qr.ts';
import type { Subject } from '../subject.ts';
import { digestInGroups, kidInGroups } from '../text/groups.ts';
import { counted, many, sentence, sizeInWords, VERDICT_MARKS } from '../wording.ts';
import { writeFacts } from './facts.ts';

const UNKNOWN = 'could not be read';

const ISSUERS_WORD =
  'This report was made by the service that issued the records, with its own key, which proves nothing to a stranger: it is ' +
  'the issuer’s own word about itself. Verify the ' +
  'attached bundle yourself, with a key you received through a separate channel, before you rely on anything here (see Verify again).';

/** The verdict in a box of its colour, with its sign and its word. */
function writeVerdict(flow: Flow, { report, maker }: Subject): void {
  const { styles } = flow;
  const mark = VERDICT_MARKS[report.verdict];
  const word = describeVerdict(report);
  const head = { ...styles.h1, colour: MARK_COLOURS[mark] };
  const texts = [
    ...breakLines(`Verdict: ${word}`, head, flow.width - 52),
    ...breakLines(sentence(report.summary), styles.body, flow.width - 52),
    ...(maker === 'issuer' ? breakLines(ISSUERS_WORD, styles.bold, flow.width - 52) : []),
  ];
  const height = texts.reduce((sum, { style }) => sum + lineHeight(style), 0) + 20;
  flow.need(height);
  const top = flow.y;
  flow.artifact((sheet) => {
    sheet.rectangle(flow.left, top, flow.width, height, COLOURS.band);
    sheet.rectangle(flow.left, top, 4, height, MARK_COLOURS[mark]);
    drawMark(sheet, mark, flow.left + 24, top + 22, 9);
  });
  const element = flow.element('P');
  flow.mark(element, 'P', (sheet) => {
    let y = top + 10;
    for (const line of texts) {
      sheet.text(line, flow.left + 44, y + line.style.size * 1.04);
      y += lineHeight(line.style);
    }
  });
  element.end();
  flow.y = top + height;
  flow.gap(14);
}

const QR_SIZE = 92;

/** The issuer's fingerprint for people, and as a QR code for a camera. */
function writeIssuer(flow: Flow, { report }: Subject): void {
  const { styles } = flow;
  flow.heading(2, 'Issuer', { keep: QR_SIZE + 10 });
  const { kid, pinned } = report.issuer;
  if (kid === null) {
    flow.paragraph('The manifest could not be read: which key the bundle was signed with is not known.');
    return;
  }
  const code = qrCode(kid);
  const [top, module] = [flow.y, QR_SIZE / (code.size + 8)];
  const [x, y] = [flow.left + flow.width - QR_SIZE, top];
  const figure = flow.element('Figure', {
    alt: `QR code of the issuer's fingerprint ${kid}`,
    bbox: [x, y, x + QR_SIZE, y + QR_SIZE],
  });
  const room = flow.width - QR_SIZE - 24;
  const digits = fingerprintDigits(kid);
  const half = digits.length / 2;
  const large = { ...styles.mono, size: 12 };
  const trust = pinned
    ? 'The reader named this key as trusted, or it is vouched for by one that was named.'
    : 'This key is not trusted: nobody named it, or another one that vouches for it, when this report was made.';
  const texts = [
    ...breakLines(digits.slice(0, half).join(' '), large, room),
    ...breakLines(digits.slice(half).join(' '), large, room),
    ...breakLines(`kid ${kidInGroups(kid)}`, styles.small, room),
    ...breakLines(trust, pinned ? styles.body : styles.bold, room),
    ...breakLines(
      'Compare these digits, and the fingerprint of the organization, with what you received through a separate channel: by ' +
        'telephone, in person, on paper. A fingerprint that comes only with the bundle proves nothing.',
      styles.small,
      room,
    ),
  ];
  const element = flow.element('P');
  flow.mark(element, 'P', (sheet) => {
    let lineTop = top;
    for (const line of texts) {
      sheet.text(line, flow.left, lineTop + line.style.size * 1.04 + (line.style.size === large.size ? 0 : 5));
      lineTop += lineHeight(line.style);
    }
  });
  element.end();
  flow.mark(figure, 'Figure', (sheet) => {
    sheet.rectangles(
      code.dark.map(([column, row, width]) => [
        x + (column + 4) * module,
        y + (row + 4) * module,
        width * module,
        module,
      ]),
      COLOURS.ink,
    );
  });
  figure.end();
  flow.y =
    top +
    Math.max(
      QR_SIZE,
      texts.reduce((sum, { style }) => sum + lineHeight(style), 0),
    );
  flow.gap(6);
}

/** The first page: what this is a report of, and the verdict. */
export function writeCover(flow: Flow, subject: Subject): void {
  const { report, survey, digests } = subject;
  const { bundle } = report;
  flow.open('Sect');
  const title = flow.element('H1');
  flow.lines(title, 'H1', breakLines('Verification report', flow.styles.title, flow.width));
  title.end();
  flow.gap(2);
  const org =
    bundle.org_name === null || bundle.org_name === '' ? (bundle.org_id ?? 'Organization unknown') : bundle.org_name;
  flow.paragraph(org, { ...flow.styles.h2, colour: COLOURS.ink }, { after: 12 });
  writeVerdict(flow, subject);
  if (subject.pages !== null) {
    const { title, text } = describePages(subject.pages);
    flow.paragraph(`${title}. The file that this report is about was itself a PDF.`, flow.styles.bold, { after: 2 });
    flow.paragraph(text);
  }
  flow.heading(2, 'Scope');
  const { mono } = flow.styles;
  const run =
    bundle.first_seq_no === null ? '' : `, numbers ${many(bundle.first_seq_no)} to ${many(bundle.last_seq_no ?? 0)}`;
  const withheld = bundle.redacted === 0 ? 'none' : `${many(bundle.redacted)}: bound by their hashes, not seen`;
  writeFacts(flow, [
    ['Organization', `${bundle.org_name ?? UNKNOWN} (${bundle.org_id ?? UNKNOWN})`],
    ['Its fingerprint', bundle.org_id === null ? null : orgFingerprint(bundle.org_id)],
    [
      'Received',
      bundle.filter === null ? UNKNOWN : `from ${bundle.filter.start_time} until before ${bundle.filter.end_time}`,
    ],
    [
      'Agents',
      bundle.filter === null
        ? UNKNOWN
        : bundle.filter.agent_id === null
          ? `all (${many(bundle.agents)})`
          : `only ${bundle.filter.agent_id}`,
    ],
    ['Operations', `${many(bundle.records)}${run}`],
    ['Unreadable parts', survey.unreadable === 0 ? null : `${many(survey.unreadable)}, see Findings`],
    ['Payloads withheld', withheld],
    ['Epochs, events', `${counted(bundle.epochs, 'epoch')}, ${counted(bundle.admin_events, 'administrative event')}`],
    ['Export', `${bundle.export_id ?? UNKNOWN}, made ${bundle.created_at ?? UNKNOWN}`],
    ['Bundle', `${subject.attachedAs}, attached to this PDF, ${sizeInWords(digests.size)}`],
    ['Its digest', { text: digestInGroups(`sha256:${digests.sha256}`), style: mono }],
  ]);
  writeIssuer(flow, subject);
  flow.close();
}
