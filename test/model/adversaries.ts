/** What each adversary can hand to a reader, all of it within stated bounds, in a fixed order. */
import { type Bounds, cutsOf } from './bounds.ts';
import { liesAbout, smuggled, told } from './cutting.ts';
import type { Attempt } from './exploring.ts';
import { draftOf, type Request, signDraft } from './exporting.ts';
import { type History, NOW, TRUTH } from './history.ts';
import { TRUE_LEDGER } from './knowledge.ts';
import { type Ledger, ledgerOf, type ServiceLine } from './ledger.ts';
import { essential, type Rewriting, rewritings } from './rewriting.ts';
import type { KeyName } from './world.ts';

/** A request as a step of an attempt. */
const asked = ({ agent, from, to, made }: Request): string =>
  `${agent ?? 'all'} from ${from} to ${to}, made at ${made}`;

function* exportsOf(
  ledger: Ledger,
  requests: readonly Request[],
  steps: readonly string[],
  signer?: KeyName,
): Generator<Attempt> {
  for (const request of requests) {
    const draft = draftOf(ledger, request);
    if (draft.contents.records.length === 0) continue;
    yield { steps: [...steps, asked(request)], made: signDraft(signer === undefined ? draft : { ...draft, signer }) };
  }
}

/** The service keeps to its history, and shows what it likes of it: every set of the range's records. */
export function* cuts(bounds: Bounds): Generator<Attempt> {
  for (const request of bounds.cut) {
    const shown = draftOf(TRUE_LEDGER, request).contents.records.map(({ ear }) => ear.seq_no);
    for (let set = 1; set < 2 ** shown.length; set++) {
      const kept = shown.filter((_, n) => (set >> n) % 2 === 1);
      for (const beside of ['range', 'shown', 'nothing'] as const) {
        const keep = (seqNo: number): boolean => kept.includes(seqNo);
        const steps = [`shows ${kept.join(' ')}`, `beside: ${beside}`];
        yield* exportsOf(TRUE_LEDGER, [{ ...request, keep, beside }], steps);
      }
    }
  }
}

function* attemptsToLie(bounds: Bounds, history: History, before: readonly string[]): Generator<() => Attempt> {
  const ledger = ledgerOf(history);
  for (const request of bounds.lied) {
    const draft = draftOf(ledger, request);
    if (draft.contents.records.length === 0) continue;
    for (const lie of liesAbout(draft, ledger)) {
      const steps = [...before, asked(request), lie.what];
      yield () => ({ steps: [...steps, 'signed'], made: told(draft, lie) });
      yield () => ({ steps: [...steps, 'not signed'], made: smuggled(draft, lie) });
    }
  }
}

/** The service keeps to its history, and tells one lie in a bundle; or whoever has the file alters it. */
export function* lies(bounds: Bounds): Generator<Attempt> {
  for (const attempt of attemptsToLie(bounds, TRUTH, [])) yield attempt();
}

function* historiesOf(steps: readonly Rewriting[]): Generator<readonly [string, History]> {
  for (const { what, apply } of steps) {
    const history = apply(TRUTH);
    if (history !== null) yield [what, history];
  }
}

/** The service has another history, one step away, and makes bundles of it at every moment of the bounds. */
export function* rewritten(bounds: Bounds, line?: ServiceLine): Generator<Attempt> {
  for (const [what, history] of historiesOf(rewritings(TRUTH.length))) {
    for (const [made, requests] of Map.groupBy(bounds.asked, (request) => request.made)) {
      yield* exportsOf(
        ledgerOf(
          history.filter(({ at }) => at < made),
          line,
        ),
        requests,
        [what],
      );
    }
  }
}

/** One of so many, from the first on. */
function* oneOf<T>(count: number, all: Iterable<T>): Generator<T> {
  let index = 0;
  for (const one of all) if (index++ % count === 0) yield one;
}

function* pairsOfSteps(): Generator<readonly [first: string, between: History, second: Rewriting]> {
  for (const [first, between] of historiesOf(essential(TRUTH.length))) {
    for (const second of essential(between.length)) yield [first, between, second];
  }
}

function* liesAfterAStep(bounds: Bounds): Generator<() => Attempt> {
  for (const [first, between] of historiesOf(essential(TRUTH.length))) yield* attemptsToLie(bounds, between, [first]);
}

/** Two steps away; or one step, and a lie in the bundle: of both some. */
export function* rewrittenTwice(bounds: Bounds): Generator<Attempt> {
  const { twice } = bounds;
  if (twice === undefined) return;
  for (const [first, between, { what, apply }] of oneOf(twice.oneOfPairs, pairsOfSteps())) {
    const history = apply(between);
    if (history !== null) yield* exportsOf(ledgerOf(history), twice.requests, [first, what]);
  }
  for (const lie of oneOf(twice.oneOfLies, liesAfterAStep({ ...bounds, lied: twice.requests }))) yield lie();
}

const ROTATION = TRUTH.findIndex(({ act }) => act === 'rotate');

/**
 * Who stole the first service key after the service had another: has every history up to the rotation, one step away, knows the
 * second key's public statement, and dates and signs bundles with the first.
 */
export function* stolenKey(bounds: Bounds): Generator<Attempt> {
  const until = TRUTH.slice(0, ROTATION + 1);
  for (const { what, apply } of [{ what: 'nothing', apply: () => until }, ...rewritings(ROTATION)]) {
    const history = apply(until);
    if (history === null) continue;
    for (const made of [25, 26, 26.001, NOW]) {
      const requests = bounds.stolen.map((request) => ({ ...request, made }));
      yield* exportsOf(ledgerOf(history), requests, [what], 'service-1');
    }
  }
}

/** Who has no key of the service: makes every bundle of the other adversaries with a service key of their own. */
export function* outsider(bounds: Bounds): Generator<Attempt> {
  const line: ServiceLine = ['outsider', 'operators-own'];
  yield* exportsOf(ledgerOf(TRUTH, line), bounds.cut, ['the truth'], undefined);
  yield* rewritten({ ...bounds, asked: bounds.asked.slice(0, 1) }, line);
}

/** The service rotates to two keys and has a history under each. */
export function* forkedKeys(bounds: Bounds): Generator<Attempt> {
  yield* exportsOf(ledgerOf(TRUTH, ['service-1', 'operators-own']), bounds.cut, ['another second key']);
}

/** What an honest service makes: every range, agent and moment. */
export function* honest(): Generator<Attempt> {
  for (const [made, requests] of Map.groupBy(cutsOf(), (request) => request.made)) {
    yield* exportsOf(ledgerOf(TRUTH.filter(({ at }) => at < made)), requests, ['honest']);
  }
}
