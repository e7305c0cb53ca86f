// What is read out of payloads of the profile (docs/agent-actions.md), by hand and as the recorder makes them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ACCESSES,
  factsOf,
  identityOf,
  investigationRules,
  joinedEntities,
  NEW_CALL,
  outcomeOfCall,
  prepareRules,
  type RecordFacts,
  readPayload,
  withRecord,
} from '../../../src/actions/index.ts';
import type { Json, JsonObject } from '../../../src/protocol/index.ts';
import {
  action,
  actionId,
  asked,
  completed,
  decided,
  input,
  operationId,
  started,
} from '../../support/agent-actions.ts';
import { runs } from '../../support/extent.ts';
import { Watching } from '../../support/seen-events.ts';

const RULES = prepareRules(investigationRules.parse({ version: 1 }));
const HEAD = { agent_id: 'coder', operation_type: 'tool.shell', action: 'run', subject: 'Bash' };

const factsIn = (payload: JsonObject): RecordFacts => factsOf(HEAD, readPayload(payload), RULES);
const summary = (payload: JsonObject): string => factsIn(payload).summary;
const call = (phase: string, members: { readonly [member: string]: Json } = {}) =>
  action(phase, { action_id: actionId(1), tool: { name: 'Bash' }, ...members });

/** What became of the call that these records are all of. */
const outcomeOver = (...payloads: readonly JsonObject[]) =>
  outcomeOfCall(payloads.map(factsIn).reduce((state, facts) => withRecord(state, facts, true), NEW_CALL));

describe('a record of the profile', () => {
  it('says itself which session, call, tool and sub-agent it belongs to, and on whose behalf', () => {
    const payload = call('started', {
      session: { id: 's2', parent: 's1', turn: 4 },
      cause: [operationId(1)],
      actor: { on_behalf_of: 'ada', sub_agent: { id: 'helper' } },
      input: input({ command: 'ls' }),
    });
    expect(factsIn(payload)).toMatchObject({
      phase: 'started',
      session: 's2',
      parentSession: 's1',
      call: actionId(1),
      tool: 'Bash',
      person: 'ada',
      subAgent: 'helper',
      causes: [operationId(1)],
      outcome: null,
    });
  });

  it('has names that are not opened where they look like JSON', () => {
    expect(factsIn(call('started', { session: { id: '{"a":1}' } })).session).toBe('{"a":1}');
  });

  it('is read by what has its form where the rest has not', () => {
    const payload = {
      ...call('completed'),
      session: 7,
      cause: 'x',
      touched: [1, { kind: 'file' }],
      timing: { duration_ms: -4 },
    };
    expect(factsIn(payload)).toMatchObject({
      session: null,
      causes: [],
      entity: [],
      duration: null,
      outcome: 'ok',
    });
    expect(factsIn({ ...payload, phase: 'danced' }).phase).toBe('record');
  });
});

describe('the outcome of a record', () => {
  it.each<[string, { [member: string]: Json }, string | null, string | null]>([
    ['completed', {}, 'ok', null],
    ['completed', { outcome: { status: 'ok' }, output: input('Error: in the text of a file') }, 'ok', null],
    ['completed', { output: input('Error: no such file') }, 'failed', 'Error: no such file'],
    ['failed', { outcome: { status: 'error', error: { type: 'IO', message: 'disk full' } } }, 'failed', 'disk full'],
    ['failed', { outcome: { status: 'error', exit_code: 2 } }, 'failed', 'exit code 2'],
    ['failed', { outcome: { status: 'timeout' } }, 'failed', 'timeout'],
    ['failed', { outcome: { status: 'unknown' } }, 'unknown', null],
    ['refused', { outcome: { status: 'denied' } }, 'refused', 'denied'],
    ['refused', {}, 'refused', null],
    ['decided', { decision: { outcome: 'denied', justification: 'too much' } }, 'refused', 'too much'],
    ['decided', { decision: { outcome: 'approved' } }, null, null],
    ['started', {}, null, null],
  ])('%s %j: %s', (phase, members, outcome, error) => {
    expect(factsIn(call(phase, members))).toMatchObject({ outcome, error });
  });
});

