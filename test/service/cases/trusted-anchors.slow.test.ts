// docs/settings.md, The trust store over HTTP: witnesses, how many are demanded of which ledger, and roots for time.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RouteName } from '../../../src/api/index.ts';
import { ORG_ID } from '../../support/bundle-maker.ts';
import { BUNDLE, HEAD, ISSUER } from '../../support/case-evidence.ts';
import { addItem } from '../../support/case-items.ts';
import { enterWorkstation, importCase, settled } from '../../support/cases.ts';
import { expectError } from '../../support/client.ts';
import { run } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { eventsOf, TestService } from '../../support/service.ts';
import { StampingAuthority } from '../../support/stamping.ts';
import { until } from '../../support/until.ts';
import { ALPHA, ALPHA_PQ, BETA, cosigned, GAMMA, T } from '../../support/witnessed.ts';

const folder = temporaryFolder();
const store = join(folder, 'trust.json');
const service = await TestService.start({ trustStore: store });
const owner = await service.signUp();
const guest = await service.signUpGuest('guest');
const desk = await enterWorkstation(service);
const pem = new StampingAuthority('Example').rootPem;
const kept = () => JSON.parse(readFileSync(store, 'utf8')) as Record<string, unknown>;
await desk.ok('addTrust', { body: { kid: ISSUER, organizations: [{ org_id: ORG_ID }] } });

describe('witnesses over HTTP', () => {
  it('are all demanded until fewer are, and the command line says the same of them', async () => {
    const keys = `${ALPHA.vkey}\n${ALPHA_PQ.vkey}\n`;
    const first = await desk.ok('trustWitness', { body: { name: 'Alpha Ltd', keys } });
    expect(first.witnesses).toMatchObject([
      {
        org_id: null,
        threshold: 1,
        organizations: [
          {
            name: 'Alpha Ltd',
            keys: [{ algorithm: 'ed25519', vkey: ALPHA.vkey }, { algorithm: 'ml-dsa-44' }],
            pinned_by: { how: 'workstation' },
          },
        ],
      },
    ]);
    const second = await owner.client.ok('trustWitness', { body: { name: 'Beta', keys: BETA.vkey } });
    expect(second.witnesses[0]?.threshold).toBe(2);
    const one = await owner.client.ok('demandWitnesses', { body: { threshold: 1 } });
    expect(one.witnesses[0]?.threshold).toBe(1);
    expect((await run('trust', 'list', '--trust-store', store)).stdout).toContain('1 of 2 witnesses demanded');
    expect((await owner.client.ok('listTrust')).witnesses).toEqual(one.witnesses);
  });

  it('of one ledger take the place of those of every ledger, in the case room too', async () => {
    const body = { name: 'Gamma', keys: GAMMA.vkey, org_id: ORG_ID };
    const { witnesses } = await desk.ok('trustWitness', { body });
    expect(witnesses.map(({ org_id, threshold }) => [org_id, threshold])).toEqual([
      [null, 1],
      [ORG_ID, 1],
    ]);
    const { case_id } = await importCase(desk, { name: 'b.csbundle', bytes: BUNDLE });
    await addItem(desk, case_id, { name: 'c.txt', bytes: Buffer.from(cosigned(HEAD, [ALPHA, T])) });
    const size = () => desk.ok('caseReport', { params: { case_id } }).then(({ witnessed }) => witnessed);
    await until('Alpha is not enough', async () => (await size())?.checkpoints.length === 1);
    expect(await size()).toMatchObject({ threshold: 1, organizations: 1, size: 0 });
    await desk.ok('removeTrustedWitness', { params: { name: 'Gamma' }, query: { org_id: ORG_ID } });
    await desk.call('verifyCase', { params: { case_id }, body: {} });
    await until('verified', async () => (await settled(desk, case_id)).verdict === 'verified');
    expect(await size()).toMatchObject({ threshold: 1, organizations: 2, size: 7 });
  });

  it.each<[string, RouteName, object, string]>([
    ['a line that is no key', 'trustWitness', { name: 'X', keys: `${GAMMA.vkey}\nnonsense` }, 'keys: line 2'],
    ['no key', 'trustWitness', { name: 'X', keys: '\n' }, 'keys: must hold a key'],
    ['a key of another organization', 'trustWitness', { name: 'X', keys: BETA.vkey }, 'expected each key once'],
    ['a threshold that they do not reach', 'demandWitnesses', { threshold: 3 }, 'threshold: must be from 1 to 2'],
    ['a time that is none', 'trustTimeRoots', { certificates: 'AAAA', until: 'tomorrow' }, 'until: must be'],
    ['a file without a certificate', 'trustTimeRoots', { certificates: 'AAAA' }, 'certificates: must hold root'],
  ])('refuses %s, and says what to give', async (_, route, body, message) => {
    const before = kept();
    expectError(await desk.call(route, { body }), 'VALIDATION_ERROR', message);
    expect(kept()).toEqual(before);
  });

  it('are not there to be changed where nobody demands any', async () => {
    expectError(await desk.call('demandWitnesses', { body: { threshold: 1, org_id: 'org_none' } }), 'NOT_FOUND');
    expectError(await desk.call('removeTrustedWitness', { params: { name: 'Nobody' } }), 'NOT_FOUND');
    expectError(await desk.call('removeTimeRoot', { params: { sha256: 'sha256:none' } }), 'NOT_FOUND');
  });

  it('are neither shown to guests nor changed by them', async () => {
    expect(await guest.client.ok('listTrust')).toMatchObject({ witnesses: [], time_roots: [] });
    expectError(await guest.client.call('trustWitness', { body: { name: 'X', keys: GAMMA.vkey } }), 'FORBIDDEN');
    expectError(await guest.client.call('demandWitnesses', { body: { threshold: 1 } }), 'FORBIDDEN');
    expectError(await guest.client.call('trustTimeRoots', { body: { certificates: pem } }), 'FORBIDDEN');
    expectError(await guest.client.call('removeTrustedWitness', { params: { name: 'Beta' } }), 'NOT_FOUND');
  });
});

describe('roots for time over HTTP', () => {
  it('are taken as PEM or DER, until when they are trusted, and taken out by their fingerprint', async () => {
    const { time_roots: roots } = await desk.ok('trustTimeRoots', { body: { certificates: pem } });
    const [root] = roots;
    expect(root).toMatchObject({ subject: 'CN=Example root', until: null, pinned_by: { how: 'workstation' } });
    const der = new X509Certificate(pem).raw.toString('base64');
    const until = '2030-01-01T00:00:00.000Z';
    const again = await desk.ok('trustTimeRoots', { body: { certificates: der, until } });
    expect(again.time_roots).toEqual([{ ...root, until }]);
    expect((await run('trust', 'list', '--trust-store', store)).stdout).toContain(root?.sha256);
    const gone = await desk.ok('removeTimeRoot', { params: { sha256: root?.sha256 ?? '' } });
    expect(gone.time_roots).toEqual([]);
  });
});

it('records each change before it is made', async () => {
  const data = await eventsOf(owner);
  const changes = data.filter(({ action }) => action.startsWith('trust.'));
  const of = (type: string) => changes.filter(({ target_type }) => target_type === type).map(({ action }) => action);
  expect(of('time_root').toReversed()).toEqual(['trust.add', 'trust.add', 'trust.remove']);
  expect(of('trusted_witness').toReversed()).toEqual([
    'trust.add',
    'trust.add',
    'trust.demand',
    'trust.add',
    'trust.remove',
  ]);
});
