import type { FindingCode, Verdict } from '../protocol/index.ts';
import type { Bundle } from './bundle.ts';
import { type Copy, type Expectation, type Mutation, Subject } from './mutation.ts';

/** What a verifier said of one copy; `unreadable` is exit code 2: not a bundle at all. */
export interface Judgement {
  readonly verdict: Verdict | 'unreadable';
  /** The finding that others follow from. */
  readonly finding: FindingCode | null;
  /** Whether a finding says that the service contradicts itself. */
  readonly accuses: boolean;
  /** What the verifier in one file said, where it was asked. */
  readonly singleFile?: Verdict | 'unreadable';
}

/** One mutated copy and its result. */
export interface Outcome extends Omit<Judgement, 'accuses'> {
  readonly at: string;
  /** Whether the verdict is the expected one, and nobody was accused falsely; for a control that it was not refused. */
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
  /** Verifies a copy as the user would, with the keys that the user trusts; against another file, where one is given. */
  readonly judge: (copy: string | Uint8Array, against: string | null) => Promise<Judgement>;
  readonly onProgress?: (done: number, total: number) => void;
}

function isExpected(verdict: Judgement['verdict'], expected: Expectation): boolean {
  if (expected === 'verified') return verdict === 'verified';
  if (expected === 'unverified') return verdict !== 'verified';
  return verdict === 'failed' || verdict === 'unreadable';
}

/** What is not readable has failed: the two verifiers may differ in where they stop reading. */
function asVerdict(verdict: Judgement['verdict']): Verdict {
  return verdict === 'unreadable' ? 'failed' : verdict;
}

async function tryCopy(
  copy: Copy,
  { expected, isHonest = false }: { readonly expected: Expectation; readonly isHonest?: boolean },
  judge: QualifyOptions['judge'],
): Promise<Outcome> {
  const { accuses, ...judgement } = await judge(copy.make(), copy.against?.() ?? null);
  const { verdict, singleFile } = judgement;
  return {
    at: copy.at,
    ...judgement,
    detected: isExpected(verdict, expected) && !(isHonest && accuses),
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
    const { id, title, attack, expected } = mutation;
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
