import type { ChosenReport, ChosenReportJudgement, ExaminerSignatureState, Verdict } from '../../protocol/index.ts';

/** What a report of chosen records says for people who know nothing of signatures: the same on paper and in a browser. */

const count = (records: number): string =>
  records === 1 ? 'the record' : `each of the ${records.toLocaleString('en-US')} records`;

/** The state of a report in a few words, for its first line. */
export function verdictTitle({ verdict, proof, problems }: ChosenReportJudgement): string {
  if (verdict === 'verified') return 'Verified';
  if (verdict === 'failed') return problems.length > 0 && proof.verdict !== 'failed' ? 'Altered' : 'Failed';
  return 'Consistent, issuer not confirmed';
}

/**
 * What the verdict means, in a sentence or two.
 * @param whose whose trust it rests on: that of the reader, or of whoever made the report
 */
export function verdictMeaning({ verdict, summary }: ChosenReportJudgement, whose: 'reader' | 'maker'): string {
  const all = 'Every signature and every proof in this report holds';
  const meanings: Record<Verdict, string> = {
    verified:
      whose === 'reader'
        ? `${all}, and the issuer’s key is the one that you confirmed.`
        : `${all}, and whoever made the report named the issuer’s key as confirmed. Check it again with the fingerprint that you know.`,
    incomplete:
      `${all}. Whether the issuer is who it says only its fingerprint tells: compare it with what you received through a ` +
      'separate channel, such as a telephone call or a letter.',
    failed: `Do not rely on this report. ${summary}`,
  };
  return meanings[verdict];
}

/**
 * Above what people wrote in a report, wherever it stands: nothing of it is evidence.
 * @param what such as `Title`
 */
export function writtenBy(what: string, signature: ExaminerSignatureState): string {
  if (signature === 'valid') return `${what} of the examiner, signed with the examiner’s key`;
  if (signature === 'invalid') return `${what} under a signature that does not hold`;
  return `${what} of whoever made this report, signed by nobody`;
}

/** Who made a report, which nobody but the report itself says. */
export function statedExaminer({ examiner }: Pick<ChosenReport, 'examiner'>): string {
  return examiner === null ? 'nobody named' : `${examiner}, as the report says`;
}

/** Whose word the title, the question, the comments and the order are. */
export function makersWord(signature: ExaminerSignatureState, kid: string | null): string {
  const texts =
    'The title, the question, the comments, what is said of the clock, and the choice and order of the records';
  if (signature === 'valid') {
    return `${texts} are signed with the examiner’s key ${kid ?? ''}. Whose key that is, ask the examiner.`;
  }
  if (signature === 'invalid') return `${texts} bear a signature that does not hold.`;
  return `${texts} are nobody’s signed word: whoever hands on this report can have written them.`;
}

/** What holds where the report is verified. */
export function whatItProves(records: number): readonly string[] {
  return [
    `The agent that is named signed ${count(records)} with its own key. Not one character of a record was changed since.`,
    'The issuer received each record, gave it its number, noted the time by the issuer’s clock, and signed a receipt for it.',
    'Each record is sealed in the issuer’s ledger, under a signed fingerprint of many records together. Nobody can exchange, ' +
      'antedate or renumber a record afterwards without contradicting that seal, the issuer included.',
    'All of this can be checked again by anybody, without the issuer’s help, with the data that come with this report.',
  ];
}

/** What it never shows, whatever the verdict. */
export function whatItDoesNotProve(signature: ExaminerSignatureState): readonly string[] {
  return [
    'That what an agent recorded is true. The report shows that the agent recorded it, and when, and that the record is unchanged.',
    'Anything about other records. Whoever made this report chose these; records before, between and after them are not shown, ' +
      'and could give another picture. Only an export of the whole ledger shows that nothing is missing.',
    'Whether an agent was frozen, or its key revoked, when a record was received, beyond what the issuer’s signed statement about the key says.',
    'Who controlled an agent. If a record names a person, it is the agent that names them.',
    'That the clocks were right. Times are those of the agent and of the issuer. Where the issuer’s clock was set back later, the maker of this report ' +
      'says so next to the time; of a time without such a note nothing is said: the clock may have been set back since, or the note left out.',
    'What the organization and its agents are called. The proofs name them by their identifiers alone; a name in this report is the word of whoever wrote it.',
    ...(signature === 'valid' ? [] : [makersWord(signature, null)]),
  ];
}

/** How to check a report, as commands. */
export function checkCommands(file: string): readonly string[] {
  return [`countersign verify ${file} --trust FINGERPRINT`, `node verify-bundle.mjs ${file} --trust FINGERPRINT`];
}
