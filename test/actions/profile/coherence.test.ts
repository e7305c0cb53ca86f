// The findings of coherence (docs/agent-actions.md): what causes each of them, and what must not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/support/paths.ts';
import { COHERENCE_CODES } from '../../../src/actions/profile/index.ts';
import type { Json } from '../../../src/protocol/index.ts';
import {
  AGENT,
  action,
  actionId,
  approvedAction,
  asked,
  completed,
  decided,
  digestOf,
  input,
  type Members,
  operationId,
  PERSON,
  START,
  Story,
  started,
} from '../../support/agent-actions.ts';
import { otherDigest, uuid } from '../../support/bundle-maker.ts';

const BILL: Json = { to: 'ACME', total: { value: '12.50', currency: 'EUR' } };
const DENIED = { outcome: 'denied' };
const failed = (label: string, status = 'error'): Members =>
  action('failed', { action_id: actionId(label), outcome: { status } });
const refused = (label: string): Members => action('refused', { action_id: actionId(label) });
const proposed = (label: string, value: Json): Members =>
  action('proposed', { action_id: actionId(label), tool: { name: 'pay' }, input: input(value) });
const sessionStarted = (members: Members = {}): Members =>
  action('session_started', { session: { id: 's1', ...members } });
const sessionEnded = (records?: number): Members =>
  action('session_ended', { session: { id: 's1', ...(records === undefined ? {} : { totals: { records } }) } });
const inSession = { session: { id: 's1' } };
const seenBy = (...sources: string[]): Members => ({ witnesses: sources.map((source) => ({ source })) });
const touching = (label: string, before: string | null, after: string): Members =>
  completed(label, { whole_call: true, touched: [{ kind: 'file', id: 'a.txt', access: 'write', before, after }] });
const GAP = action('gap', {
  gap: { count: 3, first_at: '2026-05-01T10:00:00Z', last_at: '2026-05-01T10:00:01Z', reason: 'the spool was full' },
});

