// docs/operations.md, TLS: what a service with a certificate of its own tells browsers, and that its limits hold there too.
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, it } from 'vitest';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestService } from '../support/service.ts';
import { makeCertificate } from '../support/tls.ts';
import { until } from '../support/until.ts';

const MOST = 16;
const folder = temporaryFolder();
const { cert, key } = makeCertificate();
const files = { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') };
writeFileSync(files.tlsCert, cert);
writeFileSync(files.tlsKey, key, { mode: 0o600 });
const service = await TestService.start({ ...files, maxConnections: MOST });

/** The headers of an answer to a new connection. */
function ask(path: string) {
  return new Promise<{ status: number | undefined; transport: string | undefined }>((resolve, reject) => {
    const asked = request(service.url + path, { ca: cert, agent: false }, (answer) => {
      answer
        .resume()
        .on('end', () =>
          resolve({ status: answer.statusCode, transport: answer.headers['strict-transport-security'] }),
        );
    });
    asked.on('error', reject).end();
  });
}

it.each(['/v1/health', '/nowhere', '/v1/agents', '/v1/verifier'])(
  '%s: browsers are told to come by TLS alone',
  async (path) => {
    expect((await ask(path)).transport).toMatch(/^max-age=\d{8}/);
  },
);

it('says nothing of that without a certificate, where a proxy may have one', async () => {
  const plain = await TestService.start();
  expect((await plain.client().send({ path: '/v1/health' })).headers).not.toHaveProperty('strict-transport-security');
});

it('lets others in, though all connections are taken by those who say nothing, or too much at once', async () => {
  const open = (text: string) => {
    const held = { closed: false };
    const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', ca: cert }, () =>
      socket.write(text),
    );
    socket
      .on('error', () => undefined)
      .on('close', () => {
        held.closed = true;
      });
    atEnd(() => void socket.destroy());
    return held;
  };
  const health = 'GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const greedy = open(health.repeat(100));
  await until('the end of who asks too much', () => greedy.closed);
  const silent = Array.from({ length: 2 * MOST }, () => open('GET /v1/health HTTP/1.1\r\nX-Unfinished: '));
  await until('those that are too many to be closed', () => silent.filter(({ closed }) => !closed).length <= MOST);
  for (const _ of [1, 2, 3]) expect((await ask('/v1/health')).status).toBe(200);
});