describe('the outcome of a call', () => {
  it('is what its end says, however it began', () => {
    expect(outcomeOver(started(1, {}), completed(1))).toBe('ok');
    expect(outcomeOver(call('proposed'), call('failed', { outcome: { status: 'error' } }))).toBe('failed');
    expect(outcomeOver(completed(1))).toBe('ok');
  });

  it('is unfinished without an end', () => {
    expect(outcomeOver(started(1, {}))).toBe('unfinished');
    expect(outcomeOver(asked(1, {}), decided(1, {}))).toBe('unfinished');
  });

  it('is refused where it was denied and nothing came after', () => {
    expect(outcomeOver(asked(1, {}), decided(1, {}, { outcome: 'denied' }))).toBe('refused');
    expect(outcomeOver(asked(1, {}), decided(1, {}, { outcome: 'denied' }), decided(1, {}))).toBe('unfinished');
    expect(outcomeOver(decided(1, {}, { outcome: 'denied' }), completed(1))).toBe('ok');
    const unseen = call('failed', { outcome: { status: 'unknown' } });
    expect(outcomeOver(decided(1, {}, { outcome: 'denied' }), unseen)).toBe('refused');
    expect(outcomeOver(started(1, {}), unseen)).toBe('unknown');
  });

  it('does not exist where there is no call', () => {
    expect(outcomeOver(action('session_started', { session: { id: 's' } }))).toBeNull();
  });
});

describe('the line of a record', () => {
  const user = { kind: 'user', content: input('Book me a flight\nto Oslo') };

  it.each<[JsonObject, string]>([
    [call('proposed', { input: input({ command: 'git status' }) }), 'Proposed: Bash(git status)'],
    [call('started', { input: input({ command: 'ls', cwd: '/w' }) }), 'Bash(command: ls, cwd: /w)'],
    [call('completed', { output: input('clean') }), 'Bash → clean'],
    [call('completed', { output: { digest: `sha256:${'0'.repeat(64)}` } }), 'Bash → (digest only)'],
    [
      call('completed', { output: { value: 'iVBO', encoding: 'base64', media_type: 'image/png', bytes: 9000 } }),
      'Bash → image/png, 9000 bytes',
    ],
    [call('completed'), 'Bash → done'],
    [call('failed', { outcome: { status: 'error', error: { message: 'no' } } }), 'Bash → failed: no'],
    [call('failed', { outcome: { status: 'unknown' } }), 'Bash → ended, nobody saw how'],
    [call('refused', { outcome: { status: 'blocked' } }), 'Bash → refused: blocked'],
    [asked(1, { amount: 5 }), 'Asked: pay(5)'],
    [decided(1, 1), 'Approved by ada@example.org'],
    [decided(1, 1, { outcome: 'denied', justification: 'not now' }), 'Denied by ada@example.org: not now'],
    [action('told', { told: [user, user] }), 'Prompt: Book me a flight to Oslo (and 1 more)'],
    [action('session_started', { actor: { program: { name: 'Claude Code' } } }), 'Session started in Claude Code'],
    [action('session_ended', { session: { id: 's', totals: { records: 1200 } } }), 'Session ended after 1,200 records'],
    [action('tools', { tools: { server: 'files', count: 12 } }), 'Tools of files defined: 12'],
    [action('gap', { gap: { count: null, reason: 'killed' } }), 'Gap: an unknown number of records lost: killed'],
    [action('note', { note: { kind: 'late_end', text: 'It ended.' } }), 'Note late_end – It ended.'],
    [action('told', {}), 'Told: (not shown)'],
  ])('says what happened', (payload, line) => {
    expect(summary(payload)).toBe(line);
  });
});

