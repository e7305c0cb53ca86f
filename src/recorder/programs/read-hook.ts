import { type Body, readBody } from '../../actions/tools/index.ts';
import { type FeedId, isProgramId } from '../base/programs.ts';
import type { Verdict } from '../seen/feed.ts';
import { closed, type Received } from '../seen/received.ts';
import { type Seen, shortenedBy } from '../seen/seen.ts';
import { DESCRIPTIONS } from './described.ts';
import type { ProgramDescription } from './description.ts';
import type { readGeneric } from './generic.ts';
import { CARRIED_OUT } from './hook-ending.ts';
import { HookEvent, type HookRun, withOwnIds } from './hook-event.ts';

/** What the recorder knows of a hook's run besides its bytes. */
export interface HookContext {
  /** UUID of this run of the hook: a body that arrives twice with the same one is recorded once. */
  readonly eventId: string;
  /** When the body came in: RFC 3339 in UTC with milliseconds. */
  readonly receivedAt: string;
  /** Feeds that have an agent. What a program reports through another program's hooks is left out if its own hooks report it too. */
  readonly installed: ReadonlySet<FeedId>;
  /** Reads our own form, of feeds for which `hasOurForm` says so: loaded for them alone, since its schema is large. */
  readonly generic: typeof readGeneric | null;
}

/** What the hook's client does with its program: 200 prints `body` and exits with 0, 403 prints it to stderr and exits with 2. */
export interface HookAnswer {
  readonly status: 200 | 403;
  readonly body: string;
}

/** A hook's body, read. */
export interface HookReading {
  /** Empty where the event reaches the recorder through another hook as well; there is nothing to record then. */
  readonly seen: readonly Seen[];
  /** The answer to the program: 403 only for an event that the program can stop at. */
  answer(verdict: Verdict): HookAnswer;
}

/** How what a feed hands in is read, and what its hooks print: all but programs with hooks speak our own form. */
function feedOf(feed: FeedId): Pick<ProgramDescription, 'read' | 'prints'> {
  return isProgramId(feed) ? DESCRIPTIONS[feed] : { read: 'generic', prints: '{}' };
}

const NOT_RECORDED = 'Countersign could not record this call, and may let only recorded calls through.';

/**
 * Reads what a program's hook was given. Throws for nothing that a body holds: one that cannot be read becomes a note with its digest and size.
 * Of one that was cut off, since the program gave up on its hook, that is read which came: an action does not lose its name by it.
 * @param whole the body as it came in
 */
export function readHook(feed: FeedId, whole: Received, context: HookContext): HookReading {
  const { eventId, receivedAt } = context;
  let [given, body] = [whole, whole.json && readBody(whole.json)];
  if (body === null && whole.isWhole) {
    given = closed(whole) ?? whole;
    body = given.json && readBody(given.json);
  }
  const run = { eventId, receivedAt, digest: given.sha256, ...shortenedBy(given) };
  if (body === null) return unreadable(feed, run, given.size, 'the body is no JSON object');
  const speaker = speakerOf(feed, body);
  if (speaker !== feed && context.installed.has(speaker)) return { seen: [], answer: () => printed(feed) };
  const { read } = feedOf(speaker);
  const seen = read === 'generic' ? ofOurForm(context)(body, run, sourceOf(feed)) : read(body, run);
  if (typeof seen === 'string') return unreadable(feed, run, given.size, seen);
  return {
    seen: withOwnIds(given.isCutOff ? seen.map(asFarAsTold) : seen).map((one) =>
      speaker === feed ? one : { ...one, witness: speaker },
    ),
    answer: (verdict) => answerTo(feed, seen, verdict),
  };
}

/** Of an end that was cut off: what says that the call failed may be in what is missing. */
function asFarAsTold(seen: Seen): Seen {
  const isGood = seen.kind === 'call' && seen.stage === 'completed' && seen.outcome?.status === 'ok';
  return isGood ? { ...seen, ...CARRIED_OUT } : seen;
}

/** Whether what a feed hands in is of our own form, not of a program's. */
export function hasOurForm(feed: FeedId): boolean {
  return feedOf(feed).read === 'generic';
}

function ofOurForm({ generic }: HookContext): typeof readGeneric {
  if (generic === null) throw new TypeError('what reads our own form was not loaded');
  return generic;
}

function sourceOf(feed: FeedId): 'plugin' | 'library' {
  return isProgramId(feed) && DESCRIPTIONS[feed].isPlugin ? 'plugin' : 'library';
}

function unreadable(feed: FeedId, run: HookRun, size: number, why: string): HookReading {
  const note = new HookEvent({ event: 'unreadable', extra: { bytes: size } }, run).note('unreadable', why);
  const { read } = feedOf(feed);
  return {
    seen: [note],
    answer: (verdict) =>
      read === 'generic' ? { status: 200, body: JSON.stringify({ ...verdict, problem: why }) } : printed(feed),
  };
}

function answerTo(feed: FeedId, seen: readonly Seen[], verdict: Verdict): HookAnswer {
  if (!verdict.allowed && seen.some(canStop)) return { status: 403, body: verdict.reason ?? NOT_RECORDED };
  return feedOf(feed).read === 'generic' ? { status: 200, body: JSON.stringify(verdict) } : printed(feed);
}

/**
 * Whether the program has still to carry it out. Exit code 2 elsewhere does harm: at the end of a call some programs hide its output from
 * their model, at the end of a turn they begin another one.
 */
function canStop(seen: Seen): boolean {
  return seen.kind === 'call' && (seen.stage === 'proposed' || seen.stage === 'asked' || seen.stage === 'started');
}

function printed(feed: FeedId): HookAnswer {
  return { status: 200, body: feedOf(feed).prints };
}

/**
 * The program that speaks through another one's hooks. Cursor also runs the hooks in Claude Code's settings, and Copilot those in a
 * repository's `.claude/settings.json`, each with its own form of body. Copilot is known by the time in its bodies, which Claude Code
 * does not send: the variable that tells them apart is not in the body.
 */
function speakerOf(feed: FeedId, body: Body): FeedId {
  if (feed !== 'claudecode') return feed;
  if (typeof body['cursor_version'] === 'string') return 'cursor';
  const dated = typeof body['timestamp'] === 'string' || typeof body['timestamp'] === 'number';
  return dated && !Object.hasOwn(body, 'permission_mode') && !Object.hasOwn(body, 'tool_use_id') ? 'copilot' : feed;
}
