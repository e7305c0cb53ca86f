import { type ExaminerKey, examinerProblems } from '../protocol/index.ts';
import type { CheckedCaseFile } from '../service/light.ts';

/** What came of a case file, and whose keys the reader named. */
export interface JudgedCase {
  readonly checked: CheckedCaseFile;
  readonly examiners: readonly ExaminerKey[];
  /** Why it is not established who signed. */
  readonly persons: ReturnType<typeof examinerProblems>;
  readonly verdict: 'verified' | 'failed' | 'incomplete';
  /** Why it is no better, a sentence each. */
  readonly reasons: readonly string[];
}

/** Who signed something of a case, by what the file says: entries of the log, and the manifest after all of them. */
function signedAs({ custody, seal }: Pick<CheckedCaseFile, 'custody' | 'seal'>) {
  const end = (custody.head?.entry_no ?? 0) + 1;
  const sealed = seal === null ? [] : [{ kid: seal.kid, signer: seal.signer, first: end, last: end }];
  const joined = new Map<string, (typeof sealed)[number]>();
  for (const { kid, signer, first, last } of [...custody.examiners, ...sealed]) {
    const name = `${kid} ${signer}`;
    joined.set(name, { kid, signer, first: joined.get(name)?.first ?? first, last });
  }
  return [...joined.values()];
}

export function judgeCase(checked: CheckedCaseFile, named: readonly ExaminerKey[]): JudgedCase {
  const { items, custody, findings, seal } = checked;
  const bad = items.filter(({ verdict }) => verdict === 'failed');
  const persons = examinerProblems(signedAs(checked), named);
  const impostors = persons.filter(({ code }) => code === 'KEY_OF_ANOTHER');
  if (findings.length > 0 || bad.length > 0 || impostors.length > 0) {
    const reasons = [
      ...findings.map(({ code, message }) => `${code}: ${message}`),
      ...impostors.map(({ code, message }) => `${code}: ${message}`),
      ...bad.map(({ item_no, summary }) => `item ${item_no}: ${summary}`),
    ];
    return { checked, examiners: named, persons, verdict: 'failed', reasons };
  }
  const open = items.filter(({ verdict }) => verdict === 'incomplete');
  const reasons = [
    ...(items[0]?.code === 'NOT_SIGNED' ? ['item 1 holds what nobody signed when it happened'] : []),
    ...open.map(({ item_no, summary }) => `item ${item_no}: ${summary}`),
    ...(custody.signatures.unsigned === 0
      ? []
      : [`entries of the custody log that nobody signed: ${custody.signatures.unsigned}`]),
    ...(seal === null ? ['nobody signed the manifest: whoever changes the file can write another'] : []),
    ...persons.map(({ code, message }) => `${code}: ${message}`),
  ];
  return { checked, examiners: named, persons, verdict: reasons.length === 0 ? 'verified' : 'incomplete', reasons };
}
