import type { AnswerOf } from '../../api/index.ts';
import {
  type CaseSubject,
  CUSTODY_ENTRY,
  caseSignature,
  caseSignedBytes,
  custodyHash,
  thumbprint,
} from '../../protocol/index.ts';
import { call } from '../api/call.ts';
import { addKey, type Person } from './decide.ts';
import { signWith } from './key-store.ts';
import { signingKeyOf } from './signing-key.ts';

/** Somebody who signs what they did with a case: who is signed in, by the address that the log has. */
export interface CaseSigner extends Person {
  readonly email: string;
}

/** Signs one subject after the other, each with its own bytes. @returns null where this browser has no key */
async function signAll(person: CaseSigner, subjects: readonly CaseSubject[]) {
  const found = await signingKeyOf(person);
  if (found === null) return null;
  const { key, publicKey } = found;
  const by = { signer: person.email, signed_at: new Date().toISOString() };
  const kid = thumbprint(publicKey);
  return Promise.all(
    subjects.map(async (subject) =>
      caseSignature(publicKey, by, await signWith(key, caseSignedBytes(subject, kid, by))),
    ),
  );
}

/** An entry that is to be signed, with the text that was shown. */
export type EntryToSign = Pick<AnswerOf<'custody'>['data'][number], 'entry_no' | 'entry_hash' | 'entry'>;

/** Whose entries are signed. */
export interface CaseToSign {
  readonly caseId: string;
  readonly caseSha256: string;
  /** The case that its custody log names; null of an older log. */
  readonly logId: string | null;
}

/** What is signed is the hash of the text that was shown: a hash that came with it may be that of another text. */
function shownHash(case_sha256: string, { entry_no, entry }: EntryToSign): string | null {
  return entry === null ? null : custodyHash({ type: CUSTODY_ENTRY, case_sha256, entry_no, ...entry });
}

/**
 * Signs entries of one's own in the custody log of a case.
 * @param makesKey whether a key is made where this browser has none, for which the person may have to prove who they are
 * @returns how many the service kept; null where this browser has no key
 * @throws CallFailed, Error for a browser that cannot sign
 */
export async function signEntries(
  person: CaseSigner,
  { caseId, caseSha256, logId }: CaseToSign,
  entries: readonly EntryToSign[],
  makesKey: boolean,
): Promise<number | null> {
  if (entries.some((entry) => shownHash(caseSha256, entry) !== entry.entry_hash)) {
    throw new Error('an entry is not what its hash is of: nothing was signed');
  }
  if (logId !== null && logId !== caseId) throw new Error('the custody log is of another case: nothing was signed');
  const named = logId === null ? {} : { log_id: caseId };
  const type = 'countersign.custody-signature.v1';
  const subjects = entries.map(
    ({ entry_no, entry_hash }) => ({ type, case_sha256: caseSha256, entry_no, entry_hash, ...named }) as const,
  );
  if (makesKey && (await signingKeyOf(person)) === null) await addKey(person);
  const made = await signAll(person, subjects);
  if (made === null) return null;
  const signatures = entries.flatMap(({ entry_no, entry_hash }, index) => {
    const signature = made[index];
    return signature === undefined ? [] : [{ entry_no, entry_hash, signature }];
  });
  return (await call('signCustody', { params: { case_id: caseId }, body: { signatures } })).signed;
}

/** The manifest that a case would be saved with now, and what does not hold in its log. @throws CallFailed */
export function draftCaseFile(caseId: string): Promise<AnswerOf<'draftCase'>> {
  return call('draftCase', { params: { case_id: caseId } });
}

/**
 * Has the service make the file that was drafted, its manifest signed where this browser has a key.
 * @throws CallFailed
 */
export async function saveCaseFile(
  person: CaseSigner | null,
  caseId: string,
  { case_sha256, manifest_sha256, made_at }: AnswerOf<'draftCase'>,
) {
  const params = { case_id: caseId };
  if (person === null) return call('saveCase', { params, body: {} });
  const made = await signAll(person, [{ type: 'countersign.case-signature.v1', case_sha256, manifest_sha256 }]);
  const signature = made?.[0];
  const body = signature === undefined ? {} : { sealed: { made_at, manifest_sha256, signature } };
  return call('saveCase', { params, body });
}