/** The findings that each story has, in order; `c` is a contradiction, `o` an open question, `n` a note. */
const STORIES: readonly [string, string[], Story][] = [
  ['an action that was approved', [], approvedAction(new Story(), 1, BILL)],
  ['calls in parallel', [], new Story().add(started('a', 1)).add(started('b', 2)).add(completed('b')).add(failed('a'))],
  ['a whole call in one record', [], new Story().add(completed('a', { whole_call: true, input: input(1) }))],
  [
    'a proposal that was denied',
    [],
    new Story()
      .add(proposed('a', 1))
      .add(asked('a', 1))
      .add(decided('a', 1, DENIED), { agent: PERSON })
      .add(refused('a')),
  ],
  [
    'a proposal that was approved and carried out',
    [],
    new Story().add(proposed('a', 1)).add(asked('a', 1)).add(decided('a', 1), { agent: PERSON }).add(completed('a')),
  ],
  ['a call that was blocked before it began', [], new Story().add(refused('a'))],
  ['a question without an answer', [], new Story().add(asked('a', 1))],
  [
    'an approval of a modified input',
    [],
    new Story()
      .add(proposed('a', 1))
      .add(asked('a', 1))
      .add(decided('a', 2, { outcome: 'modified', input: input(2), presented_digest: digestOf('Pay? 1') }), {
        agent: PERSON,
      })
      .add(started('a', 2))
      .add(completed('a')),
  ],
  [
    'a person who overrode a policy',
    [],
    new Story()
      .add(asked('a', 1))
      .add(decided('a', 1, { ...DENIED, by: { kind: 'policy', id: 'p' } }))
      .add(decided('a', 1, { outcome: 'overridden' }), { agent: PERSON })
      .add(started('a', 1))
      .add(completed('a')),
  ],
  [
    'a question asked again with another input',
    [],
    new Story()
      .add(asked('a', 1))
      .add(decided('a', 1, DENIED), { agent: PERSON })
      .add(asked('a', 2))
      .add(decided('a', 2), { agent: PERSON })
      .add(started('a', 2))
      .add(completed('a')),
  ],
  [
    'a decision that entered the ledger before the question',
    [],
    new Story().add(decided('a', 1), { agent: PERSON }).add(asked('a', 1)).add(started('a', 1)).add(completed('a')),
  ],
  [
    'a session that was resumed',
    [],
    new Story().add(sessionStarted()).add(sessionEnded(1)).add(sessionStarted()).add(sessionEnded(1)),
  ],
  [
    'two witnesses that agree',
    [],
    new Story()
      .add(started('a', 1, seenBy('hook')))
      .add(started('a', 1, seenBy('mcp')))
      .add(completed('a', seenBy('mcp')))
      .add(completed('a', seenBy('hook'))),
  ],
  ['a file that changes step by step', [], new Story().add(touching('a', null, 'v1')).add(touching('b', 'v1', 'v2'))],

  [
    'a tool that is called again in the session after it failed',
    ['RETRIED n'],
    new Story()
      .add(started('a', 1, inSession))
      .add(failed('a'))
      .add(started('b', 1, inSession))
      .add(completed('b'))
      .add(started('c', 1, inSession))
      .add(completed('c')),
  ],

  ['a payload that is not of the profile', ['PROFILE_INVALID c'], new Story().add(action('completed'))],
  [
    'a value with another digest',
    ['DIGEST_MISMATCH c'],
    new Story().add(started('a', 1, { input: { ...input(1), digest: digestOf(2) } })).add(completed('a')),
  ],
  [
    'an approval of another input than was asked for',
    ['DECIDED_ON_OTHER_THAN_ASKED c'],
    new Story().add(asked('a', 1)).add(decided('a', 2, { presented_digest: digestOf('Pay? 1') }), { agent: PERSON }),
  ],
  [
    'an approval of another presentation',
    ['DECIDED_ON_OTHER_THAN_ASKED c'],
    new Story().add(asked('a', 1)).add(decided('a', 1, { presented_digest: otherDigest() }), { agent: PERSON }),
  ],
  [
    'an approval by the acting agent',
    ['SELF_APPROVED c'],
    new Story().add(asked('a', 1)).add(decided('a', 1)).add(started('a', 1)).add(completed('a')),
  ],
  [
    'an approval by the acting agent from before it acted',
    ['SELF_APPROVED c'],
    new Story().add(decided('a', 1)).add(started('a', 1)).add(completed('a')),
  ],
  [
    'an approval that the acting agent reports',
    ['SELF_APPROVED o'],
    new Story()
      .add(asked('a', 1))
      .add(decided('a', 1, { by: { kind: 'human', id: 'ada', reported: true } }))
      .add(started('a', 1))
      .add(completed('a')),
  ],
  [
    'an approval of a person by an agent that is no person’s own',
    ['DECIDED_BY_NO_PERSON o'],
    approvedAction(new Story().named(PERSON, 'sdk'), 1, BILL),
  ],
  ['an approval by a person’s own agent', [], approvedAction(new Story().named(PERSON, 'person'), 1, BILL)],
  [
    'a decision of a policy, by whatever agent',
    [],
    new Story()
      .named(PERSON, 'sdk')
      .add(asked('a', 1))
      .add(decided('a', 1, { by: { kind: 'policy', id: 'p' } }), { agent: PERSON })
      .add(started('a', 1))
      .add(completed('a')),
  ],
  ['no approval', ['APPROVAL_MISSING c'], new Story().add(asked('a', 1)).add(started('a', 1)).add(completed('a'))],
  [
    'an approval afterwards',
    ['APPROVED_AFTER c'],
    new Story().add(asked('a', 1)).add(started('a', 1)).add(decided('a', 1), { agent: PERSON }).add(completed('a')),
  ],
  [
    'an approval that came late, whatever it says of when it was made',
    ['APPROVED_AFTER c'],
    new Story()
      .add(asked('a', 1))
      .add(started('a', 1))
      .add(decided('a', 1), { agent: PERSON, issuedAt: START })
      .add(completed('a')),
  ],
  [
    'a decision that says it was made long before it was asked for',
    ['DECIDED_BEFORE_ASKED c'],
    new Story()
      .add(asked('a', 1), { issuedAt: START + 300_001 })
      .add(decided('a', 1), { agent: PERSON, issuedAt: START })
      .add(started('a', 1))
      .add(completed('a')),
  ],
  [
    'a decision of somebody whose clock is five minutes behind',
    [],
    new Story()
      .named(PERSON, 'person', START + 300_000)
      .add(asked('a', 1), { issuedAt: START + 300_000 })
      .add(decided('a', 1), { agent: PERSON, issuedAt: START })
      .add(started('a', 1))
      .add(completed('a')),
  ],
  [
    'a decision that says it was made long before the key that signed it',
    ['DECIDED_BEFORE_KEY c'],
    new Story()
      .named(PERSON, 'person', START + 300_001)
      .add(asked('a', 1), { issuedAt: START })
      .add(decided('a', 1), { agent: PERSON, issuedAt: START })
      .add(started('a', 1))
      .add(completed('a')),
  ],
  [
    'an action that was denied',
    ['EXECUTED_THOUGH_DENIED c'],
    new Story()
      .add(asked('a', 1))
      .add(decided('a', 1, DENIED), { agent: PERSON })
      .add(started('a', 1))
      .add(completed('a')),
  ],
  [
    'an action that was denied while it ran',
    ['EXECUTED_THOUGH_DENIED c'],
    new Story()
      .add(asked('a', 1))
      .add(started('a', 1))
      .add(decided('a', 1, DENIED), { agent: PERSON })
      .add(completed('a')),
  ],
  [
    'an action that was denied afterwards',
    ['EXECUTED_THOUGH_DENIED c'],
    new Story()
      .add(asked('a', 1))
      .add(started('a', 1))
      .add(completed('a'))
      .add(decided('a', 1, DENIED), { agent: PERSON }),
  ],
  ['another input than was approved', ['EXECUTED_OTHER_THAN_APPROVED c'], approvedAction(new Story(), 1, 1, 2)],
  [
    'the old input after it was modified',
    ['EXECUTED_OTHER_THAN_APPROVED c'],
    new Story()
      .add(asked('a', 1))
      .add(decided('a', 2, { outcome: 'modified', presented_digest: digestOf('Pay? 1') }), { agent: PERSON })
      .add(started('a', 1))
      .add(completed('a')),
  ],
  [
    'the same call twice',
    ['STARTED_TWICE c'],
    new Story().add(started('a', 1)).add(started('a', 1)).add(completed('a')),
  ],
  ['two ends', ['ENDED_TWICE c'], new Story().add(started('a', 1)).add(completed('a')).add(failed('a'))],
  ['an end without start', ['ENDED_NEVER_STARTED c'], new Story().add(completed('a'))],
  [
    'another input at the end',
    ['INPUT_CHANGED c'],
    new Story().add(started('a', { n: 1 })).add(completed('a', { input: input({ n: 2 }) })),
  ],
  [
    'another input than was proposed',
    ['INPUT_CHANGED o'],
    new Story().add(proposed('a', 1)).add(started('a', 2)).add(completed('a')),
  ],
  [
    'a call that a session left behind',
    ['STARTED_NEVER_ENDED c'],
    new Story()
      .add(sessionStarted())
      .add(started('a', 1, inSession))
      .add(sessionEnded()),
  ],
  ['a call that goes on', ['STARTED_NEVER_ENDED o'], new Story().add(started('a', 1))],
  ['a session that goes on', ['SESSION_OPEN o'], new Story().add(sessionStarted())],
  [
    'fewer records than the session had',
    ['SESSION_TOTALS_DISAGREE c'],
    new Story().add(sessionStarted()).add(sessionEnded(2)),
  ],
  [
    'a record after its session',
    ['RECORD_AFTER_SESSION_END o'],
    new Story()
      .add(sessionStarted())
      .add(sessionEnded())
      .add(completed('a', { ...inSession, whole_call: true })),
  ],
  [
    'a child session of nowhere',
    ['SUBAGENT_WITHOUT_CAUSE o'],
    new Story().add(sessionStarted({ parent: 's0' })).add(sessionEnded()),
  ],
  [
    'a sub-agent of nowhere',
    ['SUBAGENT_WITHOUT_CAUSE o'],
    new Story().add(started('a', 1, { ...inSession, actor: { sub_agent: { id: 'x' } } })).add(completed('a')),
  ],
  [
    'a cause that comes later',
    ['CAUSE_LATER c'],
    new Story().add(started('a', 1, { cause: [operationId(2)] })).add(completed('a')),
  ],
  [
    'a record that causes itself',
    ['CAUSE_LATER c'],
    new Story().add(completed('a', { whole_call: true, cause: [operationId(1)] })),
  ],
  [
    'a cause of nowhere',
    ['CAUSE_UNKNOWN o'],
    new Story().add(started('a', 1, { cause: [uuid('nowhere')] })).add(completed('a')),
  ],
  [
    'a file that somebody else changed',
    ['RESOURCE_JUMP o'],
    new Story().add(touching('a', null, 'v1')).add(touching('b', 'v2', 'v3')),
  ],
  ['a gap', ['RECORDER_GAP o'], new Story().add(GAP)],
  [
    'witnesses of other inputs',
    ['WITNESSES_DISAGREE c'],
    new Story()
      .add(started('a', { n: 1 }, seenBy('hook')))
      .add(started('a', { n: 2 }, seenBy('mcp')))
      .add(completed('a', seenBy('mcp')))
      .add(completed('a', seenBy('hook'))),
  ],
  [
    'witnesses of other outcomes',
    ['WITNESSES_DISAGREE c'],
    new Story()
      .add(started('a', 1, seenBy('hook')))
      .add(completed('a', { ...seenBy('hook'), outcome: { status: 'ok' } }))
      .add(started('a', 1, seenBy('mcp')))
      .add({ ...failed('a'), ...seenBy('mcp') }),
  ],
  [
    'a witness that leaves open how the call ended, and one that knows it',
    [],
    new Story()
      .add(started('a', 1, seenBy('hook')))
      .add(completed('a', seenBy('hook')))
      .add({ ...failed('a'), ...seenBy('transcript'), whole_call: true }),
  ],
  [
    'witnesses of other outputs in one record',
    ['WITNESSES_DISAGREE c'],
    new Story().add(
      completed('a', {
        whole_call: true,
        output: { value: 'one', media_type: 'text/plain' },
        witnesses: [{ source: 'hook' }, { source: 'mcp', output: { value: 'two', media_type: 'text/plain' } }],
      }),
    ),
  ],
];

