// A stop waits for requests in progress, and for nothing else.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { TestService } from '../support/service.ts';

it('does not wait for a connection on which nothing was ever said, such as browsers open ahead', async () => {
  const service = await TestService.start();
  const { hostname, port } = new URL(service.url);
  const silent = connect(Number(port), hostname);
  await once(silent, 'connect');
  // Once this is answered, the service knows of both.
  await service.client().ok('health');
  const ended = once(silent, 'close');
  const began = performance.now();
  await service.stop();
  await ended;
  // Of the ten seconds that a request in progress gets.
  expect(performance.now() - began).toBeLessThan(9000);
});
