// docs/operations.md, Watch it: GET /metrics, in the text format of Prometheus 0.0.4.
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import type { Client } from '../support/client.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await TestService.start({ epochIntervalSeconds: 3600 });
const owner = await service.signUp();
const signer = await registerAgent(owner);

interface Scraped {
  readonly types: ReadonlyMap<string, string>;
  /** By name and labels, as they are written. */
  readonly samples: ReadonlyMap<string, number>;
}

/** Reads the format strictly: HELP and TYPE before the samples of a metric, whose lines are together, and no sample twice. */
async function scrape(client: Client = owner.client): Promise<Scraped> {
  const { status, bytes, headers } = await client.call('metrics', {});
  const text = bytes.toString();
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/\n$/);
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  let metric = '';
  let helped = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help] = /^# HELP ([a-z_]+) \S.*\.$/.exec(line) ?? [];
    const [, name, type] = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line) ?? [];
    const [, of = '', labels = '', value = ''] = /^([a-z_]+)(\{[^{}]*\})? (-?[\d.e+-]+)$/.exec(line) ?? [];
    if (help !== undefined) helped = help;
    else if (name !== undefined) {
      expect([helped, types.has(name)]).toEqual([name, false]);
      types.set(name, type ?? '');
      metric = name;
    } else {
      expect(of.replace(/_(bucket|sum|count)$/, (ending) => (types.get(metric) === 'histogram' ? '' : ending))).toBe(
        metric,
      );
      expect(labels).toMatch(/^$|^\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\}$/);
      expect(samples.has(of + labels)).toBe(false);
      samples.set(of + labels, Number(value));
    }
  }
  return { types, samples };
}

describe('GET /metrics', () => {
  it('counts records, answers and refusals, and tells how long answers took', async () => {
    const before = await scrape();
    const rise = async (...names: string[]): Promise<number[]> => {
      const { samples } = await scrape();
      return names.map((name) => (samples.get(name) ?? 0) - (before.samples.get(name) ?? 0));
    };
    const first = await submitNext(owner, signer);
    for (let n = 0; n < 2; n++) await submitNext(owner, signer);
    expect((await owner.client.call('submitOperation', { body: { nothing: true } })).status).toBe(400);
    expect((await service.client().call('listAgents', {})).status).toBe(401);
    expect(first).toBeDefined();
    expect(
      await rise(
        'countersign_records_total',
        'countersign_unsealed_records',
        'countersign_answers_total{route="submitOperation",status="201"}',
        'countersign_answers_total{route="submitOperation",status="400"}',
        'countersign_request_seconds_count{route="submitOperation"}',
        'countersign_request_seconds_bucket{route="submitOperation",le="+Inf"}',
        'countersign_refusals_total{code="VALIDATION_ERROR"}',
        'countersign_refusals_total{code="UNAUTHORIZED"}',
      ),
    ).toEqual([3, 3, 3, 1, 4, 4, 1, 1]);
    await owner.client.ok('closeEpoch');
    const { samples, types } = await scrape();
    expect(samples.get('countersign_unsealed_records')).toBe(0);
    // Each bucket has all that the ones before it have.
    const buckets = [...samples].flatMap(([name, value]) =>
      name.includes('_bucket{route="submitOperation"') ? [value] : [],
    );
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
    expect(types.get('countersign_request_seconds')).toBe('histogram');
  });

  it('tells of parts, queues, index, room, and of a verification once there was one', async () => {
    const { samples } = await scrape();
    expect(samples.get(`countersign_info{version="${packageJson.version}"}`)).toBe(1);
    for (const name of ['database', 'disk', 'key', 'clock']) {
      expect(samples.get(`countersign_part_ok{part="${name}"}`)).toBe(1);
    }
    for (const name of ['countersign_disk_free_bytes', 'countersign_ledger_bytes', 'process_resident_memory_bytes']) {
      expect(samples.get(name)).toBeGreaterThan(1024 * 1024 * 0.1);
    }
    expect(samples.get('countersign_waiting{queue="webhooks",of="all"}')).toBe(0);
    expect(samples.has('countersign_verification_age_seconds')).toBe(false);
    await owner.client.ok('verifyLedger');
    await until(
      'a verification is told',
      async () => (await scrape()).samples.get('countersign_verification_age_seconds') !== undefined,
    );
    await until(
      'nothing is behind',
      async () => (await scrape()).samples.get('countersign_index_behind_seconds') === 0,
    );
  });

  it('has one series for all addresses that nothing is at', async () => {
    const series = async () =>
      [...(await scrape()).samples.keys()].filter((name) => name.startsWith('countersign_answers'));
    await fetch(`${service.url}/v1/none`);
    const before = await series();
    expect(before).toContain('countersign_answers_total{route="other",status="404"}');
    for (let n = 0; n < 20; n++) await fetch(`${service.url}/v1/none/${n}?${n}`);
    expect(await series()).toEqual(before);
  });

  it('is for the home organization alone', async () => {
    expect((await service.client().call('metrics', {})).body).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
    const guest = await service.signUp();
    expect((await guest.client.call('metrics', {})).body).toMatchObject({ error: { code: 'FORBIDDEN' } });
  });
});
