/** README's drawing of the way from an agent to a verifier, for pages in light and in dark. */

interface Colours {
  readonly text: string;
  readonly muted: string;
  readonly box: string;
  readonly edge: string;
  readonly accent: string;
  readonly file: string;
}

const COLOURS: Readonly<Record<'light' | 'dark', Colours>> = {
  light: { text: '#1b2a31', muted: '#51616a', box: '#f4f7f8', edge: '#8a9aa3', accent: '#0f5b73', file: '#fdf3dc' },
  dark: { text: '#e6edf0', muted: '#a3b3bb', box: '#1a242a', edge: '#5f717b', accent: '#6cc4dd', file: '#332a14' },
};

const WIDTH = 900;
const HEIGHT = 330;

interface Box {
  readonly x: number;
  readonly title: string;
  readonly lines: readonly string[];
  readonly width: number;
  readonly isFile?: boolean;
}

const TOP = 92;
const BOX_HEIGHT = 116;
const BOXES = {
  agent: {
    x: 8,
    width: 164,
    title: 'Agent',
    lines: ['signs each action', 'with a key of its own,', 'keeps the receipts'],
  },
  service: {
    x: 246,
    width: 222,
    title: 'Service',
    lines: ['checks, chains, countersigns;', 'seals records in epochs', 'under a signed Merkle root'],
  },
  bundle: {
    x: 544,
    width: 132,
    title: 'Bundle',
    lines: ['one file: records,', 'receipts, proofs', '(.csbundle)'],
    isFile: true,
  },
  verifier: {
    x: 748,
    width: 144,
    title: 'Verifier',
    lines: ['offline: a window,', 'a command, or one', 'file of JavaScript'],
  },
} as const satisfies Record<string, Box>;

export function drawing(theme: 'light' | 'dark'): string {
  const colours = COLOURS[theme];
  const middle = TOP + BOX_HEIGHT / 2;
  const rightOf = ({ x, width }: Box): number => x + width;
  const centre = ({ x, width }: Box): number => x + width / 2;
  const { agent, service, bundle, verifier } = BOXES;
  const arrow = (path: string, dashed = false): string =>
    `<path d="${path}" fill="none" stroke="${colours.accent}" stroke-width="1.8"${dashed ? ' stroke-dasharray="5 4"' : ''} marker-end="url(#tip)"/>`;
  const words = (x: number, y: number, text: string): string =>
    `<text x="${x}" y="${y}" text-anchor="middle" font-size="13" fill="${colours.muted}">${text}</text>`;
  const bottom = TOP + BOX_HEIGHT;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif">`,
    '<title>From the agent to the verifier</title>',
    '<desc>An agent signs each action and sends the record to the service. The service returns a countersigned receipt, which the agent keeps, and seals the records. It exports a bundle, one file, which a verifier checks offline with the fingerprint of the service key, which came through a separate channel, and with the receipts that agents kept.</desc>',
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0l8 4-8 4z" fill="${colours.accent}"/></marker></defs>`,
    ...Object.values<Box>(BOXES).map((box) => boxOf(box, colours)),
    arrow(`M${rightOf(agent) + 4} ${middle - 18}H${service.x - 5}`),
    words((rightOf(agent) + service.x) / 2, middle - 27, 'record'),
    arrow(`M${service.x - 4} ${middle + 20}H${rightOf(agent) + 5}`),
    words((rightOf(agent) + service.x) / 2, middle + 40, 'receipt'),
    arrow(`M${rightOf(service) + 4} ${middle}H${bundle.x - 5}`),
    words((rightOf(service) + bundle.x) / 2, middle - 9, 'export'),
    arrow(`M${rightOf(bundle) + 4} ${middle}H${verifier.x - 5}`),
    words((rightOf(bundle) + verifier.x) / 2, middle - 9, 'any way'),
    arrow(`M${centre(service)} ${TOP - 4}V44H${centre(verifier)}V${TOP - 5}`, true),
    words(
      (centre(service) + centre(verifier)) / 2,
      34,
      'fingerprint of the service key, through a separate channel: a call, a printed page',
    ),
    arrow(`M${centre(agent)} ${bottom + 4}V264H${centre(verifier)}V${bottom + 5}`, true),
    words(
      (centre(agent) + centre(verifier)) / 2,
      284,
      'receipts that agents kept: a record that the bundle leaves out is found',
    ),
    words(WIDTH / 2, 316, 'The verdict is verified, failed or incomplete, and names every record concerned.'),
    '</svg>',
  ].join('\n')}\n`;
}

function boxOf({ x, width, title, lines, isFile = false }: Box, colours: Colours): string {
  const texts = lines.map(
    (line, n) =>
      `<text x="${x + width / 2}" y="${TOP + 58 + n * 19}" text-anchor="middle" font-size="13" fill="${colours.muted}">${line}</text>`,
  );
  return [
    `<rect x="${x}" y="${TOP}" width="${width}" height="${BOX_HEIGHT}" rx="8" fill="${isFile ? colours.file : colours.box}" stroke="${colours.edge}"/>`,
    `<text x="${x + width / 2}" y="${TOP + 32}" text-anchor="middle" font-size="17" font-weight="600" fill="${colours.text}">${title}</text>`,
    ...texts,
  ].join('\n');
}
