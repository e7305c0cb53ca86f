import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { VERIFIER_FILE } from '../../node/light.ts';
import type { ReportAttachment } from './pdf-report.ts';

/** What the verifier in one file is called as an attachment. */
export const VERIFIER_FILE_NAME = basename(VERIFIER_FILE);

/** The verifier in one file as an attachment of a report. */
export async function verifierAttachment(): Promise<ReportAttachment> {
  return {
    name: VERIFIER_FILE_NAME,
    type: 'text/javascript',
    description: 'A verifier in one file: node verify-bundle.mjs BUNDLE --trust KID',
    bytes: await readFile(VERIFIER_FILE),
  };
}
