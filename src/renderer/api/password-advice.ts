/** How easily a password would be guessed, by an estimate on this machine. */
import { PASSWORD_ADVICE } from './texts.ts';
export interface PasswordAdvice {
  /** 0 to 4. */
  readonly score: number;
  readonly level: 'weak' | 'fair' | 'good';
  readonly sentence: string;
}

interface Estimator {
  check(password: string): { readonly score: number };
}

let estimator: Promise<Estimator> | null = null;

/** Library and lists are half a megabyte: loaded when somebody chooses a password, from the service itself. */
function loaded(): Promise<Estimator> {
  estimator ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }]) =>
      new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, useLevenshteinDistance: false }),
  );
  return estimator;
}

/** Of a longer password only the beginning is looked at: the estimate takes time with its length. */
const MAX_LOOKED_AT = 64;

const SENTENCES = [
  PASSWORD_ADVICE.veryWeak,
  PASSWORD_ADVICE.weak,
  PASSWORD_ADVICE.fair,
  PASSWORD_ADVICE.good,
  PASSWORD_ADVICE.strong,
] as const;

/** What to say of a password; null while there is none. */
export async function passwordAdvice(password: string): Promise<PasswordAdvice | null> {
  if (password === '') return null;
  const { score } = (await loaded()).check(password.slice(0, MAX_LOOKED_AT));
  const level = score < 2 ? 'weak' : score < 3 ? 'fair' : 'good';
  return { score, level, sentence: SENTENCES[score as 0 | 1 | 2 | 3 | 4] };
}
