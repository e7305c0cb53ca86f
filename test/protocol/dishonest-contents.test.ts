// Protocol V91: what a service that signs everything again cannot leave out, add or number twice all the same.
import { describe, expect, it } from 'vitest';
import { makeBundle, only, type Plan, serviceKid } from '../support/bundle-maker.ts';
import { OLD_EVENT_INSIDE, ONE_AGENT, RANGE, WHOLE } from '../support/dishonest.ts';
import { verifyFile } from '../support/verifying.ts';

const codesOf = async (plan: Plan): Promise<string[]> => {
  const report = await verifyFile(makeBundle(plan).text, { trustedKids: [serviceKid(0)] });
  if (report.verdict === 'verified') return [];
  return [...new Set(report.findings.map(({ code, check }) => `${code} ${check}`))];
};

describe('contents that a dishonest service signs', () => {
  it('are verified where they are as they should be', async () => {
    expect(await codesOf(WHOLE)).toEqual([]);
    for (const plan of [RANGE, ONE_AGENT]) expect(await codesOf(plan)).toEqual([]);
  });

  it.each<[string, string, Plan]>([
    [
      'administrative events that begin too late',
      'ADMIN_CHAIN_BROKEN admin_log',
      { ...WHOLE, contents: (c) => ({ ...c, admin_events: c.admin_events.slice(1) }) },
    ],
    ['an administrative event older than the one before it', 'ADMIN_CHAIN_BROKEN admin_log', OLD_EVENT_INSIDE],
    [
      'two epochs of one id',
      'EPOCH_CHAIN_BROKEN epochs',
      { ...WHOLE, epoch: (epoch) => ({ ...epoch, epoch_id: '40e6c6d0-c9f3-414f-9eac-4fd54654f0a6' }) },
    ],
    [
      'two administrative events of one id',
      'ADMIN_CHAIN_BROKEN admin_log',
      { ...WHOLE, adminEvent: (event) => ({ ...event, event_id: '40e6c6d0-c9f3-414f-9eac-4fd54654f0a6' }) },
    ],
    [
      'an epoch beyond the head of the ledger',
      'MANIFEST_MISMATCH completeness',
      { ...WHOLE, range: [1, 3], manifest: (m) => ({ ...m, log_head: { ...m.log_head, seq_no: 3 } }) },
    ],
    [
      'an epoch that covers no record of the run',
      'MANIFEST_MISMATCH completeness',
      {
        ...WHOLE,
        range: [1, 3],
        contents: (c) => ({ ...c, epochs: makeBundle(WHOLE).bundle.epochs }),
      },
    ],
  ])('%s: %s', async (_, expected, plan) => {
    expect(await codesOf(plan)).toContain(expected);
  });

  it("other agents than the filter's", async () => {
    const all = makeBundle(WHOLE).bundle.agents;
    const plan: Plan = { ...ONE_AGENT, contents: (contents) => ({ ...contents, agents: all }) };
    expect(await codesOf(plan)).toContain('MANIFEST_MISMATCH completeness');
  });

  it('two signed receipts for one number, side by side', async () => {
    const twice: Plan = { ...WHOLE, receipt: only(3, (receipt) => ({ ...receipt, seq_no: 3 })) };
    expect(await codesOf(twice)).toContain('EQUIVOCATION reconciliation');
  });
});
