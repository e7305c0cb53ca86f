// docs/interface.md, Webhooks: from a service in a process of its own to a receiver outside, over real HTTPS.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Receiver } from '../service/webhook-receiver.ts';
import { atEnd } from '../support/cleanup.ts';
import { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess } from '../support/processes.ts';
import { Signer } from '../support/signer.ts';
import { until } from '../support/until.ts';

it('gets an operation, and again after the receiver was down and the service was killed', async () => {
  const receiver = await Receiver.start();
  atEnd(() => receiver.close());
  const folder = temporaryFolder();
  const trusted = join(folder, 'ca.pem');
  writeFileSync(trusted, receiver.certificate.cert);
  const start = async () => {
    const options = ['--data-dir', join(folder, 'data'), '--port', '0', '--webhook-allow-private'];
    const process = new CommandProcess(['serve', ...options], { NODE_EXTRA_CA_CERTS: trusted });
    return { process, url: await process.listening() };
  };

  const first = await start();
  const account = { email: 'ada@example.org', password: 'correct horse', name: 'Ada', org_name: 'Example' };
  const { token, user } = await new Client(first.url).ok('signUp', { body: account });
  const client = new Client(first.url, token);
  const signer = new Signer(user.orgId ?? '', 'told-of');
  await client.ok('registerAgent', { body: signer.registration });
  const { webhook } = await client.ok('registerWebhook', {
    body: { endpoint_url: receiver.url(), events: ['operation.accepted'], secret: receiver.secret },
  });

  const told = await client.ok('submitOperation', { body: signer.next() });
  const [delivered] = await until('the delivery', () => receiver.received.length > 0 && receiver.received);
  expect(delivered?.verify()).toMatchObject({
    type: 'operation.accepted',
    data: { operation_id: told.operation_id, chain_hash: told.chain_hash, seq_no: 1 },
  });

  receiver.isDown = true;
  const { connections } = receiver;
  const missed = await client.ok('submitOperation', { body: signer.next() });
  await until('an attempt in vain', () => receiver.connections > connections);
  await first.process.kill('SIGKILL');
  receiver.isDown = false;

  const second = await start();
  const again = await until('the delivery', () => receiver.received[1]);
  expect(again.verify()).toMatchObject({ data: { operation_id: missed.operation_id, seq_no: 2 } });
  expect(again.id).not.toBe(delivered?.id);
  const query = { params: { webhook_id: webhook.webhook_id } };
  const deliveries = await until('the outcome', async () => {
    const { data } = await new Client(second.url, token).ok('listDeliveries', query);
    return data.every(({ status }) => status === 'delivered') && data;
  });
  expect(deliveries.map(({ delivery_id }) => delivery_id)).toEqual([again.id, delivered?.id]);
  expect((await second.process.kill('SIGTERM')).code).toBe(0);
});
