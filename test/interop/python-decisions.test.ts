// docs/agent-library.md, Waiting for a decision, by the Python package: the same codes as the library in TypeScript.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import type { Question } from '../../src/agent/index.ts';
import type { Json, JsonObject } from '../../src/protocol/index.ts';
import { toBase64Url } from '../../src/protocol/index.ts';
import { whatIsTold } from '../support/agent-sessions.ts';
import { decisionPayload, newDecider } from '../support/decider.ts';
import { TestProxy } from '../support/proxy.ts';
import { registerAgent, TestService } from '../support/service.ts';

const hasCryptography = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
const why = hasCryptography ? '' : ' (python3 has no package cryptography: install it, Debian: python3-cryptography)';

/** A question as the Python package has it. */
interface Asked {
  readonly asked_by: string;
  readonly operation_id: string;
  readonly presented_digest: string;
  readonly action: { readonly action_id: string; readonly input: Json; readonly salt: string };
}

function questionOf({ asked_by: askedBy, operation_id: operationId, presented_digest, action }: Asked): Question {
  const { action_id: actionId, input, salt } = action;
  const asked = { actionId, input, salt, tool: { name: 'pay' } };
  return { askedBy, operationId, presentedDigest: presented_digest, action: asked };
}

describe.skipIf(!hasCryptography)(`agent.wait_for_decision of the Python package${why}`, () => {
  it('tells apart what was approved, refused, decided on something else, not proven, closed and not decided', async () => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const proxy = await TestProxy.start(service.url);
    const ada = await newDecider(service, owner);
    const { agentId, seed } = await registerAgent(owner);
    const { token } = await owner.client.ok('createToken', { body: { scope: 'submit', agent_id: agentId } });
    const names = { SERVICE: proxy.url, TOKEN: token, ORG: owner.orgId, AGENT: agentId, KEY: toBase64Url(seed) };
    const env = { ...process.env, ...names, KID: service.kid, DECIDER: ada.thumbprint };
    const program = join(ROOT, 'test', 'interop', 'python', 'waited_decisions.py');
    const child = spawn('python3', [program], {
      env: { ...env, PYTHONPATH: join(ROOT, 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const read = async () => JSON.parse((await lines.next()).value as string);
    /** Has a question asked and decided, and waited for. @param payload of the decision; null where nobody decides */
    const wait = async (payload: ((asked: Question) => JsonObject) | null, options: object = {}) => {
      child.stdin.write(`${JSON.stringify(options)}\n`);
      const question = questionOf(await read());
      if (payload !== null) await ada.decide(payload(question));
      child.stdin.write('\n');
      return read();
    };
    const approves = (asked: Question) => decisionPayload(asked, 'approved');
    const change = (how: (text: string) => string) => proxy.next(/\/decisions\//, { kind: 'change', change: how });
    const other = ['DECIDED_ON_OTHER_THAN_ASKED', expect.stringContaining('another'), expect.any(String)];

    expect(await wait(approves)).toEqual(['approved', 'ada@example.org', null, true]);
    expect(await wait((asked) => decisionPayload(asked, 'denied', { justification: 'No.' }))).toEqual(
      ['DECISION_REFUSED', 'denied by ada@example.org: No.', 'denied'], //
    );
    for (const changed of [
      (asked: Question) => approves({ ...asked, action: { ...asked.action, input: 'all' } }),
      (asked: Question) => approves({ ...asked, operationId: asked.action.actionId }),
      (asked: Question) => decisionPayload(asked, 'modified', { input: { value: 'half' } }),
    ]) {
      expect(await wait(changed)).toEqual(other);
    }
    expect(await wait((asked) => approves({ ...asked, presentedDigest: null }))).toEqual(
      ['DECIDED_ON_OTHER_THAN_ASKED', expect.stringContaining('presented'), 'approved'], //
    );
    for (const how of [
      (text: string) => text.replace('"subject":"pay"', '"subject":"pax"'),
      (text: string) => text.replace('"outcome":"approved"', '"outcome":"overridden"'),
      (text: string) => text.replace(/("chain_hash":"sha256:)......../, '$100000000'),
      (text: string) => text.replace(/"receipt_id":"[^"]*"/, '"receipt_id":"x"'),
      (text: string) =>
        text.replace(/"public_key":"[^"]*"/, `"public_key":"${toBase64Url(new Uint8Array(32).fill(9))}"`),
    ]) {
      change(how);
      expect(await wait(approves)).toBe('DECISION_UNPROVEN');
    }
    change(() => '{"state":"decided","decision":{}}');
    expect(await wait(approves)).toBe('ANSWER_INVALID');
    expect(await wait(approves, { deciders: ['A'.repeat(43)] })).toBe('DECISION_UNPROVEN');
    expect(await wait(approves, { deciders: [ada.thumbprint] })).toEqual(['approved', 'ada@example.org', null, true]);
    expect(await wait(null, { refuse: true })).toBe('QUESTION_CLOSED');
    expect(await wait(null, { timeout: 0.3 })).toBe('DECISION_TIMED_OUT');
    expect(await wait(null, { stop: true })).toBe('cancelled');
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);

    const { coherence } = await whatIsTold(service, owner, agentId, ada.agentId);
    expect(coherence.codes).not.toHaveProperty('EXECUTED_OTHER_THAN_APPROVED');
    expect(coherence.codes).not.toHaveProperty('APPROVAL_MISSING');
  });
});
