import { readFile } from 'node:fs/promises';
import { resourcePath } from '../../node/index.ts';
import type { ReportAttachment } from './pdf-report.ts';

/** What it is called as an attachment. */
export const VERIFIER_FILE_NAME = 'verify-bundle.mjs';

/** The verifier in one file, for whoever does not have this product (docs/verify-without-countersign.md). */
export const VERIFIER_FILE = resourcePath('verifier', VERIFIER_FILE_NAME);

/** The same as an attachment of a report. */
export async function verifierAttachment(): Promise<ReportAttachment> {
  return {
    name: VERIFIER_FILE_NAME,
    type: 'text/javascript',
    description: 'A verifier in one file: node verify-bundle.mjs BUNDLE --trust KID',
    bytes: await readFile(VERIFIER_FILE),
  };
}
