// docs/interface.md, Authentication: the one-time link opens nothing for whoever only looks at it.
import { describe, expect, it } from 'vitest';
import { codeOf } from '../support/cases.ts';
import { expectError, send } from '../support/client.ts';
import { TestService } from '../support/service.ts';

describe('the link into the workstation', async () => {
  const service = await TestService.start();

  it('has its code where no program that follows links sends it', () => {
    const { pathname, search, hash } = new URL(service.workstationLink());
    expect([pathname, search]).toEqual(['/', '']);
    expect(hash).toMatch(/^#\/enter\?code=[A-Za-z0-9_-]{43}$/);
  });

  it('is not spent by HEAD, GET or a form of another site, and not by a wrong code', async () => {
    const code = codeOf(service.workstationLink());
    const path = '/v1/workstation/enter';
    const body = JSON.stringify({ code });
    for (const method of ['HEAD', 'GET']) {
      const answer = await send(service.url, { method, path: `${path}?code=${code}` });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null']) {
      expectError(await send(service.url, { method: 'POST', path, body, headers: { origin } }), 'FORBIDDEN');
    }
    const wrong = { code: code.slice(0, -1) + (code.endsWith('A') ? 'B' : 'A') };
    expectError(await service.client().call('enterWorkstation', { body: wrong }), 'UNAUTHORIZED');
    const entered = await send(service.url, { method: 'POST', path, body, headers: { origin: service.url } });
    expect(entered.status).toBe(200);
    expect(entered.headers['set-cookie']?.[0]).toMatch(/^countersign_workstation=/);
    expectError(await service.client().call('enterWorkstation', { body: { code } }), 'UNAUTHORIZED');
  });

  it('lets one of many in who come with it at the same time', async () => {
    const body = { code: codeOf(service.workstationLink()) };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => service.client().call('enterWorkstation', { body })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401]);
  });
});
