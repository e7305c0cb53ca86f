// Somebody who can reach the port signs up an organization with the name of the one whose evidence people rely on, registers
// an agent of the same name, and exports: all of it properly signed with the service key that those people trust.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orgFingerprint } from '../../src/protocol/index.ts';
import { importCase } from '../support/cases.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../support/service.ts';

const folder = temporaryFolder();
const store = join(folder, 'trust.json');
const [real, fake] = [join(folder, 'real.csbundle'), join(folder, 'fake.csbundle')];
const service = await TestService.start({ trustStore: store });
const home = await service.signUp('acme');
const impostor = await service.signUpGuest('acme');
const bundles: Record<'real' | 'fake', Buffer> = { real: Buffer.alloc(0), fake: Buffer.alloc(0) };
for (const [name, account] of [
  ['real', home],
  ['fake', impostor],
] as const) {
  await submitNext(account, await registerAgent(account, 'billing-bot'), { payload: { amount: name } });
  bundles[name] = await bundleOf(account);
}
writeFileSync(real, bundles.real);
writeFileSync(fake, bundles.fake);

describe('a second organization of the same name under a trusted service key', () => {
  it('has the same name, and another id and short fingerprint', () => {
    const text = [bundles.real, bundles.fake].map((bytes) => /"org":(\{[^}]*\})/.exec(bytes.toString('utf8'))?.[1]);
    const [one, other] = text.map((found) => JSON.parse(found ?? '{}') as { org_id: string; name: string });
    expect(one?.name).toBe(other?.name);
    expect(orgFingerprint(home.orgId)).not.toBe(orgFingerprint(impostor.orgId));
  });

  it('is not verified for whoever confirmed the first one under the key, on the command line', async () => {
    await run('trust', 'add', `${service.kid}@${home.orgId}`, '--trust-store', store);
    expect((await run('verify', real, '--trust-store', store)).code).toBe(0);
    const { code, stdout } = await run('verify', fake, '--trust-store', store);
    expect(code).toBe(3);
    expect(stdout).toContain('ORGANIZATION_NOT_CONFIRMED');
    expect(stdout).toContain('This key also signs for:');
    expect(stdout).toContain(orgFingerprint(home.orgId));
    expect((await run('verify', fake, '--no-trust-store', '--trust', `${service.kid}@${home.orgId}`)).code).toBe(3);
  });

  it('is not verified as a case either, nor as a report', async () => {
    const found = await importCase(home.client, { name: 'fake', bytes: bundles.fake });
    expect(found.verdict).toBe('incomplete');
    expect((await importCase(home.client, { name: 'real', bytes: bundles.real })).verdict).toBe('verified');
    const pdf = join(folder, 'fake.pdf');
    expect((await run('report', fake, '-o', pdf, '--trust-store', store)).code).toBe(3);
  });

  it('shows its short fingerprint where the key alone was named', async () => {
    const { code, stdout } = await run('verify', fake, '--no-trust-store', '--trust', service.kid);
    expect(code).toBe(0);
    expect(stdout).toContain('whatever organization the file names');
    expect(stdout).toContain(orgFingerprint(impostor.orgId));
  });
});