/** A whole call in one record, with what a second witness says of it. */
const secondWitness = (members: Members): Story =>
  new Story().add(
    completed('a', {
      whole_call: true,
      input: input(1),
      witnesses: [{ source: 'hook' }, { source: 'mcp', ...members }],
    }),
  );

it.each<[string, Members, string | undefined]>([
  ['the same', { input: input(1), status: 'ok' }, undefined],
  ['another input', { input: input(2) }, '/witnesses/1/input/value'],
  ['another outcome', { status: 'error' }, '/witnesses/1/status'],
])('holds a second witness in one record against the record: %s', (_, members, pointer) => {
  const { findings } = secondWitness(members).report();
  expect(findings.map(({ where }) => where.pointer)).toEqual(pointer === undefined ? [] : [pointer]);
});

describe('coherence', () => {
  it.each(STORIES)('of %s finds %j', (_, findings, story) => {
    expect(story.codes()).toEqual(findings);
    const contradicts = findings.some((finding) => finding.endsWith(' c'));
    expect(story.report().status).toBe(contradicts ? 'incoherent' : 'coherent');
  });

  it.each(STORIES)('of %s is the same where somebody else continues after each record', (_, __, story) => {
    expect(story.report({ interrupted: true })).toEqual(story.report());
  });

  it('has a story for each code', () => {
    const found = new Set(STORIES.flatMap(([, findings]) => findings.map((finding) => finding.slice(0, -2))));
    expect(found).toEqual(new Set(COHERENCE_CODES));
  });

  it('points at the argument that changed, in the record that was carried out', () => {
    const story = approvedAction(new Story(), 1, BILL, {
      ...(BILL as object),
      total: { value: '12.51', currency: 'EUR' },
    });
    expect(story.report().findings).toMatchObject([
      { where: { seq_no: 3, operation_id: operationId(3), other_seq_no: 2, pointer: '/input/value/total/value' } },
    ]);
  });

  it('does not apply to records of no profile', () => {
    expect(new Story().add({ n: 1 }).report()).toMatchObject({ status: 'not_applicable', counts: { records: 0 } });
  });

  it('takes a digest for a value, where both have the salt of the action', () => {
    const story = new Story().add(asked('a', 1)).add(decided('a', 1), { agent: PERSON });
    story.add(started('a', 0, { input: { digest: digestOf(1) } })).add(completed('a'));
    expect(story.codes()).toEqual([]);
    const other = new Story().add(asked('a', 1)).add(decided('a', 1), { agent: PERSON });
    other.add(started('a', 0, { input: { digest: digestOf(2) } })).add(completed('a'));
    expect(other.codes()).toEqual(['EXECUTED_OTHER_THAN_APPROVED c']);
  });

  it('takes no part of a value for the whole that its digest is of: it may be a part of something else', () => {
    const cut = { ...input(BILL), digest: digestOf(BILL), value: 'Pay 1.00', truncated: true };
    const story = new Story()
      .add({ ...asked('a', BILL), input: cut })
      .add(decided('a', BILL), { agent: PERSON })
      .add(started('a', BILL))
      .add(completed('a'));
    const report = story.report();
    expect(report).toMatchObject({ status: 'not_checked', codes: {} });
    expect(report.not_checked.not_comparable).toBeGreaterThan(0);
  });

  it('compares no digests of outputs whose salts are kept back, nor with a value', () => {
    const output = (content: Json): { output: { [member: string]: Json } } => ({
      output: { ...(content as object), media_type: 'text/plain' },
    });
    const [kept, other, value] = [{ digest: digestOf(1) }, { digest: digestOf(2) }, { value: 3 }];
    for (const [one, two] of [
      [kept, other],
      [kept, value],
      [value, kept],
    ] as const) {
      const view = completed('a', {
        whole_call: true,
        input: input(1),
        witnesses: [{ source: 'mcp' }],
        ...output(two),
      });
      const story = new Story().add(started('a', 1, { witnesses: [{ source: 'hook' }] }));
      story.add(completed('a', { witnesses: [{ source: 'hook' }], ...output(one) })).add(view);
      expect(story.codes()).toEqual([]);
    }
    const view = completed('a', {
      whole_call: true,
      input: input(1),
      witnesses: [{ source: 'mcp' }],
      ...output({ value: 4 }),
    });
    const story = new Story().add(started('a', 1, { witnesses: [{ source: 'hook' }] }));
    story.add(completed('a', { witnesses: [{ source: 'hook' }], ...output(value) })).add(view);
    expect(story.codes()).not.toEqual([]);
  });
});

