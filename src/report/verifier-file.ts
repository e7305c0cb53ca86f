import { readFile } from 'node:fs/promises';
import { resourcePath } from '../host/index.ts';
import type { ReportAttachment } from './pdf-report.ts';

/** The verifier in one file, for whoever does not have this product (docs/verify-without-countersign.md). */
export const VERIFIER_FILE = resourcePath('verifier', 'verify-bundle.mjs');

/** The same as an attachment of a report. */
export async function verifierAttachment(): Promise<ReportAttachment> {
  return {
    name: 'verify-bundle.mjs',
    type: 'text/javascript',
    description: 'A verifier in one file: node verify-bundle.mjs BUNDLE --trust KID',
    bytes: await readFile(VERIFIER_FILE),
  };
}
