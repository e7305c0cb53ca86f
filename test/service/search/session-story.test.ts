// Sessions of agents that record by the payload profile, as a story: docs/interface.md (Investigation), docs/agent-actions.md.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/index.ts';
import {
  action,
  actionId,
  asked,
  completed,
  decided,
  input,
  type Members,
  started,
} from '../../support/agent-actions.ts';
import { registerAgent, TestService } from '../../support/service.ts';

const service = await TestService.start();
const { client, orgId: _, ...account } = await service.signUp();
const owner = { client, orgId: _, ...account };
const coder = await registerAgent(owner, 'coder');
const ada = await registerAgent(owner, 'ada');
const began = Date.now() - 600_000;
let records = 0;
const ids: string[] = [];

/** The next record, a second after the one before. Salted, so that each member is a disclosure. */
async function add(payload: Members, signer = coder): Promise<string> {
  const issuedAt = new Date(began + records++ * 1000).toISOString();
  const members = {
    operation_type: 'tool.shell',
    subject: 'work',
    action: String(payload['phase']),
    issued_at: issuedAt,
    ttl_ms: 3_600_000,
  };
  const body = signer.nextSalted(payload as JsonObject, members);
  await client.ok('submitOperation', { body });
  ids.push(body.operation_id);
  return body.operation_id;
}

const s1 = { session: { id: 's1' }, actor: { on_behalf_of: 'ada', program: { name: 'Claude Code' } } };
await add(action('session_started', s1));
await add(action('told', { ...s1, told: [{ kind: 'user', content: input('Pay the invoice') }] }));
const question = await add({ ...asked('pay', { amount: 5 }), ...s1 });
await add(decided('pay', { amount: 5 }), ada);
const paid = await add(started('pay', { amount: 5 }, { ...s1, cause: [question] }));
await add(
  completed('pay', {
    ...s1,
    tool: { name: 'pay' },
    output: input('{"receipt":"R1"}'),
    timing: { observed_at: '2026-01-01T00:00:00Z', duration_ms: 250 },
  }),
);
await add(started('look', { url: 'https://example.org/' }, { ...s1, tool: { name: 'fetch' } }));
await add(
  completed('look', {
    ...s1,
    output: { value: Buffer.from('PNG').toString('base64'), encoding: 'base64', media_type: 'image/png', bytes: 3 },
  }),
);
const child = { session: { id: 's2', parent: 's1' }, actor: { sub_agent: { id: 'helper' } } };
await add(action('session_started', { ...child, cause: [paid] }));
await add(started('dig', { path: '/etc/passwd' }, { ...child, tool: { name: 'Read' } }));
await add(
  action('refused', {
    action_id: actionId('dig'),
    ...child,
    outcome: { status: 'denied', error: { message: 'not yours' } },
  }),
);
await add(started('forever', { n: 1 }, { ...s1, tool: { name: 'wait' } }));
await add(started('big', { text: 'x'.repeat(20_000) }, { ...s1, tool: { name: 'think' } }));
await add(action('completed', { action_id: actionId('big'), ...s1, tool: { name: 'think' } }));
await add({ ...asked('skipped', { amount: 9 }), ...s1 });
const unasked = await add(started('skipped', { amount: 9 }, s1));
await add(action('session_ended', { session: { id: 's1', totals: { records: 12 } } }));

const story = (body: object = {}) => client.ok('sessionSteps', { body: { session: 's1', ...body } });
const oneStep = async (tool: string) => {
  const found = (await story()).data.find((step) => step.tool === tool && step.kind === 'call');
  if (found === undefined) throw new Error(`no call of ${tool}`);
  return found;
};

