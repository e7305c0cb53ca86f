import { readFile } from 'node:fs/promises';
import { resourcePath } from '../../../node/index.ts';
import type { ChosenReport } from '../../../protocol/index.ts';
import { makeHtmlPage } from '../../chosen/index.ts';

/**
 * A report of chosen records as one HTML file: its page, with the script and the style sheet that come with the product. The
 * same data and version give the same text.
 */
export async function chosenHtml(report: ChosenReport, version: string): Promise<string> {
  const part = (name: string): Promise<string> => readFile(resourcePath('report-page', name), 'utf8');
  const [script, style] = [await part('report-page.js'), await part('report-page.css')];
  return makeHtmlPage(report, { script, style, version });
}
