import type { ChosenReportBody } from '../../api/index.ts';
import { chosenReportSignedBytes, examinerSignature, parseChosenReport } from '../../protocol/index.ts';
import type { Ledger } from '../api/ledger/ledger.ts';
import type { ReportRequest } from '../lib/report-draft.ts';
import type { Person } from './decide.ts';
import { signWith } from './key-store.ts';
import { isDraftOf } from './report-draft-check.ts';
import { signingKeyOf } from './signing-key.ts';
import { SIGN_REPORT } from './texts.ts';

/**
 * Has the service draft a report of chosen records, and signs the draft with the key of this browser, where it is what was
 * asked for.
 * @param ledger of the records
 * @param operations the operation_id of each record, by its number
 * @throws CallFailed; Error where this browser has no key any more, or the draft is another report
 */
export async function signReport(
  person: Person,
  ledger: Ledger,
  { title, question, examiner, entries }: ReportRequest,
  operations: ReadonlyMap<number, string>,
): Promise<NonNullable<ChosenReportBody['signed']>> {
  const signing = await signingKeyOf(person);
  if (signing === null) throw new Error(SIGN_REPORT.keyGone);
  const words = { title, question, entries, ...(examiner === undefined ? {} : { examiner }) };
  const file = await ledger.fetchFile('draftReport', { body: words });
  const draft = parseChosenReport(new Uint8Array(await file.arrayBuffer()));
  const { corrected_times: corrected } = await ledger.call('ledgerSummary');
  if (!isDraftOf(draft, words, operations, corrected)) throw new Error(SIGN_REPORT.otherReport);
  const value = await signWith(signing.key, chosenReportSignedBytes(draft));
  const { made_at, digest } = draft;
  return { made_at, digest, signature: examinerSignature(signing.publicKey, value) };
}
