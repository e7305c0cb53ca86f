import type { Fork, ForksReport } from './find-forks.ts';
import type { HeldProblemCode } from './held-file.ts';

/** Why something of a file was not compared; said of the file. @param count how much of it */
const PROBLEMS: Readonly<Record<HeldProblemCode, (count: number) => string>> = {
  UNREADABLE: () => 'cannot be read as any kind of file that is compared: nothing of it was',
  NOT_SIGNED: (count) =>
    `${count} of its statements are not signed by the service: they accuse nobody, and were not compared`,
  KEY_UNKNOWN: (count) =>
    `the key that signed ${count} of its statements is in none of the files: give a bundle of the service with it`,
  MALFORMED: (count) => `${count} of its parts cannot be read, and were not compared`,
  TOO_MANY_BRANCHES: (count) => `${count} more of its files contradict all lines that are told apart`,
};

export function describeHeldProblem({ code, count }: ForksReport['problems'][number]): string {
  return PROBLEMS[code](count);
}

/** Up to where two lines of a ledger are the same, and from where they are not. */
export function describeFork({ last_common: last, first_different: first }: Fork): string {
  const common = last === null ? 'nothing in common before' : `the same up to No. ${last.toLocaleString('en')}`;
  if (first === null) return `${common}; they differ in keys or events`;
  const exact = last === first - 1 ? '' : ' at the latest';
  return `${common}, different from No. ${first.toLocaleString('en')}${exact}`;
}

/** What came of comparing files, in a sentence or two. */
export function summarizeForks({ verdict, ledgers, problems }: ForksReport): string {
  if (ledgers.length === 0) return 'No file was compared.';
  const isTrusted = ledgers.every(({ issuer }) => issuer.trusted);
  const stranger = isTrusted ? '' : ' You do not trust every key that signed: it may be anybody.';
  if (verdict === 'failed') {
    return `Different people were shown different things, signed by one service. Who relies on it has to ask which is true.${stranger}`;
  }
  const isWhole = problems.length === 0 && ledgers.every(({ apart }) => apart.length === 0);
  return `${isWhole ? 'No file contradicts another.' : 'No contradiction was found, but not everything was compared.'}${stranger}`;
}
