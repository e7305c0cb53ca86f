// protocol F151 and F152: where the three verifiers stop, and what a hostile file costs the two that are shipped.
import { execFile } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  type AdminEvent,
  adminEventHash,
  formatTime,
  type Json,
  parseChosenReport,
  utf8,
} from '../../src/protocol/index.ts';
import { makeBundle, START, serviceKid } from '../support/bundle-maker.ts';
import { IS_NIGHTLY, share } from '../support/extent.ts';
import { Comparison } from '../support/fuzz/compare.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';
import { inFile } from '../support/two-verifiers.ts';

type Part = { readonly [member: string]: Json };
interface Parts {
  readonly service_keys: readonly [Part];
  readonly agents: readonly [Part & { readonly keys: readonly [Part] }];
  readonly epochs: readonly [Part];
  readonly admin_events: readonly [Part];
  readonly records: readonly [{ readonly eor: Part }];
}

const whole = makeBundle({ agents: 1, epochs: [1] }).text;
const parts = JSON.parse(whole) as Parts;
const [agent] = parts.agents;

/** A bundle with other agents or service keys, of which only the form matters. */
const withParts = (changed: object): string => JSON.stringify({ ...parts, ...changed });
const keysOf = (count: number): Part[] => Array.from({ length: count }, (_, n) => ({ ...agent.keys[0], kid: `k${n}` }));
const agents = (count: number, keys: number): string =>
  withParts({
    agents: Array.from({ length: count }, (_, n) => ({ ...agent, agent_id: `a${n}`, keys: keysOf(keys) })),
  });

const [epoch] = parts.epochs;
const [event] = parts.admin_events;
const [record] = parts.records;
const uuidOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
const digestOf = (kind: string, n: number): string => `sha256:${`${kind}${n.toString(16)}`.padStart(64, '0')}`;

/** An epoch as a service writes it, by a key that is not there: their signatures need no checking. */
const epochOf = (n: number): Part => ({
  ...epoch,
  epoch_id: uuidOf(n),
  epoch_no: n + 1,
  first_seq_no: n + 1,
  last_seq_no: n + 1,
  start_time: formatTime(START + n * 60_000),
  end_time: formatTime(START + (n + 1) * 60_000),
  root_hash: digestOf('a', n),
  log_root: digestOf('b', n),
  prev_epoch_hash: digestOf('c', n),
  admin_head_hash: digestOf('d', n),
  service_kid: 'A'.repeat(43),
});

/** An event of an administrator, with these details. */
const eventOf = (n: number, target_type: string, details: Part): Part => ({
  ...event,
  event_id: uuidOf(n),
  target_type,
  action: 'agent.update',
  target_id: `agent ${n}`,
  details,
  prev_event_hash: digestOf('c', n),
  event_hash: digestOf('d', n),
});

/** Texts that take twice the memory for one letter in them. */
const LONG_NAMES = { display_name: `${'x'.repeat(500)}\u0416`, responsible_entity: `${'y'.repeat(300)}\u0416` };

/** As many events about agents as there may be, or one more. */
function eventsAboutAgents(more: number): string {
  const size = utf8(JSON.stringify(eventOf(199_999, 'agent', LONG_NAMES))).length;
  const count = Math.floor(67_108_864 / size) + more;
  return withParts({
    // With their own hashes: the verifier in one file says of each what it finds as it reads.
    admin_events: Array.from({ length: count }, (_, n) => {
      const draft = eventOf(100_000 + n, 'agent', LONG_NAMES);
      return { ...draft, event_hash: adminEventHash(draft as unknown as AdminEvent, nodeCrypto.sha256) };
    }),
  });
}

/** The same with as many parts of a kind, written as they are made: there are more of them than a text should have. */
function fileOf(member: 'epochs' | 'admin_events' | 'records', count: number, part: (n: number) => object): string {
  const path = inFile('');
  const [before, after] = withParts({ [member]: ['here'] }).split('"here"');
  const file = openSync(path, 'w');
  writeSync(file, before ?? '');
  for (let n = 0; n < count; n++) writeSync(file, `${n === 0 ? '' : ','}${JSON.stringify(part(n))}`);
  writeSync(file, after ?? '');
  closeSync(file);
  return path;
}

const MEMORY_BYTES = 256 * 2 ** 20;

const SHIPPED = ['protocol', 'single-file'] as const;
type Verifier = (typeof SHIPPED)[number];

