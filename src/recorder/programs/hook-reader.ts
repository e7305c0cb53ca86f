import { type Body, type Fields, json, members, type Read, text, toolOf } from '../../actions/tools/index.ts';
import type { ExactJson } from '../../protocol/light.ts';
import type { Seen } from '../seen/seen.ts';
import type { Ending } from './hook-ending.ts';
import { type CallFacts, type EventFacts, type ExtraFacts, HookEvent } from './hook-event.ts';
import { noteName, otherMembers } from './other-members.ts';
import type { Reader } from './reader.ts';

/** Members that most programs give their hooks by these names. */
const USUAL = {
  hook_event_name: text,
  session_id: text,
  cwd: text,
  transcript_path: text,
  tool_name: text,
  tool_input: json,
  tool_response: json,
  prompt: json,
  source: text,
  reason: text,
};
const usualOf = members(USUAL);

/** What the usual members say. */
export type Usual = Read<typeof USUAL>;

/** What there is to tell of one event. */
export interface Told<Hook> {
  readonly hook: Hook;
  readonly event: HookEvent;
  readonly call: CallFacts;
  /** The event with other members besides. */
  readonly withExtra: (extra: ExtraFacts) => HookEvent;
}

/** What an event is; undefined where it is only to be noted. */
export type Moment<Hook> = (told: Told<Hook>) => readonly Seen[] | undefined;

/** All that differs between programs whose hooks name their events alike. */
interface HookForm<Own extends Fields, Hook = Usual & Read<Own>> {
  /** Members besides the usual ones. */
  readonly fields: Own;
  /** The event by the program's own name, where not the usual member has it. */
  readonly event?: (hook: Hook, body: Body) => string | undefined;
  /** Besides session and folder. */
  readonly facts?: (hook: Hook) => Omit<EventFacts, 'event' | 'extra'>;
  /** What is kept of every event that has a moment. */
  readonly extra?: (hook: Hook, event: string) => ExtraFacts;
  /** Besides the tool of that name, and its input. */
  readonly call?: (hook: Hook) => Partial<CallFacts>;
  /** By the event's name; where the program writes it in two ways, with a capital letter. */
  readonly moments: Readonly<Record<string, Moment<Hook>>>;
  readonly isWrittenInTwoWays?: true;
  /** Where it is not enough to note an event without a moment with its small members. @param kept those members */
  readonly other?: (told: Told<Hook>, note: string, kept: ExtraFacts) => readonly Seen[];
}

/** Reads what a program's hooks are given. An event without a moment is noted, with its small members. */
export function hookReader<Own extends Fields>(form: HookForm<Own>): Reader {
  const { fields, event, facts, extra, call, moments, isWrittenInTwoWays, other } = form;
  const ownOf = members(fields);
  return (body, run) => {
    const usual = usualOf(body);
    const hook = { ...usual, ...ownOf(body) };
    const name = event?.(hook, body) ?? usual.hook_event_name ?? '';
    const known = { event: name, session: usual.session_id, cwd: usual.cwd, ...facts?.(hook) };
    const withExtra = (more: ExtraFacts) => new HookEvent({ ...known, extra: more }, run);
    const key = isWrittenInTwoWays ? name.charAt(0).toUpperCase() + name.slice(1) : name;
    const moment = Object.hasOwn(moments, key) ? moments[key] : undefined;
    const told = {
      hook,
      event: withExtra(extra?.(hook, name) ?? {}),
      call: { tool: toolOf(usual.tool_name), input: usual.tool_input, ...call?.(hook) },
      withExtra,
    };
    const seen = moment?.(told);
    if (seen !== undefined) return seen;
    const kept = otherMembers(body);
    return other?.(told, noteName(name), kept) ?? [withExtra(kept).note(noteName(name))];
  };
}

/** Members of events that begin or end a session: the transcript is named there alone. */
export function transcriptOf(event: string, path: string | undefined): ExtraFacts {
  return event === 'SessionStart' || event === 'SessionEnd' ? { transcript_path: path } : {};
}

export function proposed({ event, call }: Told<unknown>): readonly Seen[] {
  return [event.call('proposed', call)];
}

export function asked({ event, call }: Told<unknown>): readonly Seen[] {
  return [event.call('asked', call)];
}

/** Nothing tells what was answered: as a question of the profile it would stand there as one that nobody decided. */
export function askedUnanswered({ hook, event }: Told<{ readonly tool_name: string | undefined }>): readonly Seen[] {
  return [event.note('permission_request', hook.tool_name)];
}

/** A call ended. */
export function closed({ call }: Told<unknown>, event: HookEvent, ending: Ending, more: Partial<CallFacts> = {}): Seen {
  return event.call(ending.stage, { ...call, ...ending, ...more });
}

/** A rule, and not a person, stopped a call. */
export function denied(told: Told<unknown>, by: string, ending: Ending, reason: string | undefined): readonly Seen[] {
  const { event, call } = told;
  return [event.decision(call, 'denied', { kind: 'policy', id: by }, reason), closed(told, event, ending)];
}

export function said(prompt: ExactJson | undefined, event: HookEvent): readonly Seen[] {
  return [event.told([{ kind: 'user', value: prompt ?? '' }])];
}

export function prompted({ hook, event }: Told<{ readonly prompt: ExactJson | undefined }>): readonly Seen[] {
  return said(hook.prompt, event);
}

export function started({ hook, event }: Told<{ readonly source: string | undefined }>): readonly Seen[] {
  return [event.session('session_started', hook.source)];
}

/** After a compaction some programs say it once more, of a session that continues. */
export function startedOrCompacted(told: Told<{ readonly source: string | undefined }>): readonly Seen[] {
  return told.hook.source === 'compact' ? [told.event.note('compacted')] : started(told);
}

export function ended({ hook, event }: Told<{ readonly reason: string | undefined }>): readonly Seen[] {
  return [event.session('session_ended', hook.reason)];
}

/** Of programs that do not say why. */
export const UNREASONED = {
  SessionStart: ({ event }: Told<unknown>) => [event.session('session_started', undefined)],
  SessionEnd: ({ event }: Told<unknown>) => [event.session('session_ended', undefined)],
};
