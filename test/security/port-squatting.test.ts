// docs/agent-library.md: while the service is stopped another program may listen at its port; it must not get the token.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Agent, type AgentOptions } from '../../src/agent/index.ts';
import { atEnd } from '../support/cleanup.ts';
import { expectError, send } from '../support/client.ts';
import { type Account, TestService } from '../support/service.ts';
import { Signer } from '../support/signer.ts';

const ACTION = { operationType: 'file.write', subject: '/tmp/a', action: 'write', payload: { bytes: 12 } };
const NONCE = 'n'.repeat(43);

/** Whatever came to the squatter, and what it answers. */
class Squatter {
  readonly tokens: string[] = [];
  readonly paths: string[] = [];
  readonly #server: Server;

  constructor(answer: (request: IncomingMessage, body: string) => Promise<{ status: number; body: string }>) {
    this.#server = createServer((request, response) => {
      const { authorization } = request.headers;
      if (authorization !== undefined) this.tokens.push(authorization);
      this.paths.push(request.url ?? '');
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      request.on('end', () => {
        answer(request, text).then(
          ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
          () => response.destroy(),
        );
      });
    });
    atEnd(() => this.close());
  }

  async listen(port = 0, host = '127.0.0.1'): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const { port: taken } = this.#server.address() as { port: number };
    return `http://127.0.0.1:${taken}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Passes everything on to the real service, wherever that listens. */
function relayTo(url: () => string) {
  return async (request: IncomingMessage, body: string): Promise<{ status: number; body: string }> => {
    const { method = 'GET', headers } = request;
    const authorization: Record<string, string> =
      headers.authorization === undefined ? {} : { authorization: headers.authorization };
    const response = await fetch(`${url()}${request.url}`, {
      method,
      headers: { ...authorization, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body }),
    });
    return { status: response.status, body: await response.text() };
  };
}

async function agentOf(service: TestService, owner: Account, change: Partial<AgentOptions> = {}): Promise<Agent> {
  const signer = new Signer(owner.orgId, `agent-${Math.random()}`.replace('.', ''));
  await owner.client.ok('registerAgent', { body: signer.registration });
  const agent = new Agent({
    serviceUrl: service.url,
    token: owner.client.token ?? '',
    orgId: owner.orgId,
    agentId: signer.agentId,
    kid: signer.kid,
    privateKey: signer.seed,
    serviceKid: service.kid,
    retryForMs: 300,
    ...change,
  });
  atEnd(() => agent.close());
  return agent;
}

describe('a program that listens where the service was', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const { port } = new URL(service.url);

  it('is sent no token, whatever it answers', async () => {
    const agent = await agentOf(service, owner);
    const kid = service.kid;
    await service.stop();
    const answers = ['{}', 'null', 'no JSON', '{"signature":7}', `{"signature":"${'A'.repeat(86)}"}`];
    for (const body of answers) {
      const squatter = new Squatter(async () => ({ status: 200, body }));
      await squatter.listen(Number(port));
      await expect(agent.submit(ACTION)).rejects.toMatchObject({ code: expect.stringMatching(/SERVICE_UN/) });
      expect(squatter.tokens).toEqual([]);
      expect(squatter.paths).toContain('/v1/service/challenge');
      squatter.close();
    }
    await service.restart({ port: Number(port) });
    expect(service.kid).toBe(kid);
    expect((await agent.submit(ACTION)).seq_no).toBeGreaterThan(0);
  });

  it('is sent no token when it takes over between two operations', async () => {
    const agent = await agentOf(service, owner);
    await agent.submit(ACTION);
    await service.stop();
    await expect(agent.submit(ACTION)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const squatter = new Squatter(async () => ({ status: 200, body: '{}' }));
    await squatter.listen(Number(port));
    await expect(agent.submit(ACTION)).rejects.toMatchObject({ code: expect.stringMatching(/SERVICE_UN/) });
    expect(squatter.tokens).toEqual([]);
    squatter.close();
    await service.restart({ port: Number(port) });
  });

  it('gains nothing by asking the service that listens elsewhere', async () => {
    const squatter = new Squatter(relayTo(() => service.url));
    const serviceUrl = await squatter.listen();
    const agent = await agentOf(service, owner, { serviceUrl });
    await expect(agent.submit(ACTION)).rejects.toMatchObject({
      code: 'SERVICE_UNKNOWN',
      message: expect.stringContaining(service.kid),
    });
    expect(squatter.tokens).toEqual([]);
  });

  it('is sent the token by an agent that pins no key, as ever', async () => {
    const squatter = new Squatter(relayTo(() => service.url));
    const serviceUrl = await squatter.listen();
    const { serviceKid: _, ...unpinned } = { serviceKid: undefined };
    const signer = new Signer(owner.orgId, 'unpinned');
    await owner.client.ok('registerAgent', { body: signer.registration });
    const { orgId } = owner;
    const token = owner.client.token ?? '';
    const options = { serviceUrl, token, orgId, agentId: 'unpinned', kid: signer.kid, privateKey: signer.seed };
    const agent = new Agent({ ...options, ...unpinned });
    await agent.submit(ACTION);
    expect(squatter.tokens).not.toEqual([]);
    await agent.close();
  });

  it('is told by the service only where it was reached itself', async () => {
    const ask = (address: string) =>
      send(service.url, {
        method: 'POST',
        path: '/v1/service/challenge',
        body: JSON.stringify({ address, nonce: NONCE }),
      });
    const own = await ask(service.url);
    expect(own.body).toMatchObject({ address: service.url, nonce: NONCE, service_kid: service.kid });
    for (const other of [
      'http://127.0.0.1:1',
      `http://localhost:${port}`,
      `${service.url}/`,
      `https://127.0.0.1:${port}`,
    ]) {
      expectError(await ask(other), 'FORBIDDEN', 'address');
    }
  });
});
