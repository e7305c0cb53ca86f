import { fingerprintDigits, type VerificationReport } from '../../../protocol/index.ts';
import { type Flow, lineHeight } from '../layout/flow.ts';
import { breakLines } from '../layout/lines.ts';
import { COLOURS } from '../layout/theme.ts';
import { qrCode } from '../qr.ts';
import { kidInGroups } from '../text/groups.ts';

const QR_SIZE = 92;

/** The issuer's fingerprint for people, and as a QR code for a camera. */
export function writeIssuer(flow: Flow, report: Pick<VerificationReport, 'issuer'>): void {
  const { styles } = flow;
  flow.heading(2, 'Issuer', { keep: QR_SIZE + 10 });
  const { kid, pinned } = report.issuer;
  if (kid === null) {
    flow.paragraph('The key that the issuer signed with could not be read.');
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
