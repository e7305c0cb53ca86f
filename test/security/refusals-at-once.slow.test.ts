// docs/limits.md, Other limits: whoever has not signed in and is refused again and again waits for the answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { describe, expect, it } from 'vitest';
import { refusedFor, slowRefusals } from '../../src/service/http/slow-refusals.ts';
import { atEnd } from '../support/cleanup.ts';
import { TestService } from '../support/service.ts';

/** A service that refuses everything but `/well`, after two refusals slowly; `/a` and `/b` count for themselves, `/signed-in` for nobody. */
async function refusing(isOn = true): Promise<string> {
  const app = new Koa();
  app.silent = true;
  app.use(slowRefusals(() => isOn, { atOnce: 2, gapMs: 3_600_000, patienceMs: 20_000 }));
  app.use((ctx) => {
    if (ctx.path === '/well') ctx.body = '';
    else {
      if (ctx.path !== '/') refusedFor(ctx, ctx.path === '/signed-in' ? null : ctx.path);
      ctx.throw(401);
    }
  });
  const server = createServer(app.callback());
  atEnd(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Whether the answer to a request has not come after others were asked and answered. */
async function isHeld(url: string, path: string): Promise<boolean> {
  const asked = fetch(url + path).then(
    () => false,
    // Its connection ends with the test.
    () => true,
  );
  for (const _ of [1, 2, 3]) await fetch(`${url}/well`);
  return Promise.race([asked, Promise.resolve(true)]);
}

describe('who has not signed in', () => {
  it('waits for refusals once there were many, and for nothing else', async () => {
    const url = await refusing();
    for (const _ of [1, 2]) expect((await fetch(url)).status).toBe(401);
    for (const _ of [1, 2, 3]) expect(await isHeld(url, '/')).toBe(true);
    expect((await fetch(`${url}/well`)).status).toBe(200);
    expect((await fetch(`${url}/v1/health`)).status).toBe(401);
  });

  it('waits by what the request counts for; whoever has signed in does not', async () => {
    const url = await refusing();
    for (const _ of [1, 2]) await fetch(`${url}/a`);
    expect(await isHeld(url, '/a')).toBe(true);
    expect((await fetch(`${url}/b`)).status).toBe(401);
    for (const _ of [1, 2, 3]) expect((await fetch(`${url}/signed-in`)).status).toBe(401);
  });

  it('does not wait where requests are not limited', async () => {
    const url = await refusing(false);
    for (const _ of [1, 2, 3]) expect((await fetch(url)).status).toBe(401);
  });
});

describe('a service that limits requests', async () => {
  const service = await TestService.start({ rateLimit: 1e9 });
  const { client } = await service.signUp();

  it('refuses nobody faster than two hundred times a second, and whoever has signed in at once', async () => {
    const path = `${service.url}/v1/agents`;
    const lane = async (): Promise<void> => {
      for (let count = 0; count < 40; count++) expect((await fetch(path)).status).toBe(401);
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: 16 }, lane));
    // 640 of them, 200 at once.
    expect(performance.now() - began).toBeGreaterThan(1800);
    expect((await client.call('getAgent', { params: { agent_id: 'nobody' } })).status).toBe(404);
  });
});