describe('what a record touches', () => {
  it('is what it lists, with states and amounts', () => {
    const { entity, host } = factsIn(
      call('completed', {
        touched: [
          { kind: 'file', id: '/w/a.ts', access: 'write', before: 'v1', after: 'v2' },
          { kind: 'file', id: '/w/a.ts', access: 'read', after: 'v3' },
          { kind: 'payment', id: 'p1', access: 'send', amount: { value: '12.50', currency: 'EUR' } },
          { kind: 'host', id: 'api.example.org', access: 'send' },
          { kind: 'file', id: 'new', access: 'write', before: null },
        ],
      }),
    );
    const declared = { declared: true, accessFrom: 'declared' };
    expect(entity).toEqual([
      { kind: 'file', id: '/w/a.ts', access: 'write', before: 'v1', after: 'v3', at: '/touched/0', ...declared },
      {
        kind: 'payment',
        id: 'p1',
        access: 'send',
        amount: { value: '12.50', currency: 'EUR' },
        at: '/touched/2',
        ...declared,
      },
      { kind: 'host', id: 'api.example.org', access: 'send', at: '/touched/3', ...declared },
      { kind: 'file', id: 'new', access: 'write', before: null, at: '/touched/4', ...declared },
    ]);
    expect(host).toEqual(['api.example.org']);
  });

  it('is found in its input by the rules too, and only mentioned while nobody has decided', () => {
    const members = { tool: { name: 'Write' }, input: input({ file_path: '/w/b.ts', content: 'see https://x.test/' }) };
    const access = (phase: string) => factsIn(call(phase, members)).entity.map((each) => `${each.access} ${each.id}`);
    expect(access('started')).toEqual(['write /w/b.ts']);
    expect(access('asked')).toEqual(['mentioned /w/b.ts']);
    expect(factsIn(call('started', members)).host).toEqual(['x.test']);
  });

  it('is not what its program says of itself', () => {
    const payload = call('completed', { x_recorder: { cwd: '/w', path: '/p' }, x_case: { ticket_id: 'T1' } });
    expect(factsIn(payload).entity.map(({ id }) => id)).toEqual(['T1']);
  });
});

describe('what the recorder makes of a coding agent', () => {
  it('reads as its session, with calls that are finished, failed and refused', () => {
    const watching = new Watching();
    watching.session('session_started');
    watching.call('proposed', { given: { command: 'curl https://api.test/v1' } });
    watching.call('completed', { gave: '{"ok":true}', duration_ms: 40 });
    watching.call('proposed', { call_id: 'c2', given: { command: 'false' } });
    watching.call('failed', { call_id: 'c2', outcome: { status: 'error', exit_code: 1 } });
    watching.call('proposed', { call_id: 'c3', given: { command: 'rm -rf /' } });
    watching.decide('denied', { call_id: 'c3', given: { command: 'rm -rf /' } });
    watching.session('session_ended');
    const facts = watching.drafts.map(({ payload, operationType, subject, action: does }) =>
      factsOf({ agent_id: 'a', operation_type: operationType, subject, action: does }, readPayload(payload), RULES),
    );
    expect(facts.every(({ session, person }) => session === 's1' && person === 'ada')).toBe(true);
    expect(facts.map((each) => each.summary)).toEqual([
      'Session started in Claude Code',
      'Proposed: Bash(curl https://api.test/v1)',
      'Bash → ok: true',
      'Proposed: Bash(false)',
      'Bash → failed: exit code 1',
      'Proposed: Bash(rm -rf /)',
      'Denied by ada',
      'Bash → ended, nobody saw how',
      'Session ended after 8 records',
    ]);
    expect(facts[1]?.host).toEqual(['api.test']);
    expect(facts[2]).toMatchObject({ duration: 40, outcome: 'ok' });
  });
});

