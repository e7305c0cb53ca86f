/** Where webhooks may go: by address, at the time of the connection. */
import { lookup } from 'node:dns';
import { afterEach, describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../src/service/operator/webhooks/addresses.ts';
import { isPlainlyPrivate, publicLookup, type Resolver } from '../../src/service/operator/webhooks/connect.ts';
import { Receiver } from './webhook-receiver.ts';
import { type Dispatching, WebhookService } from './webhook-service.ts';

const REFUSED = [
  ['this network', '0.0.0.0', '0.255.255.255', '::'],
  ['loopback', '127.0.0.1', '127.255.255.255', '::1'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  ['unique local', 'fc00::1', 'fdff:ffff::1'],
  ['link-local', '169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  ['broadcast and reserved', '255.255.255.255', '240.0.0.1'],
  ['protocol assignments', '192.0.0.1', '2001::1', '2001:1ff::1'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  ['benchmarking', '198.18.0.1', '198.19.255.255'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '0:0:0:0:0:FFFF:A9FE:A9FE'],
  ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::8.8.8.8'],
  ['6to4', '2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  ['Teredo', '2001:0:7f00:1::1'],
  ['site-local', 'fec0::1'],
  ['outside of global unicast', '4000::1', '5f00::1', '100::1', '1fff::1'],
  ['no address', '', 'localhost', '127.1', '0x7f000001', '2130706433', '1.2.3.4.5', ':::1'],
].flatMap(([kind = '', ...addresses]) => addresses.map((address) => [kind, address] as const));

const ALLOWED = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
  ],
  ...[
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
  ],
  ...[
    '223.255.255.255',
    '2000::1',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2001:200::1',
    '2003::1',
    '3ffe::1',
  ],
  ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
];

describe('Addresses', () => {
  test.each(REFUSED)('%s: %s is refused', (_, address) => expect(isPublicAddress(address)).toBe(false));
  test.each(ALLOWED)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
});

test.each([
  ...['https://127.0.0.1/', 'https://127.1/', 'https://0x7f000001/', 'https://2130706433/', 'https://[::1]:8443/'],
  ...['https://[::ffff:10.0.0.1]/', 'https://localhost/', 'https://LOCALHOST./', 'https://a.localhost/'],
])('%s says already that it is private', (url) => expect(isPlainlyPrivate(new URL(url))).toBe(true));

test.each(['https://hooks.example/', 'https://localhost.example/', 'https://8.8.8.8/'])('%s does not', (url) =>
  expect(isPlainlyPrivate(new URL(url))).toBe(false),
);

/** A name server under somebody's control: each question gets the next answer, the last one from then on. */
function nameServer(...answers: readonly (readonly string[])[]): Resolver {
  let asked = 0;
  return (_name, _options, callback) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

function ask(resolver: Resolver, options: { all?: boolean }): Promise<unknown> {
  return new Promise((resolve) => {
    publicLookup(resolver)('hooks.example', options, (error, found) => resolve(error?.name ?? found));
  });
}

describe('Lookup', () => {
  test('passes on what is public of an answer', async () => {
    const mixed = nameServer(['10.0.0.1', '8.8.8.8', '::1', '1.1.1.1']);
    expect(await ask(mixed, { all: true })).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '1.1.1.1', family: 4 },
    ]);
    expect(await ask(mixed, {})).toBe('8.8.8.8');
  });

  test('judges each answer again', async () => {
    const rebinding = nameServer(['8.8.8.8'], ['127.0.0.1']);
    expect(await ask(rebinding, { all: true })).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(await ask(rebinding, { all: true })).toBe('AddressRefused');
  });

  test('tells a name that nobody knows from a private one by nothing', async () => {
    const failing: Resolver = (_name, _options, callback) => callback(new RangeError('no such name'), []);
    expect(await ask(failing, { all: true })).toBe('AddressRefused');
    expect(await ask(nameServer(['10.0.0.1']), { all: true })).toBe('AddressRefused');
    expect(await ask(nameServer([]), { all: true })).toBe('AddressRefused');
  });
});

describe('Delivery to an address of this machine', () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  /** Registers while everything is allowed, then delivers under other settings. */
  async function deliver(host: string, dispatching: Dispatching) {
    const receiver = await Receiver.start('a secret of the receiver', [host, 'localhost', '127.0.0.1']);
    cleanups.push(() => receiver.close());
    const lax = await WebhookService.start({ graceMs: 0 });
    const orgId = await lax.organization();
    await lax.dispatcher.close();
    const { webhook_id } = await lax.register(orgId, receiver.url('/', host), receiver.secret);
    await lax.test(orgId, webhook_id);
    await lax.stop();
    const tlsCa = [receiver.certificate.cert];
    const service = await lax.restart({ tlsCa, plan: [], allowPrivate: false, ...dispatching });
    cleanups.push(() => service.end());
    const [row] = await service.settled();
    return { row, receiver };
  }

  const refused = {
    status: 'failed',
    lastStatus: null,
    lastError: 'the endpoint has no public address: its name is not known, or stands for a private or special address',
  };

  test.each(['127.0.0.1', 'localhost'])('%s is refused without a connection', async (host) => {
    const { row, receiver } = await deliver(host, {});
    expect(row).toMatchObject(refused);
    expect(receiver.connections).toBe(0);
  });

  test('a name that turns out to be of this machine is refused without a connection', async () => {
    const { row, receiver } = await deliver('hooks.example', { lookup: publicLookup(nameServer(['127.0.0.1'])) });
    expect(row).toMatchObject(refused);
    expect(receiver.connections).toBe(0);
  });

  test('the connected socket is looked at too, before a word is said', async () => {
    const { row, receiver } = await deliver('hooks.example', {
      lookup: (_name, options, callback) => lookup('127.0.0.1', options, callback),
    });
    expect(row).toMatchObject(refused);
    expect(receiver.received).toEqual([]);
  });

  test('where the setting allows private addresses, both are reached', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const { row, receiver } = await deliver(host, { allowPrivate: true });
      expect(row).toMatchObject({ status: 'delivered' });
      receiver.received[0]?.verify();
    }
  });

  test('registration says so early', async () => {
    const service = await WebhookService.start({ allowPrivate: false });
    cleanups.push(() => service.end());
    const orgId = await service.organization();
    const registering = async (url: string) => service.register(orgId, url, 'a secret of the receiver');
    for (const url of ['https://10.1.2.3/', 'https://localhost/', 'https://hooks.example/\ud800']) {
      await expect(registering(url)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^endpoint_url: /),
      });
    }
    expect(await registering('https://hooks.example/')).toMatchObject({ endpoint_url: 'https://hooks.example/' });
  });
});
