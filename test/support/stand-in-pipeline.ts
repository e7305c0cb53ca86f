import { createHash, randomUUID } from 'node:crypto';
import { type Json, withTexts } from '../../src/protocol/index.ts';
import { RecordError } from '../../src/recorder/base/record-error.ts';
import type { Joining, Pipeline } from '../../src/recorder/engine/pipeline.ts';
import type { Draft, Joined, StateChange } from '../../src/recorder/joining/draft.ts';
import type { Seen, SeenCall } from '../../src/recorder/seen/seen.ts';

const NOTHING: Joined = { drafts: [], changes: [] };

function draftOf(type: string, phase: string, members: { readonly [member: string]: Json }, changes = false): Draft {
  const payload = { profile: 'countersign.agent-action/1', phase, ...members };
  return { operationId: randomUUID(), operationType: type, subject: 'something', action: phase, payload, changes };
}

/** A joining of the plainest kind: each call is an action by its call id, everything else a note. */
class StandInJoining implements Joining<Seen> {
  readonly #open = new Map<string, string>();

  load(entries: readonly StateChange[]): void {
    for (const { key, value } of entries) this.#open.set(key, String(value));
  }

  take(seen: Seen): Joined {
    if (seen.kind === 'call') return this.#call(seen);
    if (seen.kind === 'gap') {
      const { count, first_at, last_at, reason } = seen;
      return { drafts: [draftOf('recorder.gap', 'gap', { gap: { count, first_at, last_at, reason } })], changes: [] };
    }
    const note = { kind: seen.raw_event, text: seen.event_id };
    return { drafts: [draftOf('recorder.note', 'note', { note })], changes: [] };
  }

  #call({ call_id, stage, tool, input = null }: SeenCall): Joined {
    const key = `call ${call_id}`;
    const action = this.#open.get(key) ?? randomUUID();
    const isEnd = stage === 'completed';
    if (isEnd) this.#open.delete(key);
    else this.#open.set(key, action);
    const members = { action_id: action, tool: { name: tool.name }, input: { value: withTexts(input).value } };
    return {
      drafts: [draftOf('tool.shell', stage, members, tool.name !== 'Read')],
      changes: [{ key, value: isEnd ? null : action }],
    };
  }

  tick(): Joined {
    return NOTHING;
  }

  block(actionId: string, reason: string): Joined {
    const members = { action_id: actionId, outcome: { status: 'blocked', error: { message: reason } } };
    return { drafts: [draftOf('tool.shell', 'refused', members)], changes: [] };
  }
}

/** What the engine is tested with: the same interfaces, and nothing that takes secrets out. */
export const standIn: Pipeline<Seen> = {
  prepare: async (seen) => {
    if (seen.some(({ raw_event }) => raw_event === 'Impossible')) {
      throw new RecordError('EVENT_INVALID', 'an event that cannot be');
    }
    return seen;
  },
  joining: () => new StandInJoining(),
};

const COMMON = {
  source: 'hook',
  witness: null,
  raw_sha256: createHash('sha256').update('').digest('hex'),
  session: null,
  sub_agent: null,
  model: null,
  program_version: null,
  cwd: null,
  trace: null,
  extra: null,
} as const;

/** An event that becomes one record. */
export function noteSeen(eventId: string = randomUUID(), rawEvent = 'Something'): Seen {
  const observed_at = new Date().toISOString();
  return { ...COMMON, kind: 'note', event_id: eventId, raw_event: rawEvent, observed_at, name: 'a note', text: null };
}

export function callSeen(stage: SeenCall['stage'], members: Partial<SeenCall> = {}): SeenCall {
  const tool = { name: 'Bash', type: 'shell', server: null } as const;
  const observed_at = new Date().toISOString();
  const given = { event_id: randomUUID(), raw_event: 'Tool', observed_at, call_id: 'call-1', input: 'ls', touched: [] };
  return { ...COMMON, kind: 'call', stage, tool, ...given, ...members };
}
