import { fromBase64Url } from './encoding.ts';
import { fingerprintDigits, readFingerprintDigits } from './fingerprint.ts';
import { ProtocolError, unlessRefused } from './protocol-error.ts';
import { show } from './shape.ts';

/** A key that a reader compared with the person, as `KEY=PERSON` names it. */
export interface ExaminerKey {
  /** The 60 digits of its fingerprint without blanks, in whichever form it was named. */
  readonly key: string;
  /** As the file writes the person, character for character: an address in a case, whatever it says in a report. Or `NAME <ADDRESS>`. */
  readonly person: string;
}

/** Whether a file writes a person as a reader named them: `NAME <ADDRESS>` (RFC 5322, section 3.4; protocol R65) is either of the two, or both. */
function isCalled(person: string, written: string): boolean {
  const [, name, address] = /^(.+) <([^<> ]+)>$/su.exec(person) ?? [];
  return [person, name, address].includes(written);
}

function isKid(text: string): boolean {
  return unlessRefused(() => fromBase64Url(text, 32).length === 32, false);
}

const digitsOf = (kid: string): string => fingerprintDigits(kid).join('');

/** Reads `KEY=PERSON`; neither form of a key has a `=`, so the first one ends it. @throws ProtocolError SHAPE_INVALID */
function parseExaminerKey(text: string): ExaminerKey {
  const at = text.indexOf('=');
  const [given, person] = [at < 0 ? text : text.slice(0, at), at < 0 ? '' : text.slice(at + 1).trim()];
  const kid = given.replace(/\s/g, '');
  const key = readFingerprintDigits(given) ?? (isKid(kid) ? digitsOf(kid) : null);
  if (key !== null && person !== '') return { key, person };
  throw new ProtocolError(
    'SHAPE_INVALID',
    `expected KEY=PERSON with the fingerprint (60 digits) or the kid (43 characters) of the person's key, got ${show(text)}`,
  );
}

/** Reads several. @throws ProtocolError SHAPE_INVALID, also where one key is given to two persons */
export function parseExaminerKeys(texts: readonly string[]): ExaminerKey[] {
  const keys = texts.map(parseExaminerKey);
  for (const one of keys) {
    if (keys.every(({ key, person }) => person === one.person || key !== one.key)) continue;
    throw new ProtocolError('SHAPE_INVALID', `a key belongs to one person, and two are named for ${one.key}`);
  }
  return keys;
}

/** Whether a reader named a key for a person, for another one, or for nobody. */
export type ExaminerState = 'named' | 'another' | 'unnamed';

/** Whose key it is by what the reader compared. What a file says about it is the word of whoever made the file. */
export function examinerState(named: readonly ExaminerKey[], kid: string, person: string | null): ExaminerState {
  const digits = digitsOf(kid);
  const own = named.filter(({ key }) => key === digits);
  if (own.length === 0) return 'unnamed';
  // Who signs without a name claims to be nobody else.
  if (person === null) return 'named';
  return own.some((one) => isCalled(one.person, person)) ? 'named' : 'another';
}

/** Whom each key signed for first, with the place where it did: a key belongs to one person (protocol R65). */
export class KeyHolders {
  readonly #holders = new Map<string, { readonly signer: string; readonly place: number }>();

  /** @returns where the key signed for another person before; null where it did not */
  take(kid: string, signer: string, place: number): { readonly signer: string; readonly place: number } | null {
    const holder = this.#holders.get(kid) ?? { signer, place };
    this.#holders.set(kid, holder);
    return holder.signer === signer ? null : holder;
  }

  /** Whether some key signed for a person. */
  has(signer: string): boolean {
    return [...this.#holders.values()].some((holder) => holder.signer === signer);
  }
}

/** What somebody signed with one key, under one name. */
export interface SignedAs {
  readonly kid: string;
  /** As the signature says. */
  readonly signer: string;
  /** The first and the last place that it signed, in the order of the file. */
  readonly first: number;
  readonly last: number;
}

/** Why it is not established who signed. Those of KEY_OF_ANOTHER contradict what the reader knows, the others leave it open. */
export interface ExaminerProblem {
  readonly code: 'KEY_OF_ANOTHER' | 'KEY_NOT_NAMED' | 'TWO_KEYS';
  readonly kid: string;
  readonly message: string;
}

/**
 * Holds who is said to have signed against the keys that the reader compared with the persons. That one key signed for two persons needs no
 * reader: a log finds it by itself.
 */
export function examinerProblems(signed: readonly SignedAs[], named: readonly ExaminerKey[]): ExaminerProblem[] {
  return signed.flatMap((one): ExaminerProblem[] => {
    const { kid, signer } = one;
    const state = examinerState(named, kid, signer);
    if (state === 'named') return [];
    if (state === 'another') {
      const message = `a signature in the name of ${signer} is by a key that --examiner names for somebody else`;
      return [{ code: 'KEY_OF_ANOTHER', kid, message }];
    }
    const meanwhile = signed.some(
      (other) => other.signer === signer && other.kid !== kid && other.first <= one.last && one.first <= other.last,
    );
    if (meanwhile) {
      const message = `two keys signed at the same time in the name of ${signer}, and --examiner names one of them for nobody`;
      return [{ code: 'TWO_KEYS', kid, message }];
    }
    const message = `the file says that ${signer} signed, by a key that --examiner names for nobody`;
    return [{ code: 'KEY_NOT_NAMED', kid, message }];
  });
}
