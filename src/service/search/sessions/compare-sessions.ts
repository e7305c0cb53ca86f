import { type AlignedSteps, alignSteps, type ComparableStep } from '../../../actions/index.ts';
import type { ComparedLine, CompareSessionsAnswer, CompareSessionsBody } from '../../../api/index.ts';
import { canonicalize, changesOf, differenceOf, type Json } from '../../../protocol/index.ts';
import { listPage } from '../../http/cursor.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { numbersRead } from '../actions/action-content.ts';
import { type ComparedPart, wholeContents } from '../actions/step-contents.ts';
import { isMoment, kindOf, withDecisions } from '../actions/step-parts.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfCalls } from '../content-index/groups.ts';
import { recordsOfSessions } from '../content-index/joined-values.ts';
import { coverageOf } from '../content-index/queries/list-records.ts';
import { sessionRow } from './session-row.ts';
import { type StepPlace, stepOf, stepPlaces } from './steps.ts';

/** Steps of each session that are compared. */
const MOST_STEPS = 2000;
const MOST_DIFFERENCES = 64;
const PARTS: readonly ComparedPart[] = ['outcome', 'input', 'output'];
const NOT_HELD: Held = { differences: [], hidden: [] };

/** A step as it is held against another. */
interface Compared extends ComparableStep {
  readonly place: StepPlace;
  readonly input: Json | undefined;
  readonly output: Json | undefined;
  /** What became of it, and the error that it ended with. */
  readonly outcome: string;
  /** Parts that are not there to be compared: withheld, or erased. */
  readonly hidden: readonly ComparedPart[];
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '' : canonicalize(value);
}

function comparedStep(view: ContentView, place: StepPlace): Compared {
  const { n, call } = place;
  const ofCall = call === 0 ? [n] : numbersRead(view, recordsOfCalls(view).of(call));
  const isJoined = ofCall.length > 1;
  const records = (isJoined ? ofCall : [n]).map((each) => view.record(each));
  const own = isJoined ? records.filter(isMoment) : records;
  const contents = own.map(wholeContents);
  const input = contents.find((each) => each.input !== undefined)?.input;
  const output = contents.findLast((each) => each.output !== undefined)?.output;
  const isHidden = (part: ComparedPart): boolean => contents.some(({ hidden }) => hidden.includes(part));
  const hidden = PARTS.filter((part) => {
    // What one record of a call hides, another may show.
    if (isJoined && ((part === 'input' && input !== undefined) || (part === 'output' && output !== undefined)))
      return false;
    return isHidden(part);
  });
  const became = isJoined ? view.calls.outcomeOf(call) : view.outcome(n);
  // Two calls that failed for other reasons did not end alike.
  const error = records.findLast(({ facts }) => facts.error !== null)?.facts.error ?? null;
  const outcome = textOf([became, error]);
  const [first] = records;
  const tool = records.find(({ facts }) => facts.tool !== null)?.facts.tool;
  const name = tool ?? (first === undefined ? '' : kindOf(first.facts));
  const given = `${name}\n${textOf(input)}`;
  return { place, name, given, input, output, outcome, hidden };
}

interface Side {
  readonly steps: readonly Compared[];
  readonly cut: boolean;
  readonly complete: boolean;
}

function stepsOf(view: ContentView, id: number): Side {
  const places = stepPlaces(view, withDecisions(view, recordsOfSessions(view).of(id)));
  const steps: Compared[] = [];
  for (const place of places.slice(0, MOST_STEPS)) {
    if (!view.mayRead()) return { steps, cut: true, complete: false };
    steps.push(comparedStep(view, place));
  }
  return { steps, cut: places.length > MOST_STEPS, complete: true };
}

type Differences = ComparedLine['differences'];

function differencesIn(part: 'input' | 'output', left: Compared, right: Compared): Differences {
  return changesOf(differenceOf(left[part], right[part])).map(({ pointer, kind }) => ({
    part,
    pointer,
    kind: kind === 'added' || kind === 'removed' ? kind : 'changed',
  }));
}

interface Held {
  readonly differences: Differences;
  /** Parts of which nothing can be said, since one of the two does not show them. */
  readonly hidden: readonly ComparedPart[];
}

function heldAgainst(left: Compared, right: Compared): Held {
  const hidden = PARTS.filter((part) => left.hidden.includes(part) || right.hidden.includes(part));
  const differences = PARTS.flatMap((part): Differences => {
    if (hidden.includes(part)) return [];
    if (part !== 'outcome') return differencesIn(part, left, right);
    return left.outcome === right.outcome ? [] : [{ part, pointer: '', kind: 'changed' }];
  });
  return { differences: differences.slice(0, MOST_DIFFERENCES), hidden };
}

/** Two sessions step by step, what they have in common next to each other. @throws ServiceError NOT_FOUND */
export function compareSessions(
  view: ContentView,
  asked: Omit<CompareSessionsBody, 'cursor'>,
  place: number | null,
): CompareSessionsAnswer {
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
  const counts = { same: 0, changed: 0, not_shown: 0, only_left: 0, only_right: 0 };
  const held = pairs.map((pair) => {
    const { one, other } = bothOf(pair);
    const of = one === undefined || other === undefined ? NOT_HELD : heldAgainst(one, other);
    return { one, other, ...of };
  });
  const shown = held.filter(({ one, other, differences, hidden }) => {
    const isEqual = differences.length === 0;
    if (one === undefined) counts.only_right++;
    else if (other === undefined) counts.only_left++;
    else counts[!isEqual ? 'changed' : hidden.length > 0 ? 'not_shown' : 'same']++;
    return !asked.differing || one === undefined || other === undefined || !isEqual || hidden.length > 0;
  });
  // A place is how many lines come before a page.
  const from = place ?? 0;
  const lineOf = ({ one, other, differences, hidden }: (typeof shown)[number]): ComparedLine => ({
    left: one === undefined ? null : stepOf(view, one.place, asked.left),
    right: other === undefined ? null : stepOf(view, other.place, asked.right),
    differences,
    not_shown: [...hidden],
  });
  return {
    left: sessionRow(view, left),
    right: sessionRow(view, right),
    ...counts,
    cut: ofLeft.cut || ofRight.cut,
    ...listPage(shown.slice(from), asked.limit, () => from + asked.limit, lineOf),
    coverage: coverageOf(view, { complete: ofLeft.complete && ofRight.complete }),
  };
}
