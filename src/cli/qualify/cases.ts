import { writeBundle } from './bundle.ts';
import { ADA, BEN, CASE_ID, type Case, caseFile, caseOf, EXAMINERS, relinked, sealed, stated } from './case-file.ts';
import type { Expectation, Mutation, Subject } from './mutation.ts';

function caseMutation(
  [id, title, attack]: readonly [string, string, string],
  change: (honest: Case, subject: Subject) => Case | Uint8Array,
  finding?: string,
  expected: Expectation = 'failed',
): Mutation {
  return {
    id: `case-${id}`,
    title: `a case file: ${title}`,
    attack,
    expected,
    ...(finding === undefined ? {} : { finding }),
    copies: (subject) => {
      const make = (): Uint8Array => {
        const made = change(caseOf(subject.text, subject.bundle.manifest.created_at), subject);
        return made instanceof Uint8Array ? made : caseFile(made);
      };
      return [{ at: 'a case of the bundle', make, given: () => ({ examiners: EXAMINERS }) }];
    },
  };
}

/** The case with its notes changed. */
const noted = (honest: Case, note: string): Case => ({
  ...honest,
  notes: honest.notes.map((one) => ({ ...one, note })),
});

/** The case with the note changed in the log. */
const entered = (honest: Case, note: string): Case => ({
  ...honest,
  log: honest.log.map(({ entry, ...line }) => ({
    ...line,
    entry: 'note' in entry.details ? { ...entry, details: { ...entry.details, note } } : entry,
  })),
});

/** The case with its organization under a longer name. */
const otherItem = (honest: Case, { bundle }: Subject): Case => ({
  ...honest,
  item: writeBundle({ ...bundle, org: { ...bundle.org, name: `${bundle.org.name.slice(0, 1000)}, renamed` } }),
});

const again = (draft: Case, key = ADA.key): Case => sealed(stated(draft), key);
const NOTE = 'Nobody wanted this.';

/** Cases that an examiner made of the bundle, changed by whoever held the file, by a colleague or by the examiner. */
export const CASES: readonly Mutation[] = [
  caseMutation(
    ['control', 'made of the bundle and sealed by its examiner', 'none: control'],
    (honest) => honest,
    undefined,
    'verified',
  ),
  caseMutation(['item', 'its bundle edited', 'exchange the evidence'], otherItem, 'SIZE_MISMATCH'),
  caseMutation(
    ['item-stated', 'its bundle edited, with the digests made to fit', 'exchange the evidence'],
    (honest, subject) => stated(otherItem(honest, subject)),
    'SEAL_INVALID',
  ),
  caseMutation(
    ['item-sealed', 'its bundle edited, all signed again by its examiner', 'invent evidence'],
    (honest, subject) => again(relinked(otherItem(honest, subject), CASE_ID, ADA.key)),
  ),
  caseMutation(
    ['note', 'a note edited, all but the log sealed again', 'let a note say something else'],
    (honest) => again(noted(honest, NOTE)),
    'NOTE_CHANGED',
  ),
  caseMutation(
    ['note-removed', 'a note removed, all but the log sealed again', 'hide a note'],
    (honest) => again({ ...honest, notes: [] }),
    'NOTE_CHANGED',
  ),
  caseMutation(
    ['entry', 'an entry of the log edited, sealed again', 'deny what was done'],
    (honest) => again(entered(noted(honest, NOTE), NOTE)),
    'ENTRY_CHANGED',
  ),
  caseMutation(
    ['entry-hashed', 'an entry of the log edited with its hash and all after it, sealed again', 'deny what was done'],
    (honest) => again(relinked(entered(noted(honest, NOTE), NOTE), CASE_ID, null)),
    'SIGNATURE_INVALID',
  ),
  caseMutation(
    ['entry-removed', 'an entry of the log removed, sealed again', 'deny what was done'],
    (honest) => again({ ...honest, log: honest.log.toSpliced(0, 1) }),
    'ENTRY_MISSING',
  ),
  caseMutation(
    ['log-cut', 'the end of the log cut', 'deny what was done last'],
    (honest) => ({ ...honest, log: honest.log.slice(0, -1) }),
    'SIZE_MISMATCH',
  ),
  caseMutation(
    ['other-case', 'the log of another case of the same bundle, sealed again', "pass off another case's work"],
    (honest) => again({ ...honest, manifest: { ...honest.manifest, case_id: CASE_ID.replace('6f', '7f') } }),
    'OTHER_CASE',
  ),
  caseMutation(
    ['colleague', "a note rewritten in the examiner's name by a colleague, all signed again", 'put words into a mouth'],
    (honest) => again(relinked(entered(noted(honest, NOTE), NOTE), CASE_ID, BEN.key), BEN.key),
    'KEY_OF_ANOTHER',
  ),
  caseMutation(
    ['colleague-seals', "the manifest sealed again in the examiner's name by a colleague", 'vouch for somebody else'],
    (honest) => sealed({ ...honest, manifest: { ...honest.manifest, name: 'Nothing' } }, BEN.key),
    'KEY_OF_ANOTHER',
  ),
  caseMutation(
    ['unsealed', 'without its seal', 'deny who made it'],
    (honest) => ({ ...honest, seal: null }),
    undefined,
    'unverified',
  ),
  caseMutation(
    ['truncated', 'cut off', 'pass for a whole case'],
    (honest) => caseFile(honest).subarray(0, -2048),
    'FILE_CUT_OFF',
  ),
  caseMutation(
    ['appended', 'with bytes behind its end', 'carry along what nobody sees'],
    (honest) => Buffer.concat([caseFile(honest), Buffer.from(NOTE)]),
    'TRAILING_BYTES',
  ),
];
