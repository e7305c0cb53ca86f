// protocol F151 and F152: where the three verifiers stop, and what a hostile file costs the two that are shipped.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type Json, parseChosenReport, utf8 } from '../../src/protocol/index.ts';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { Comparison } from '../support/fuzz/compare.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';
import { inFile } from '../support/two-verifiers.ts';

type Part = { readonly [member: string]: Json };
interface Parts {
  readonly service_keys: readonly [Part];
  readonly agents: readonly [Part & { readonly keys: readonly [Part] }];
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

const MEMORY_BYTES = 256 * 2 ** 20;

/** The largest resident set of a process that verifies one file, in bytes. */
function peak(verifier: 'protocol' | 'single-file', file: string): Promise<number> {
  const told = 'process.on("exit", () => console.error(process.resourceUsage().maxRSS * 1024))';
  const [script, ...rest] =
    verifier === 'protocol'
      ? ['bin/countersign.js', 'verify', '--no-trust-store', file]
      : ['resources/verifier/verify-bundle.mjs', file];
  const path = fileURLToPath(new URL(`../../${script}`, import.meta.url));
  const args = ['--import', `data:text/javascript,${encodeURIComponent(told)}`, path, ...rest];
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

describe.skipIf(!hasPython())('three verifiers (skipped where python3 is missing)', { timeout: 300_000 }, () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());

  it.each<[string, () => string]>([
    [
      '1,025 service keys',
      () => withParts({ service_keys: Array.from({ length: 1025 }, () => parts.service_keys[0]) }),
    ],
    ['32,769 agents', () => agents(32_769, 0)],
    ['65,537 keys of agents', () => agents(31, 2115)],
    [
      'a member of 524,289 values',
      () => withParts({ org: { org_id: Array.from({ length: 524_287 }, () => 0), name: '' } }),
    ],
  ])('stop at %s', async (_, make) => {
    const { answers } = await comparison.compare({
      ...{ number: 0, way: 'honest', how: '', what: '', file: utf8(make()), trust: [serviceKid(0)], trustAgent: [] },
      ...{ madeNotBefore: null, checkpoints: [], receipts: [], against: [] },
    });
    for (const name of VERIFIERS) {
      expect([name, answers[name].verdict, answers[name].codes]).toEqual([name, 'failed', ['MALFORMED']]);
    }
  });
});

describe('a shipped verifier', () => {
  it.each(['protocol', 'single-file'] as const)(
    '%s takes at most 256 MiB for as many agents and keys as a file may have',
    async (verifier) => {
      const idle = await peak(verifier, inFile(whole));
      for (const file of [agents(32_768, 0), agents(32, 2048)]) {
        expect((await peak(verifier, inFile(file))) - idle).toBeLessThan(MEMORY_BYTES);
      }
    },
    120_000,
  );
});

describe('the data of a report of chosen records', () => {
  it('are refused before they are parsed, where they have more values or bytes than a record may have', () => {
    const many = utf8(`{"digest":"sha256:","proof":{"agents":[${'{},'.repeat(524_288)}{}]}}`);
    expect(() => parseChosenReport(many)).toThrow(/more than 524288 values/);
    expect(() => parseChosenReport(new Uint8Array(16_777_217).fill(0x20))).toThrow(/at most 16777216 bytes/);
  });
});