describe('a session', () => {
  it('has its people, agents, calls by their outcome, and whether it ended', async () => {
    const { data } = await client.ok('sessions', { body: {} });
    expect(data.map(({ session }) => session)).toEqual(['s1', 's2']);
    expect(data[0]).toMatchObject({
      parent: null,
      agents: ['coder'],
      people: ['ada'],
      records: 13,
      ended: true,
      calls: 5,
      failed: 0,
      refused: 0,
      unfinished: 2,
      begins_with: 'Prompt: Pay the invoice',
    });
    expect(data[1]).toMatchObject({ parent: 's1', calls: 1, refused: 1, unfinished: 0, ended: false });
  });

  it('is told in order: prompt, question, decision, calls, and the session that it opened', async () => {
    const { data, below } = await story();
    expect(data.map(({ kind, title }) => `${kind}: ${title.slice(0, 60)}`)).toEqual([
      'start: Session started in Claude Code',
      'told: Prompt: Pay the invoice',
      'asked: Asked: pay(5)',
      'decided: Approved by ada@example.org',
      'call: pay(5) → receipt: R1',
      'call: fetch(https://example.org/) → image/png, 3 bytes',
      'start: Session started',
      'call: Read(/etc/passwd) → refused: not yours',
      'call: wait(1)',
      expect.stringMatching(/^call: think\(xxx/),
      'asked: Asked: pay(9)',
      'call: pay(9)',
      'end: Session ended after 12 records',
    ]);
    expect(below.map(({ session }) => session)).toEqual(['s2']);
    expect((await story({ below: false })).data.map(({ session }) => session)).not.toContain('s2');
  });

  it('has lanes for people, sub-agents and tools', async () => {
    const { data } = await story();
    expect(data.map(({ lane }) => `${lane.kind} ${lane.id}`).slice(0, 8)).toEqual([
      'agent coder',
      'person ada',
      'agent coder',
      'person ada@example.org',
      'tool pay',
      'tool fetch',
      'sub_agent helper',
      'sub_agent helper',
    ]);
  });
});

describe('a call', () => {
  it('joins its moments, with the decision of another agent', async () => {
    const step = await oneStep('pay');
    expect(step).toMatchObject({ outcome: 'ok', duration_ms: 250, causes: [question] });
    // By the key of an agent that is nobody's own and was registered after the times that its records say.
    expect(step.marks).toEqual(['DECIDED_BY_NO_PERSON', 'DECIDED_BEFORE_KEY']);
    expect(step.moments.map(({ phase }) => phase)).toEqual(['asked', 'decided', 'started', 'completed']);
    expect(step.moments.map(({ operation_id: id }) => id)).toEqual(ids.slice(2, 6));
    expect(step.input).toMatchObject({ value: { amount: 5 }, cut: false });
    expect(step.output).toMatchObject({ value: { receipt: 'R1' }, cut: false });
    expect(Date.parse(step.ended_at ?? '') - Date.parse(step.at)).toBe(1000);
  });

  it('shows an image as its digest, and of a long text a part', async () => {
    const { output, duration_ms: took } = await oneStep('fetch');
    expect(output).toEqual({
      value: null,
      cut: true,
      digest: expect.stringMatching(/^sha256:/),
      media_type: 'image/png',
      bytes: 3,
    });
    expect(took).toBe(1000);
    const long = (await oneStep('think')).input;
    expect(JSON.stringify(long?.value).length).toBeLessThan(4000);
    expect(long?.cut).toBe(true);
  });

  it('says that it was refused, is unfinished, or lacks an approval, and why', async () => {
    expect(await oneStep('Read')).toMatchObject({ outcome: 'refused', error: 'not yours', marks: ['REFUSED'] });
    const waiting = await oneStep('wait');
    expect(waiting).toMatchObject({ outcome: 'unfinished', ended_at: null, duration_ms: null });
    expect(waiting.marks).toEqual(['STARTED_NEVER_ENDED']);
    const reading = await client.ok('operationReading', { params: { operation_id: waiting.operation_id } });
    const why = 'The session was recorded as ended, and how this call ended was not.';
    expect(reading.marks).toEqual([{ code: 'STARTED_NEVER_ENDED', why, evidence: [expect.any(String)] }]);
    const { marks } = await client.ok('operationReading', { params: { operation_id: unasked } });
    expect(marks.map(({ code }) => code)).toContain('APPROVAL_MISSING');
    expect(marks.find(({ code }) => code === 'APPROVAL_MISSING')?.evidence).toHaveLength(1);
  });

  it('of records whose members are erased tells only what is left', async () => {
    const params = { operation_id: paid };
    await client.ok('eraseOperation', { params, body: { reason: 'for the test', members: ['input'] } });
    const step = await oneStep('pay');
    expect(step.input).toBeNull();
    expect(step.title).toBe('pay → receipt: R1');
    await client.ok('eraseOperation', { params, body: { reason: 'for the test' } });
    expect((await story()).session.records).toBe(12);
  });
});
