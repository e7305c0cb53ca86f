import {
  type ChosenReport,
  chosenReportBytes,
  decodeUtf8,
  sha256,
  toBase64Url,
  utf8,
  visibleText,
} from '../../protocol/index.ts';
import { escapeHtml } from '../../protocol/text/index.ts';
import { beginHtmlReport } from '../reading/index.ts';
import { checkCommands } from './words.ts';

/** What every page has in it besides its data: built from src/reports/page, the same for all reports of a version. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
  /** Version of the product. */
  readonly version: string;
}

/** A source for a Content-Security-Policy: this text and no other. */
function hashSource(text: string): string {
  const base64 = toBase64Url(sha256(utf8(text)))
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  return `'sha256-${base64}='`;
}

/** What stands there until the script runs, and where it does not, or was altered: nothing of the report is shown unverified. */
function withoutScript(title: string): string {
  const commands = checkCommands('FILE.html').map((command) => `<pre>${escapeHtml(command)}</pre>`);
  return (
    `<main>\n<h1>${escapeHtml(title)}</h1>\n<p>This file is a report of records from a Countersign ledger. Its page checks the proofs in ` +
    'it before it shows anything, and needs scripts to do so. It loads nothing and sends nothing: it works without a network.</p>\n' +
    '<p>Open the file in a browser that runs scripts. If yours does, the script of this file was changed: do not rely on the file. A program ' +
    'that you got from somebody you trust checks it too:</p>\n' +
    `${commands.join('\n')}\n</main>`
  );
}

/**
 * A report of chosen records as one HTML file, which needs nothing else and reaches for nothing else. The same report and
 * parts give the same text. What the page shows it reads out of its data, once it has verified them.
 */
export function makeHtmlPage(report: ChosenReport, { script, style, version }: PageParts): string {
  const data = decodeUtf8(chosenReportBytes(report));
  const title = visibleText(report.title);
  const policy = [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
    `style-src ${hashSource(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return (
    beginHtmlReport(data, version) +
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
    '<meta name="referrer" content="no-referrer">\n' +
    `<title>${escapeHtml(title)}</title>\n<style>${style}</style>\n</head>\n<body>\n` +
    `<div id="report">${withoutScript(title)}</div>\n<script>${script}</script>\n</body>\n</html>\n`
  );
}
