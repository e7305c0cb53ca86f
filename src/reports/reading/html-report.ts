import { decodeUtf8, type FileChange, MAX_CHOSEN_REPORT_BYTES, ProtocolError, utf8 } from '../../protocol/index.ts';
import { ExtractError } from './extract-error.ts';

/** The element that the data of an HTML report are in, as every browser writes it when it saves a page. */
const DATA_ELEMENT = '<script type="application/json" id="countersign-report">';

/** What an HTML report begins with, byte for byte: nothing that a browser could take for something else comes before its data. */
export const HTML_HEAD = `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n${DATA_ELEMENT}`;

/** What stands behind the data, and behind that the version of the program that made the page. */
const DATA_END = '</script>';
const BEHIND = `${DATA_END}\n<meta name="generator" content="Countersign `;

/** The largest HTML report, in bytes: its data with every `<` spelled longer, and a page around them. */
export const MAX_HTML_BYTES = MAX_CHOSEN_REPORT_BYTES + 8 * 1024 * 1024;

/** What is in an HTML report of chosen records. */
export interface HtmlReport {
  /** The data as they are spelled there. */
  readonly data: Uint8Array;
  /** Of the program that says it made the page; null where the page does not begin as one does. */
  readonly version: string | null;
  /** What another program did to the page; null where it begins as it was written. */
  readonly change: FileChange | null;
}

/** Whether a file begins as HTML does, after what a browser passes over, which JSON never does: then it is a report of ours or none at all. */
export function looksLikeHtml(head: Uint8Array): boolean {
  const text = Array.from(head.subarray(0, 64), (byte) => String.fromCharCode(byte)).join('');
  return /^(?:\xef\xbb\xbf)?\s*</.test(text);
}

function foreign(): ExtractError {
  return new ExtractError(
    'NOT_A_REPORT',
    'is HTML, and not a report as Countersign writes it, or another program changed it',
  );
}

/** What another program did to a page, as far as its beginning shows it. */
function changeOf(text: string): FileChange | null {
  if (text.startsWith(HTML_HEAD)) return text.includes('\r') ? 'line_ends' : null;
  if (text.startsWith('\ufeff')) return 'byte_order_mark';
  return text.replaceAll('\r\n', '\n').startsWith(HTML_HEAD) ? 'line_ends' : 'rewritten';
}

/**
 * Takes the data out of an HTML report: the content of the one element that has them, wherever in the page it stands. The page
 * around them is not looked at.
 * @throws ExtractError NOT_A_REPORT, also where there are two such elements, of which a reader could take either
 */
export function readHtmlReport(bytes: Uint8Array): HtmlReport {
  if (bytes.length > MAX_HTML_BYTES) throw foreign();
  let text: string;
  try {
    text = decodeUtf8(bytes);
  } catch (error) {
    if (error instanceof ProtocolError) throw foreign();
    throw error;
  }
  const element = text.indexOf(DATA_ELEMENT);
  if (element < 0 || text.includes(DATA_ELEMENT, element + 1)) throw foreign();
  const from = element + DATA_ELEMENT.length;
  // Data as they are written never hold this sign: nothing in them ends the element that they stand in, or begins a comment.
  const end = text.indexOf('<', from);
  if (end < 0 || !text.startsWith(DATA_END, end)) throw foreign();
  const change = changeOf(text);
  const version = /^([0-9A-Za-z.+-]{1,40})"/.exec(text.slice(end + BEHIND.length, end + BEHIND.length + 41))?.[1];
  const isOurs = change === null && text.startsWith(BEHIND, end) && version !== undefined;
  return {
    data: utf8(text.slice(from, end)),
    version: isOurs ? version : null,
    change: isOurs ? null : (change ?? 'rewritten'),
  };
}

/** Head, data and version as readHtmlReport finds them; the rest of the page comes behind. */
export function beginHtmlReport(data: string, version: string): string {
  return `${HTML_HEAD}${data.replaceAll('<', '\\u003c')}${BEHIND}${version}">\n`;
}
