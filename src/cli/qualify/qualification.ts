import type { FindingCode, Verdict } from '../../protocol/index.ts';
import type { Bundle } from './bundle.ts';
import { type Copy, type Expectation, type Given, type Mutation, Subject } from './mutation.ts';

/** What a verifier said of one copy; `unreadable` is exit code 2: not a bundle at all. */
export interface Judgement {
  readonly verdict: Verdict | 'unreadable';
  /** The finding that others follow from; where records contradict each other, the first of those findings. */
  readonly finding: string | null;
  /** The codes of all findings; contradictions of coherence, where that was asked for, among them. */
  readonly codes: readonly string[];
  /** Whether the records fit together, where that was asked for and there are such records. */
  readonly coherent?: boolean;
  /** What the verifier in one file said, where it was asked. */
  readonly singleFile?: Verdict | 'unreadable';
}

/** What a verifier is asked about a copy. */
export interface Question extends Given {
  /** Whether it is to say if the records fit together. */
  readonly coherence: boolean;
}

/** One mutated copy and its result. */
export interface Outcome extends Omit<Judgement, 'codes'> {
  readonly at: string;
  /** Whether verdict and finding are the expected ones, and nobody was accused falsely; for a control that it was not refused. */
  readonly detected: boolean;
  /** Whether both verifiers agree; true where only one was asked. */
  readonly agreed: boolean;
}

/** One kind of mutation and the results of its copies, or why there are none. */
export interface Row {
  readonly id: string;
  readonly title: string;
  readonly attack: string;
  readonly expected: Expectation;
  /** The finding that must be among the others, where one is demanded. */
  readonly expected_finding: string | null;
  readonly not_applicable: string | null;
  readonly copies: readonly Outcome[];
}

/** The detection matrix. */
export interface Qualification {
  readonly kinds: number;
  readonly applied: number;
  readonly copies: number;
  /** Copies whose verdict was not the expected one, or on which two verifiers disagree. */
  readonly undetected: number;
  readonly rows: readonly Row[];
}

export interface QualifyOptions {
  readonly seed: string;
  readonly catalogue: readonly Mutation[];
  /** Verifies a copy as the user would, with the keys that the user trusts and what else is given. */
  readonly judge: (copy: string | Uint8Array, question: Question) => Promise<Judgement>;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Findings that two statements of the service cannot both be true. */
const ACCUSING = ['EQUIVOCATION', 'CONTRADICTION'] as const satisfies readonly FindingCode[];

const asksCoherence = (expected: Expectation): boolean => expected === 'coherent' || expected === 'incoherent';

function isExpected({ verdict, coherent }: Judgement, expected: Expectation): boolean {
  switch (expected) {
    case 'verified':
      return verdict === 'verified';
    case 'unverified':
      return verdict !== 'verified';
    case 'failed':
      return verdict === 'failed' || verdict === 'unreadable';
    default:
      // What is not sound in itself would be found without its contents.
      return verdict === 'incomplete' && coherent === (expected === 'coherent');
  }
}

/** What is not readable has failed: the two verifiers may differ in where they stop reading. */
function asVerdict(verdict: Judgement['verdict']): Verdict {
  return verdict === 'unreadable' ? 'failed' : verdict;
}

async function tryCopy(
  copy: Copy,
  { expected, finding, isHonest }: Pick<Mutation, 'expected' | 'finding' | 'isHonest'>,
  judge: QualifyOptions['judge'],
): Promise<Outcome> {
  const judgement = await judge(copy.make(), { ...copy.given?.(), coherence: asksCoherence(expected) });
  const { codes, ...shown } = judgement;
  const { verdict, singleFile } = judgement;
  const isFound = finding === undefined || codes.includes(finding);
  const isAccused = isHonest === true && ACCUSING.some((code) => codes.includes(code));
  return {
    at: copy.at,
    ...shown,
    detected: isExpected(judgement, expected) && isFound && !isAccused,
    agreed: singleFile === undefined || asVerdict(singleFile) === asVerdict(verdict),
  };
}

/** Mutates a verified bundle in every way of the catalogue, one copy after the other, and has each one verified. */
export async function qualify(bundle: Bundle, options: QualifyOptions): Promise<Qualification> {
  const subject = new Subject(bundle, options.seed);
  const planned = options.catalogue.map((mutation) => ({ mutation, copies: mutation.copies(subject) }));
  const total = planned.reduce((sum, { copies }) => sum + (typeof copies === 'string' ? 0 : copies.length), 0);
  const rows: Row[] = [];
  let done = 0;
  for (const { mutation, copies } of planned) {
    const { id, title, attack, expected, finding = null } = mutation;
    const outcomes: Outcome[] = [];
    for (const copy of typeof copies === 'string' ? [] : copies) {
      outcomes.push(await tryCopy(copy, mutation, options.judge));
      options.onProgress?.(++done, total);
    }
    rows.push({
      id,
      title,
      attack,
      expected,
      expected_finding: finding,
      not_applicable: typeof copies === 'string' ? copies : null,
      copies: outcomes,
    });
  }
  const all = rows.flatMap(({ copies }) => copies);
  return {
    kinds: rows.length,
    applied: rows.filter(({ copies }) => copies.length > 0).length,
    copies: all.length,
    undetected: all.filter(({ detected, agreed }) => !detected || !agreed).length,
    rows,
  };
}
