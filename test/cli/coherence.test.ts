// `countersign verify` tells of coherence next to the verdict, and leaves verdict, report and exit code as they are.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CoherenceReport } from '../../src/actions/profile/index.ts';
import { saltPayload, type VerificationReport } from '../../src/protocol/index.ts';
import {
  approvedPayloads,
  asked,
  bundleOfPayloads,
  completed,
  type Members,
  started,
} from '../support/agent-actions.ts';
import { derived, type Plan, serviceKid } from '../support/bundle-maker.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';

const folder = temporaryFolder();
const kid = serviceKid(0);

/** The path of a file with a bundle of these payloads. */
function bundleOf(name: string, payloads: readonly Members[], plan: Plan = {}): string {
  const text = bundleOfPayloads(payloads, plan);
  const path = join(folder, name);
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

const story = (executed: number): Members[] => approvedPayloads(1, executed);
const honest = bundleOf('honest.json', story(1));
const other = bundleOf('other.json', story(2));
const packed = bundleOf('packed.json.gz', story(2));
const plain = bundleOf('plain.json', [{ n: 1 }, { n: 2 }]);

async function json(path: string): Promise<VerificationReport & { coherence?: CoherenceReport }> {
  const { stdout } = await run('verify', path, '--trust', kid, '--json');
  return JSON.parse(stdout) as VerificationReport & { coherence?: CoherenceReport };
}

describe('countersign verify', () => {
  it('says that records fit together', async () => {
    const { code, stdout } = await run('verify', honest, '--trust', kid);
    expect(code).toBe(0);
    expect(stdout).toContain('Coherence of agent actions: coherent (0 contradictions, 1 open question)');
    expect(stdout).toContain('4 records, 1 action, 0 sessions of the profile countersign.agent-action/1');
    expect(stdout.indexOf('Verdict: verified')).toBeLessThan(stdout.indexOf('Coherence'));
  });

  it('names what was carried out otherwise, and keeps verdict and exit code', async () => {
    const { code, stdout } = await run('verify', other, '--trust', kid);
    expect(code).toBe(0);
    expect(stdout).toContain('Verdict: verified');
    expect(stdout).toContain('EXECUTED_OTHER_THAN_APPROVED');
    expect(stdout).toMatch(/seq_no 3, operation [0-9a-f-]{36}, with seq_no 2, \/input\/value\n/);
    expect(stdout).toContain('Coherence of agent actions: incoherent (1 contradiction, 1 open question)');
  });

  it.each([other, packed])('has it in JSON as a member next to the report', async (path) => {
    const { coherence, ...report } = await json(path);
    expect(coherence).toMatchObject({
      type: 'countersign.coherence.v1',
      status: 'incoherent',
      findings: [
        { code: 'EXECUTED_OTHER_THAN_APPROVED', where: { seq_no: 3, other_seq_no: 2 } },
        { code: 'DECIDED_BY_NO_PERSON', where: { seq_no: 2 } },
      ],
    });
    expect(report.verdict).toBe('verified');
  });

  it('is silent about bundles without the profile', async () => {
    expect(await json(plain)).not.toHaveProperty('coherence');
    expect((await run('verify', plain, '--trust', kid)).stdout).not.toContain('Coherence');
  });

  it('takes a missing decision for open where the bundle is of one agent', async () => {
    const path = bundleOf('one-agent.json', [asked(1, 1), { n: 1 }, started(1, 1), { n: 1 }, completed(1)], {
      onlyAgent: 0,
    });
    expect((await json(path)).coherence).toMatchObject({
      status: 'coherent',
      findings: [{ code: 'APPROVAL_MISSING', severity: 'open' }],
    });
  });

  it.each([
    ['contradiction', 'incoherent', [1, 5]],
    ['open', 'coherent', [1, 3]],
  ] as const)('takes a missing decision for %s: %s', async (severity, status, range) => {
    const payloads = [
      asked(1, 1),
      { n: 1 },
      completed(1, { whole_call: true, input: { value: 1 } }),
      { n: 1 },
      { n: 1 },
    ];
    const path = bundleOf(`${severity}.json`, payloads, { range });
    expect((await json(path)).coherence).toMatchObject({ status, findings: [{ code: 'APPROVAL_MISSING', severity }] });
  });

  it('counts what is withheld', async () => {
    const path = bundleOf('withheld.json', story(1), { redacted: [3] });
    expect((await json(path)).coherence).toMatchObject({ status: 'not_checked', not_checked: { withheld: 1 } });
  });

  it('reads the members of salted payloads that are shown', async () => {
    let drawn = 0;
    const salted = story(2).map((payload) => {
      const made = saltPayload(payload, () => derived(`salt ${drawn++}`).subarray(0, 16));
      if (made === null) throw new Error('cannot be salted');
      return made;
    });
    const show = (withheld: string | null) => (contents: Parameters<NonNullable<Plan['contents']>>[0]) => ({
      ...contents,
      records: contents.records.map((record, index) => ({
        ...record,
        disclosures: Object.fromEntries(
          Object.entries(salted[index]?.disclosures ?? {}).filter(([name]) => name !== withheld),
        ),
      })),
    });
    const payloads = salted.map(({ payload }) => payload);
    const shown = await json(bundleOf('salted.json', payloads, { contents: show(null) }));
    expect(shown.coherence).toMatchObject({ status: 'incoherent', codes: { EXECUTED_OTHER_THAN_APPROVED: 1 } });
    // What was asked, shown in the place of what was carried out, is neither verified nor read.
    const swapped = (contents: Parameters<NonNullable<Plan['contents']>>[0]) => {
      const { records } = show(null)(contents);
      const { input } = records[0]?.disclosures ?? {};
      if (input === undefined) throw new Error('no input was asked for');
      const swap = ({ disclosures, ...record }: (typeof records)[number], index: number) => ({
        ...record,
        disclosures: index === 2 ? { ...disclosures, input } : disclosures,
      });
      return { ...contents, records: records.map(swap) };
    };
    const other = await json(bundleOf('swapped.json', payloads, { contents: swapped }));
    expect([other.verdict, Object.keys(other.finding_counts)]).toEqual(['failed', ['DISCLOSURE_INVALID']]);
    expect(other.coherence).toMatchObject({ status: 'not_checked', codes: {} });
    const hidden = await json(bundleOf('hidden.json', payloads, { contents: show('input') }));
    expect(hidden.coherence).toMatchObject({ status: 'not_checked', not_checked: { withheld: 2, not_comparable: 2 } });
  });
});