describe('what the agent declared', () => {
  const list = '/srv/patients.csv';
  const touched = [
    { kind: 'host', id: 'mirror.example', access: 'send' },
    { kind: 'file', id: list, access: 'read' },
  ];
  const given = input({
    path: list,
    url: 'https://mirror.example/in',
    host: 'other.example',
    owner: 'ada@Corp.Example',
  });

  it('is not made more of by the name of the tool, nor by what its members are called', () => {
    const facts = factsIn(call('started', { tool: { name: 'update_and_delete' }, input: given, touched }));
    expect(facts.entity.map(({ kind, id, access, declared }) => [kind, id, access, declared])).toEqual([
      ['host', 'mirror.example', 'send', true],
      ['file', list, 'read', true],
      ['host', 'other.example', 'mentioned', false],
      ['email', 'ada@corp.example', 'write', false],
    ]);
    expect(facts.entity.slice(2)).toMatchObject([
      { at: '/input/value/host', accessFrom: null },
      { at: '/input/value/owner', accessFrom: 'tool' },
    ]);
  });

  it('counts over all records of a call, in whatever order they come', () => {
    const began = factsIn(call('started', { tool: { name: 'delete_file' }, input: given })).entity;
    const ended = factsIn(call('completed', { touched })).entity;
    for (const lists of [
      [began, ended],
      [ended, began],
    ]) {
      const joined = joinedEntities(lists).filter(({ id }) => id === list);
      expect(joined.map(({ access, declared }) => [access, declared])).toEqual([['read', true]]);
    }
  });

  it('is one with an address that another member, or a command, names', () => {
    const account = [{ kind: 'account', id: 'ada@CORP.example', access: 'read' }];
    const facts = factsIn(
      call('started', {
        tool: { name: 'send_mail' },
        input: input({ to: 'Ada <ada@corp.example>' }),
        touched: account,
      }),
    );
    expect(facts.entity).toMatchObject([{ kind: 'email', id: 'ada@corp.example', access: 'read', declared: true }]);
  });

  it('is contradicted by no guess, whatever the payload', () => {
    const id = fc.constantFrom(
      'a@x.example',
      'A@X.example',
      '/w/a',
      'h.example',
      'https://h.example/',
      'H.example',
      '7',
    );
    const kind = fc.constantFrom('file', 'host', 'account', 'record', 'other', 'payment');
    const access = fc.constantFrom('read', 'write', 'delete', 'send');
    const member = fc.constantFrom(
      'path',
      'host',
      'url',
      'user',
      'email',
      'to',
      'command',
      'account_id',
      'amount',
      'x',
    );
    const words = fc.oneof(
      id,
      id.map((each) => `rm ${each}`),
      id.map((each) => `curl -d x ${each} > ${each}`),
    );
    const payload = fc.record({
      touched: fc.array(fc.record({ kind, id, access }), { maxLength: 6 }),
      given: fc.dictionary(member, words),
      tool: fc.constantFrom('delete_all', 'write', 'send_mail', 'Bash', 'get'),
      phase: fc.constantFrom('proposed', 'asked', 'started', 'completed'),
      subject: id,
    });
    fc.assert(
      fc.property(payload, ({ touched: declared, given: members, tool, phase, subject: named }) => {
        const body = call(phase, { tool: { name: tool }, input: input(members), touched: declared });
        const { entity } = factsOf({ ...HEAD, subject: named }, readPayload(body), RULES);
        const said = declared.map((each) => ({ ...identityOf(each.kind, each.id), access: each.access }));
        for (const { kind: of, id: one } of said) {
          const found = entity.filter((each) => each.kind === of && each.id === one);
          const strongest = said
            .filter((each) => each.kind === of && each.id === one)
            .map((each) => ACCESSES.indexOf(each.access));
          expect(found.map((each) => [each.declared, ACCESSES.indexOf(each.access)])).toEqual([
            [true, Math.max(...strongest)],
          ]);
          expect(entity.filter((each) => each.id === one && !each.declared)).toEqual([]);
        }
        expect(entity.filter((each) => each.declared)).toHaveLength(
          new Set(said.map((each) => `${each.kind} ${each.id}`)).size,
        );
      }),
      runs(300),
    );
  });
});
