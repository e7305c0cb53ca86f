import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/support/paths.ts';
import { AGENT_ACTION_PROFILE, checkPayload } from '../../src/actions/profile/index.ts';
import type { Json } from '../../src/protocol/index.ts';
import type { FeedId } from '../../src/recorder/base/programs.ts';
import type { Prepared } from '../../src/recorder/content/prepared.ts';
import { Preparer } from '../../src/recorder/content/preparer.ts';
import { readGeneric } from '../../src/recorder/programs/generic.ts';
import { operationOf } from '../../src/recorder/programs/operation.ts';
import { type HookReading, readHook } from '../../src/recorder/programs/read-hook.ts';
import { RecorderKeys } from '../../src/recorder/redact/recorder-keys.ts';
import { received } from '../../src/recorder/seen/received.ts';
import type { Seen, SeenCall } from '../../src/recorder/seen/seen.ts';

const FIXTURES = join(ROOT, 'test', 'recorder', 'fixtures');
const EVENT_ID = '11111111-1111-4111-8111-111111111111';
const RECEIVED_AT = '2026-11-22T10:00:00.000Z';

/** The bytes that hooks were given in a scenario, in order. */
export function hookBodies(scenario: string): readonly { readonly name: string; readonly bytes: Buffer }[] {
  const folder = join(FIXTURES, scenario);
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

export function fixtureText(path: string): string {
  return readFileSync(join(FIXTURES, path), 'utf8');
}

export function read(feed: FeedId, body: Uint8Array | Json, installed: readonly FeedId[] = []): HookReading {
  const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));
  return readHook(feed, received(bytes), {
    eventId: EVENT_ID,
    receivedAt: RECEIVED_AT,
    installed: new Set(installed),
    generic: readGeneric,
  });
}

/** The one thing that was seen in a body. */
export function seenIn(feed: FeedId, body: Uint8Array | Json): Seen {
  const [seen, ...more] = read(feed, body).seen;
  if (seen === undefined || more.length > 0) throw new Error(`expected one Seen, got ${more.length + (seen ? 1 : 0)}`);
  return seen;
}

/** Reads all bodies of a scenario, and says in a line what each means. */
export function replay(feed: FeedId, scenario: string): readonly string[] {
  return hookBodies(scenario).flatMap(({ bytes }) => {
    const { seen } = read(feed, bytes);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const strangers = seen.filter((one) => one.raw_sha256 !== digest || !one.event_id.startsWith(EVENT_ID));
    if (strangers.length > 0) throw new Error('the digest or the id is not that of the body');
    return seen.map(meaningOf);
  });
}

/** What a Seen says, in a line: stage, tool, id, how it ended, what it touched. */
export function meaningOf(seen: Seen): string {
  const inside = seen.sub_agent === null ? [] : [`in ${seen.sub_agent.id}`];
  const parts = (): readonly string[] => {
    switch (seen.kind) {
      case 'call': {
        const { outcome, duration_ms: duration, touched, stage } = seen;
        const code = outcome?.exit_code === undefined ? '' : ` ${outcome.exit_code}`;
        return [
          stage,
          toolText(seen.tool),
          seen.call_id ?? 'no id',
          ...(outcome === undefined ? [] : [`${outcome.status}${code}`]),
          ...(duration === undefined ? [] : [`${duration} ms`]),
          ...touched.map((one) => `${one.access} ${one.id}`),
        ];
      }
      case 'decision':
        return [seen.decision, toolText(seen.tool), seen.call_id ?? 'no id', `by ${seen.by.kind} ${seen.by.id}`];
      case 'told':
        return ['told', ...seen.told.map(({ kind, value }) => `${kind} ${JSON.stringify(value)}`)];
      case 'session_started':
      case 'session_ended':
        return [seen.kind, seen.reason ?? 'no reason'];
      case 'note':
        return ['note', seen.name];
      default:
        return [seen.kind];
    }
  };
  return [...parts(), ...inside].join(' | ');
}

function toolText({ type, server, name }: { type: string; server: string | null; name: string }): string {
  return `${type} ${server === null ? '' : `${server}/`}${name}`;
}

/**
 * What is wrong with a record made of a Seen: where its members do not fit the payload profile, or its names not the record. A payload of
 * no more than is needed: what joins and signs events has tests of its own.
 */
export function problemsOf(given: Seen): readonly string[] {
  const seen = cleaned(given);
  const { operationType, subject } = operationOf(seen);
  const characters = [...subject].length;
  const names = /^[a-z]+(\.[a-z_]+)+$/.test(operationType) && characters > 0 && characters <= 512;
  const checked = checkPayload(payloadOf(seen), true);
  return [
    ...(names && subject.isWellFormed() ? [] : [`names ${operationType} ${subject}`]),
    ...(checked.ok ? [] : [`${checked.problem.pointer} ${checked.problem.message}`]),
  ];
}

/** Whether the end is known, and not how it was: a record says nothing of that. */
function isCarriedOut({ stage, outcome }: Pick<SeenCall, 'stage' | 'outcome'>): boolean {
  return stage === 'completed' && outcome?.status === 'unknown';
}

const preparer = await Preparer.open(new RecorderKeys(new Uint8Array(32).fill(7)), () => []);

/** What is seen as it is signed: without its secrets, and cut to the bounds of the profile. */
export function cleaned(seen: Seen): Prepared {
  return preparer.prepare(seen, { content: 'full' });
}

const ACTION_ID = '22222222-2222-4222-8222-222222222222';

function payloadOf(seen: Prepared): { readonly [member: string]: Json } {
  const base = {
    profile: AGENT_ACTION_PROFILE,
    timing: { observed_at: seen.observed_at },
    ...(seen.session !== null && { session: { ...seen.session } }),
    ...(seen.trace !== null && { trace: { ...seen.trace } }),
    actor: {
      program: { name: 'a program', ...(seen.program_version !== null && { version: seen.program_version }) },
      ...(seen.model !== null && { model: { ...seen.model } }),
      ...(seen.sub_agent !== null && { sub_agent: { ...seen.sub_agent } }),
    },
  };
  switch (seen.kind) {
    case 'call':
      return {
        ...base,
        phase: seen.stage,
        action_id: ACTION_ID,
        tool: {
          name: seen.tool.name,
          type: seen.tool.type,
          ...(seen.tool.server !== null && { server: seen.tool.server }),
          ...(seen.call_id !== null && { call_id: seen.call_id }),
        },
        input: { value: null },
        ...(seen.outcome !== undefined && !isCarriedOut(seen) && { outcome: JSON.parse(JSON.stringify(seen.outcome)) }),
        ...(seen.touched.length > 0 && { touched: seen.touched.map((one) => ({ ...one })) }),
        timing: {
          observed_at: seen.observed_at,
          ...(seen.duration_ms !== undefined && { duration_ms: seen.duration_ms }),
        },
      };
    case 'decision':
      return {
        ...base,
        phase: 'decided',
        action_id: ACTION_ID,
        decision: {
          outcome: seen.decision,
          by: { ...seen.by, reported: true },
          ...(seen.reason !== null && { justification: seen.reason }),
        },
      };
    case 'session_started':
    case 'session_ended':
      return { ...base, phase: seen.kind, session: seen.session ?? { id: 'none' } };
    case 'told':
      return { ...base, phase: 'told', told: seen.told.map(({ kind }) => ({ kind, content: { value: null } })) };
    case 'note':
      return { ...base, phase: 'note', note: { kind: seen.name, ...(seen.text !== null && { text: seen.text }) } };
    default:
      throw new Error(`no hook makes a ${seen.kind}`);
  }
}
