// A person is withheld from an export: docs/retention.md (A person, everywhere), protocol F148 and F149. Every place is told beforehand, the file
// has none of those that can be withheld, in whatever form, and every verifier says verified.
import { expect, it } from 'vitest';
import type { AnswerOf } from '../../src/api/index.ts';
import { expectError } from '../support/client.ts';
import {
  type Account,
  ALWAYS,
  bundleOf,
  eventsOf,
  registerAgent,
  submitNext,
  TestService,
} from '../support/service.ts';
import { Signer } from '../support/signer.ts';
import { verifiedByAll } from '../support/two-verifiers.ts';
import { until } from '../support/until.ts';
import type { Bundle } from '../support/vectors.ts';

const service = await TestService.start({ epochMaxLeaves: 4 });
const NAMES = ['Zoë Müßigbrodt', 'zoe.m@klinik.example'];
const REASON = 'asked for by the patient';

/** What somebody finds who looks for parts of the names in the bytes: as they are, without accents, escapes undone, Base64 decoded. */
function seenIn(bytes: Buffer): string[] {
  const texts = [bytes.toString('utf8'), bytes.toString('latin1')];
  for (const run of texts[0]?.match(/[\w+/-]{8,}/g) ?? []) texts.push(Buffer.from(run, 'base64').toString('utf8'));
  const undone = texts.flatMap((text) => [
    text,
    text.replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8')),
    text.replace(/&#x([0-9a-f]+);/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16))),
  ]);
  const folded = undone.map((text) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replace(/[\s_.<>/-]|<[^>]*>/g, ''),
  );
  return ['mussigbrodt', 'zoem@klinikexample'].filter((part) => folded.some((text) => text.includes(part)));
}

/** Records that name her in their payloads, each in another way, and as many that do not. */
async function submitPayloads(owner: Account): Promise<number> {
  const signer = await registerAgent(owner);
  const plain = [
    { to: ['zoe.m@klinik.example'], text: 'hello' },
    { patients: { 'Zoë Müßigbrodt': { bed: 4 } } },
    { path: '/srv/patients/zoe_mussigbrodt.pdf' },
    { url: 'https://ward.example/?q=Zo%C3%AB%20M%C3%BC%C3%9Figbrodt' },
    { body: Buffer.from('Dear Zoë Müßigbrodt, your appointment').toString('base64') },
    { raw: '{"given":"Zo\\u00eb","family":"M\\u00fc\\u00dfigbrodt"}' },
    { first: 'Zoë', last: { family: 'MÜSSIGBRODT' } },
    { html: '<p>Zo&#xeb; <b>M&#xfc;&#xdf;igbrodt</b></p>' },
  ];
  for (const payload of plain) await submitNext(owner, signer, { payload });
  const salted = [
    { patient: 'Zoë Müßigbrodt', dose: '5 mg' },
    { input: { who: [{ name: 'ZOË MÜẞIGBRODT' }] }, tool: 'book' },
    { zoe_mussigbrodt: 1, dose: '6 mg' },
  ];
  for (const payload of salted) await owner.client.ok('submitOperation', { body: signer.nextSalted(payload) });
  for (let n = 0; n < 5; n++) await submitNext(owner, signer, { payload: { patient: 'Zoe Brodt', dose: '7 mg', n } });
  return plain.length + salted.length;
}

async function placesOf({ client }: Account): Promise<AnswerOf<'redactionPlaces'>> {
  return await client.ok('redactionPlaces', { body: { names: NAMES } });
}

/** The file of an export, once it is made. */
async function downloaded({ client }: Account, exportId: string): Promise<Buffer> {
  const params = { export_id: exportId };
  await until('the export', async () => (await client.ok('getExport', { params })).status === 'completed');
  return (await client.call('downloadExport', { params })).bytes;
}

it('leaves no byte of a person who is named in payloads alone, in any form', async () => {
  const owner = await service.signUp('one');
  const named = await submitPayloads(owner);
  const places = await placesOf(owner);
  expect(places).toMatchObject({ records: named, payloads: named, examined: places.last });
  expect(places.places.filter(({ withheld }) => withheld === null)).toEqual([]);
  expect(seenIn(await bundleOf(owner)).length).toBeGreaterThan(0);

  const { exportId } = await owner.client.ok('createExport', {
    body: { ...ALWAYS, redact: { names: NAMES }, reason: REASON },
  });
  const bundle = await downloaded(owner, exportId);
  expect(seenIn(bundle)).toEqual([]);
  const job = await owner.client.ok('getExport', { params: { export_id: exportId } });
  expect(job).toMatchObject({ redactedCount: named, withholding: { names: NAMES, names_kept: [] } });
  const { records } = JSON.parse(bundle.toString('utf8')) as Bundle;
  // Of a salted payload only what names her is gone, but where the name of a member does.
  const members = records.flatMap(({ disclosures }) => (disclosures === undefined ? [] : [Object.keys(disclosures)]));
  expect(members).toEqual([['dose'], ['tool']]);
  await verifiedByAll(service.kid, bundle);

  const [event] = await eventsOf(owner, 'export.create');
  expect(event?.details).toMatchObject({ redact: { names: 2, names_digest: job.withholding?.names_digest } });
  expect(seenIn(Buffer.from(JSON.stringify(await eventsOf(owner))))).toEqual([]);
});

it('says beforehand, and of the file, what is signed and stays, and withholds the payloads of those records where asked', async () => {
  const owner = await service.signUp('two');
  const [name = ''] = NAMES;
  const signer = new Signer(owner.orgId, 'ward');
  await owner.client.ok('registerAgent', { body: { ...signer.registration, display_name: `Ward of ${name}` } });
  await submitNext(owner, signer, { subject: `patient ${name}`, payload: { dose: '5 mg' } });
  await submitNext(owner, signer, { action: 'call_zoe_mussigbrodt', payload: { dose: '6 mg' } });
  const last = await submitNext(owner, signer, { payload: { patient: name } });
  const params = { operation_id: last.operation_id };
  await owner.client.ok('annotateLive', { params, body: { note: `Ask ${name}`, tags: ['zoe müssigbrodt'] } });

  const { places, besides } = await placesOf(owner);
  const told = places.map(({ place, pointer, withheld, records }) => [place, pointer, withheld, records]);
  expect(told).toEqual([
    ['subject', null, null, 1],
    ['action', null, null, 1],
    ['value', '/patient', 'payload', 1],
  ]);
  expect(besides.map(({ place, count }) => [place, count])).toEqual([
    ['agent_name', 1],
    ['admin_event', 1],
    ['note', 1],
    ['tag', 1],
  ]);

  const redact = { names: NAMES, linked: true };
  const { exportId } = await owner.client.ok('createExport', { body: { ...ALWAYS, redact, reason: REASON } });
  const bundle = await downloaded(owner, exportId);
  const job = await owner.client.ok('getExport', { params: { export_id: exportId } });
  expect(job.withholding?.names_kept?.map(({ place, count }) => [place, count]).sort()).toEqual([
    ['/admin_events/*/details/display_name', 1],
    ['/agents/*/display_name', 1],
    ['/records/*/eor/action', 1],
    ['/records/*/eor/subject', 1],
  ]);
  expect(job.redactedCount).toBe(3);
  await verifiedByAll(service.kid, bundle);
});

it('refuses a reason that names the person, since the log keeps it', async () => {
  const owner = await service.signUp('three');
  const body = { ...ALWAYS, redact: { names: NAMES }, reason: 'Zoe Mussigbrodt asked for it' };
  expectError(await owner.client.call('createExport', { body }), 'VALIDATION_ERROR', 'reason');
});