it.each([...COHERENCE_CODES])('%s has its row on the page of the profile', (code) => {
  const rows = readFileSync(join(ROOT, 'docs', 'agent-actions.md'), 'utf8').match(/^\| [A-Z_, ]+ \|/gm) ?? [];
  expect(rows.some((row) => row.split(/[|, ]+/).includes(code))).toBe(true);
});

it('counts what an agent recorded of its session, and not what a person decided about it', () => {
  const reported = { ...decided('a', 1, { by: { kind: 'policy', id: 'p' } }), ...inSession };
  const story = new Story()
    .add(sessionStarted())
    .add({ ...asked('a', 1), ...inSession })
    .add(reported);
  story.add({ ...decided('a', 1), ...inSession }, { agent: PERSON }).add(sessionEnded(3));
  expect(story.report()).toMatchObject({ status: 'coherent', counts: { sessions: 1 }, findings: [] });
});

describe('where a range begins or ends in the middle', () => {
  it('no end without start is a contradiction', () => {
    expect(new Story(7).add(completed('a')).codes()).toEqual(['ENDED_NEVER_STARTED o']);
  });

  it('no missing approval is', () => {
    const story = new Story().add(asked('a', 1)).add(started('a', 1)).add(completed('a'));
    expect(story.codes({ toHead: false })).toEqual(['APPROVAL_MISSING o']);
    expect(story.codes({ allAgents: false })).toEqual(['APPROVAL_MISSING o']);
  });

  it('no cut of an honest ledger has a contradiction', () => {
    const whole = new Story().add(sessionStarted());
    for (let i = 0; i < 3; i++) approvedAction(whole, i, { i });
    whole
      .add(started('late', 1, inSession))
      .add(completed('late', inSession))
      .add(sessionEnded(3));
    const payloads = whole.records.map(({ payload, agent_id: agent }) => [payload as Members, agent] as const);
    for (let from = 0; from < payloads.length; from++) {
      for (let to = from + 1; to <= payloads.length; to++) {
        const cut = new Story(from + 1);
        for (const [payload, agent] of payloads.slice(from, to)) cut.add(payload, { agent });
        expect(cut.report({ toHead: to === payloads.length }).counts.contradictions, `${from} to ${to}`).toBe(0);
      }
    }
  });
});

