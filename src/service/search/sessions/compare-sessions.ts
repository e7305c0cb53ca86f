import { type AlignedSteps, alignSteps, type ComparableStep, changesOf, differenceOf } from '../../../actions/index.ts';
import type { ComparedLine, CompareSessionsAnswer } from '../../../api/index.ts';
import { canonicalize, type Json } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { wholeContents } from '../actions/step-contents.ts';
import { isMoment, kindOf } from '../actions/step-parts.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfCalls, recordsOfSessions } from '../content-index/groups.ts';
import { coverageOf } from '../content-index/queries/list-records.ts';
import { sessionRow } from './session-row.ts';
import { type StepPlace, stepOf, stepPlaces } from './steps.ts';

/** Steps of each session that are compared. */
const MOST_STEPS = 2000;
const MOST_MOMENTS = 64;
const MOST_DIFFERENCES = 64;

/** A step as it is held against another. */
interface Compared extends ComparableStep {
  readonly place: StepPlace;
  readonly input: Json | undefined;
  readonly output: Json | undefined;
  /** What became of it, and the error that it ended with. */
  readonly outcome: string;
  /** All that may differ, as one text. */
  readonly whole: string;
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '' : canonicalize(value);
}

function comparedStep(view: ContentView, place: StepPlace): Compared {
  const { n, call } = place;
  const ofCall = call === 0 ? [n] : Array.from(recordsOfCalls(view).of(call).subarray(0, MOST_MOMENTS));
  const isJoined = ofCall.length > 1;
  const records = (isJoined ? ofCall : [n]).map((each) => view.record(each));
  const own = isJoined ? records.filter(isMoment) : records;
  const contents = own.map(wholeContents);
  const input = contents.find((each) => each.input !== undefined)?.input;
  const output = contents.findLast((each) => each.output !== undefined)?.output;
  const became = isJoined ? (view.calls.outcomes[call] ?? null) : view.outcome(n);
  // Two calls that failed for other reasons did not end alike.
  const error = records.findLast(({ facts }) => facts.error !== null)?.facts.error ?? null;
  const outcome = textOf([became, error]);
  const [first] = records;
  const tool = records.find(({ facts }) => facts.tool !== null)?.facts.tool;
  const name = tool ?? (first === undefined ? '' : kindOf(first.facts));
  const given = `${name}\n${textOf(input)}`;
  return { place, name, given, input, output, outcome, whole: `${given}\n${textOf(output)}\n${outcome}` };
}

interface Side {
  readonly steps: readonly Compared[];
  readonly cut: boolean;
  readonly complete: boolean;
}

function stepsOf(view: ContentView, id: number): Side {
  const places = stepPlaces(view, recordsOfSessions(view).of(id));
  const steps: Compared[] = [];
  for (const place of places.slice(0, MOST_STEPS)) {
    if (!view.mayRead()) return { steps, cut: true, complete: false };
    steps.push(comparedStep(view, place));
  }
  return { steps, cut: places.length > MOST_STEPS, complete: true };
}

type Differences = ComparedLine['differences'];

function differencesIn(part: 'input' | 'output', one: Json | undefined, other: Json | undefined): Differences {
  return changesOf(differenceOf(one, other)).map(({ pointer, kind }) => ({
    part,
    pointer,
    kind: kind === 'added' || kind === 'removed' ? kind : 'changed',
  }));
}

function differencesOf(left: Compared, right: Compared): Differences {
  if (left.whole === right.whole) return [];
  const outcome: Differences =
    left.outcome === right.outcome ? [] : [{ part: 'outcome', pointer: '', kind: 'changed' }];
  const inputs = differencesIn('input', left.input, right.input);
  return [...outcome, ...inputs, ...differencesIn('output', left.output, right.output)].slice(0, MOST_DIFFERENCES);
}

export interface SessionsAsked {
  readonly left: string;
  readonly right: string;
  readonly differing: boolean;
  /** How many lines come before the page. */
  readonly place: number | null;
  readonly limit: number;
}

export interface ComparedSessions extends Omit<CompareSessionsAnswer, 'data' | 'nextCursor' | 'hasMore'> {
  /** Up to one more than the limit, each with how many lines there are up to it. */
  readonly lines: readonly { readonly line: ComparedLine; readonly place: number }[];
}

/** Two sessions step by step, what they have in common next to each other. @throws ServiceError NOT_FOUND */
export function compareSessions(view: ContentView, asked: SessionsAsked): ComparedSessions {
  const [left, right] = [asked.left, asked.right].map((session) => {
    const id = view.idOf('session', session);
    if (id === 0) throw new ServiceError('NOT_FOUND', `there is no record of the session "${session}"`);
    return id;
  }) as [number, number];
  const [ofLeft, ofRight] = [stepsOf(view, left), stepsOf(view, right)];
  const pairs = alignSteps(ofLeft.steps, ofRight.steps);
  const bothOf = ([a, b]: AlignedSteps) => ({
    one: a === null ? undefined : ofLeft.steps[a],
    other: b === null ? undefined : ofRight.steps[b],
  });
  const counts = { same: 0, changed: 0, only_left: 0, only_right: 0 };
  const shown = pairs.filter((pair) => {
    const { one, other } = bothOf(pair);
    const isSame = one?.whole === other?.whole;
    if (one === undefined) counts.only_right++;
    else if (other === undefined) counts.only_left++;
    else counts[isSame ? 'same' : 'changed']++;
    return !asked.differing || !isSame;
  });
  const from = asked.place ?? 0;
  const lines = shown.slice(from, from + asked.limit + 1).map((pair, at) => {
    const { one, other } = bothOf(pair);
    const line: ComparedLine = {
      left: one === undefined ? null : stepOf(view, one.place, asked.left),
      right: other === undefined ? null : stepOf(view, other.place, asked.right),
      differences: one === undefined || other === undefined ? [] : differencesOf(one, other),
    };
    return { line, place: from + at + 1 };
  });
  return {
    left: sessionRow(view, left),
    right: sessionRow(view, right),
    ...counts,
    cut: ofLeft.cut || ofRight.cut,
    lines,
    coverage: coverageOf(view, { complete: ofLeft.complete && ofRight.complete }),
  };
}
