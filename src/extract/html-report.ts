import { decodeUtf8, MAX_CHOSEN_REPORT_BYTES, ProtocolError, utf8 } from '../protocol/index.ts';
import { ExtractError } from './extract-error.ts';

/**
 * What an HTML report begins with, byte for byte. Its data come right after it, before anything that a browser could take for
 * something else, so that every reader finds the same ones.
 */
export const HTML_HEAD =
  '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<script type="application/json" id="countersign-report">';

/** What stands behind the data, before the version of the program that made the page. */
const BEHIND = '</script>\n<meta name="generator" content="Countersign ';

/** The largest HTML report, in bytes: its data with every `<` spelled longer, and a page around them. */
export const MAX_HTML_BYTES = MAX_CHOSEN_REPORT_BYTES + 8 * 1024 * 1024;

/** What is in an HTML report of chosen records. */
export interface HtmlReport {
  /** The data as they are spelled there. */
  readonly data: Uint8Array;
  /** Of the program that says it made the page. */
  readonly version: string;
}

/** Whether a file begins as HTML does, after what a browser passes over: then it is a report of ours or none at all. */
export function looksLikeHtml(head: Uint8Array): boolean {
  const text = Array.from(head.subarray(0, 64), (byte) => String.fromCharCode(byte)).join('');
  return /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|!--)/i.test(text);
}

function foreign(): ExtractError {
  return new ExtractError(
    'NOT_A_REPORT',
    'is HTML, and not a report as Countersign writes it, or another program changed it',
  );
}

/**
 * Takes the data out of an HTML report. The page around them is not looked at.
 * @throws ExtractError NOT_A_REPORT
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
  if (!text.startsWith(HTML_HEAD)) throw foreign();
  // Data as they are written never hold this sign: nothing in them ends the element that they stand in, or begins a comment.
  const end = text.indexOf('<', HTML_HEAD.length);
  if (end < 0 || !text.startsWith(BEHIND, end)) throw foreign();
  const from = end + BEHIND.length;
  const quote = text.indexOf('"', from);
  const version = text.slice(from, quote);
  if (quote < 0 || !/^[0-9A-Za-z.+-]{1,40}$/.test(version)) throw foreign();
  return { data: utf8(text.slice(HTML_HEAD.length, end)), version };
}

/** Head, data and version as readHtmlReport finds them; the rest of the page comes behind. */
export function beginHtmlReport(data: string, version: string): string {
  return `${HTML_HEAD}${data.replaceAll('<', '\\u003c')}${BEHIND}${version}">\n`;
}