/** The largest resident set of a process that verifies one file, in bytes. @param others options, such as files to compare it with */
function peak(verifier: Verifier, file: string, ...others: string[]): Promise<number> {
  const told = 'process.on("exit", () => console.error(process.resourceUsage().maxRSS * 1024))';
  const [script, ...rest] =
    verifier === 'protocol'
      ? ['bin/countersign.js', 'verify', '--no-trust-store', file]
      : ['resources/verifier/verify-bundle.mjs', file];
  const path = fileURLToPath(new URL(`../../${script}`, import.meta.url));
  const args = ['--import', `data:text/javascript,${encodeURIComponent(told)}`, path, ...rest, ...others];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (_error, _stdout, stderr) =>
      resolve(
        Math.max(
          ...stderr
            .split('\n')
            .filter((line) => /^\d+$/.test(line))
            .map(Number),
        ),
      ),
    );
  });
}

describe.skipIf(!hasPython())('three verifiers (skipped where python3 is missing)', () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());

  it.each<[string, () => string]>([
    [
      '1,025 service keys',
      () => withParts({ service_keys: Array.from({ length: 1025 }, () => parts.service_keys[0]) }),
    ],
    ['32,769 agents', () => agents(32_769, 0)],
    ['65,537 keys of agents', () => agents(31, 2115)],
    ['an epoch of 1,025 bytes', () => withParts({ epochs: [{ ...epoch, padding: 'x'.repeat(600) }] })],
    ['67,108,865 bytes of events about agents', () => eventsAboutAgents(1)],
    [
      'a member of 524,289 values',
      () => withParts({ org: { org_id: Array.from({ length: 524_287 }, () => 0), name: '' } }),
    ],
  ])('stop at %s', async (_, make) => {
    const { answers } = await comparison.compare({
      file: utf8(make()),
      trust: [serviceKid(0)],
      trustAgent: [],
      madeNotBefore: null,
      checkpoints: [],
      receipts: [],
      against: [],
    });
    for (const name of VERIFIERS) {
      expect([name, answers[name].verdict, answers[name].codes]).toEqual([name, 'failed', ['MALFORMED']]);
    }
  });
});

describe('a shipped verifier', () => {
  const files: Readonly<Record<string, () => string>> = {
    agents: () => inFile(agents(32_768, 0)),
    'keys of agents': () => inFile(agents(32, 2048)),
    epochs: () => fileOf('epochs', 262_144, epochOf),
    'administrative events': () => fileOf('admin_events', 327_680, (n) => eventOf(n, 'none', {})),
    'events about agents': () => inFile(eventsAboutAgents(0)),
    'values in a record': () => fileOf('records', 8, () => recordWith(Array.from({ length: 524_000 }, () => ({})))),
    'bytes in a record': () => fileOf('records', 4, () => recordWith('x'.repeat(16_000_000))),
  };
  const recordWith = (payload: Json): object => ({ ...record, eor: { ...record.eor, payload } });
  // What takes half a minute for each is left to the night.
  const tried = Object.keys(files).filter((what) => IS_NIGHTLY || !['keys of agents', 'epochs'].includes(what));

  /** What each takes for a small file. */
  const idle = new Map<Verifier, Promise<number>>();
  const most = async (verifier: Verifier, file: string, ...others: string[]): Promise<number> => {
    const small = idle.get(verifier) ?? peak(verifier, inFile(whole));
    idle.set(verifier, small);
    return (await peak(verifier, file, ...others)) - (await small);
  };

  it.each(tried)('takes at most 256 MiB for as many %s as a file may have', async (what) => {
    const file = files[what]?.() ?? expect.fail();
    for (const verifier of SHIPPED) expect(await most(verifier, file), verifier).toBeLessThan(MEMORY_BYTES);
    rmSync(file);
  });

  it('takes at most 256 MiB more for the epochs of a bundle that is given for comparison, all of them others', async () => {
    const [file, other] = [0, 1].map((of) =>
      fileOf('epochs', share(262_144), (n) => ({ ...epochOf(n), epoch_id: uuidOf(2 * n + of) })),
    );
    if (file === undefined || other === undefined) expect.fail();
    for (const verifier of SHIPPED) {
      expect(await most(verifier, file, '--against', other), verifier).toBeLessThan(2 * MEMORY_BYTES);
    }
    for (const path of [file, other]) rmSync(path);
  });
});

describe('the data of a report of chosen records', () => {
  it('are refused before they are parsed, where they have more values or bytes than a record may have', () => {
    const many = utf8(`{"digest":"sha256:","proof":{"agents":[${'{},'.repeat(524_288)}{}]}}`);
    expect(() => parseChosenReport(many)).toThrow(/more than 524288 values/);
    expect(() => parseChosenReport(new Uint8Array(16_777_217).fill(0x20))).toThrow(/at most 16777216 bytes/);
  });
});