describe('what is withheld', () => {
  it('is not checked, and counted', () => {
    const story = approvedAction(new Story(), 1, BILL).add(completed('b', { whole_call: true }), { withheld: 1 });
    expect(story.report()).toMatchObject({ status: 'not_checked', not_checked: { withheld: 1 } });
  });

  it('does not hide a contradiction', () => {
    const story = approvedAction(new Story(), 1, 1, 2).add(null);
    expect(story.report()).toMatchObject({ status: 'incoherent', not_checked: { withheld: 1 } });
  });

  it('may be what seems to be missing', () => {
    const story = new Story().add(null).add(completed('a'));
    expect(story.codes()).toEqual(['ENDED_NEVER_STARTED o']);
    const decision = new Story()
      .add(asked('a', 1))
      .add({ profile: 'countersign.agent-action/1' }, { agent: PERSON, withheld: 3 });
    expect(decision.add(started('a', 1)).add(completed('a')).codes()).toEqual(['APPROVAL_MISSING o']);
  });

  it('leaves what cannot be compared without a word of approval', () => {
    const story = new Story().add(asked('a', 1)).add(decided('a', 1), { agent: PERSON });
    story
      .add(action('started', { action_id: actionId('a'), tool: { name: 'pay' } }), { withheld: 1 })
      .add(completed('a'));
    expect(story.report()).toMatchObject({ status: 'not_checked', not_checked: { withheld: 1, not_comparable: 1 } });
  });

  it('may be what a gap of the recorder hides', () => {
    expect(new Story().add(GAP).add(completed('a')).codes()).toEqual(['RECORDER_GAP o', 'ENDED_NEVER_STARTED o']);
  });
});

it('does not take records out of order', () => {
  const story = new Story().call('a');
  story.records.reverse();
  expect(story.report()).toMatchObject({ status: 'not_checked', not_checked: { unreadable: 1 } });
});

it('knows agents apart: another one cannot end a call', () => {
  const story = new Story().add(started('a', 1)).add(completed('a'), { agent: 'stranger' });
  expect(story.codes()).toEqual(['ENDED_NEVER_STARTED c', 'STARTED_NEVER_ENDED o']);
  expect(story.records.map(({ agent_id }) => agent_id)).toEqual([AGENT, 'stranger']);
});
