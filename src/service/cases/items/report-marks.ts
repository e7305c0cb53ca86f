import { createReadStream } from 'node:fs';
import type { CaseItemKind } from '../../../api/index.ts';
import { MarkedSource } from '../../../node/index.ts';
import { ExtractError, readChosenFile } from '../../../reports/pdf/index.ts';
import { markIn } from './mark-in.ts';

export { mayBeChosenReport } from '../../../reports/pdf/index.ts';

/** A text that the head of an HTML report has, also where the rest of it is damaged. */
const HTML_MARK = 'id="countersign-report"';

/** Whether an HTML file says that it is a report: any other is an attachment. */
export function looksLikeReport(head: Uint8Array): boolean {
  return markIn(head, HTML_MARK);
}

/** A text that every PDF report has, as the name of its attachments. */
const PDF_MARK = 'countersign-';

/**
 * What a PDF is. One that was a report and is not any more (damaged, cut off, saved by another program) is called one: whoever
 * verifies it says what is wrong.
 */
export async function kindOfPdf(path: string, head: Uint8Array): Promise<CaseItemKind> {
  try {
    return (await readChosenFile(path, head)) === null ? 'report-pdf' : 'record-report';
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    if (error.code === 'ATTACHMENT_DAMAGED') return 'report-pdf';
    return (await isMarked(path)) ? 'report-pdf' : 'pdf';
  }
}

async function isMarked(path: string): Promise<boolean> {
  const marked = new MarkedSource(() => createReadStream(path), PDF_MARK);
  for await (const _ of marked.source()) if (marked.isMarked) return true;
  return marked.isMarked;
}
