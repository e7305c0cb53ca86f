// docs/limits.md: what one machine, or one IPv6 network, can name itself counts as one address.
import { Agent, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { addressGroup } from '../../src/service/http/address-group.ts';
import { expectError } from '../support/client.ts';
import { TestService } from '../support/service.ts';

describe('an address', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.3.4', 'loopback'],
    ['::ffff:127.0.0.9', 'loopback'],
    ['::1', 'loopback'],
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['128.0.0.1', '128.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ])('%s counts as %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});

/** Tries to sign in from one of the addresses that this machine has of itself. */
function signInFrom(url: string, localAddress: string, email: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = `${url}/api/auth/sign-in/email`;
    const outgoing = request(path, { method: 'POST', localAddress, agent: new Agent() }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ email, password: 'wrong password' }));
  });
}

describe('attempts from many addresses of 127.0.0.0/8', () => {
  it('count together', async () => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const statuses: number[] = [];
    for (let n = 1; n <= 15; n++) statuses.push(await signInFrom(service.url, `127.0.0.${n}`, owner.email));
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(statuses.slice(10)).toContain(429);
  });
});

describe('sign-ups', () => {
  it('of guests are limited for an address, and the owner of the set-up code is no guest', async () => {
    const service = await TestService.start({ rateLimit: 100_000 });
    const setup_code = service.setUpCode() ?? '';
    const body = (n: number) => ({
      email: `g${n}@example.org`,
      password: 'correct horse battery',
      name: 'G',
      org_name: 'G',
    });
    // The address is looked at before the password's costly hash: one that is taken costs nothing.
    await service.client().ok('signUp', { body: body(0) });
    for (let n = 1; n < 200; n++) await service.client().call('signUp', { body: body(0) });
    expectError(await service.client().call('signUp', { body: body(1) }), 'RATE_LIMITED', 'sign-ups');
    expect((await service.client().call('signUp', { body: { ...body(2), setup_code } })).status).toBe(201);
  });
});

describe('many passwords at once', () => {
  it('are looked at two at a time, and those that are too many are refused', async () => {
    const service = await TestService.start({}, { passwordCost: { memoryCost: 19_456, timeCost: 2, parallelism: 1 } });
    const answers = await Promise.all(
      Array.from({ length: 90 }, (_, n) => {
        const body = { email: `n${n}@example.org`, password: 'wrong password' };
        return service.client().call('signIn', { body });
      }),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 503]));
    const body = { email: 'after@example.org', password: 'wrong password' };
    expectError(await service.client().call('signIn', { body }), 'UNAUTHORIZED');
  });
});
