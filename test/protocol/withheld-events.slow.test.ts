import { describe, expect, it } from 'vitest';
import {
  type AdminEvent,
  type BundledEvent,
  isWholeEvent,
  readContents,
  type VerificationReport,
  withholdEvent,
} from '../../src/protocol/index.ts';
import { makeBundle, otherDigest, type Plan, serviceKid } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { WHOLE, withholding } from '../support/dishonest.ts';
import { hostCrypto } from '../support/signing.ts';
import { verifyFile } from '../support/verifying.ts';

const events = makeBundle(WHOLE).bundle.admin_events;
const verify = (plan: Plan): Promise<VerificationReport> =>
  verifyFile(makeBundle(plan).text, { crypto: hostCrypto, trustedKids: [serviceKid(0)] });

/** What somebody else makes of a bundle that withholds its fourth event: nothing is signed again. */
const later = (change: (events: readonly BundledEvent[]) => readonly BundledEvent[]): Plan => ({
  ...WHOLE,
  ...withholding(3),
  bundle: (bundle) => ({ ...bundle, admin_events: change(bundle.admin_events) }),
});
const codes = async (plan: Plan): Promise<string[]> =>
  (await verify(plan)).findings.filter(({ caused_by }) => caused_by === undefined).map(({ code }) => code);

describe('protocol F148: withheld administrative events', () => {
  it.each([[[3]], [[4]], [[3, 4]]])(
    'leave a bundle verified that needs none of them, and are counted: %j',
    async (indexes) => {
      const report = await verify({ ...WHOLE, ...withholding(...indexes) });
      expect(report.findings).toEqual([]);
      expect(report.verdict).toBe('verified');
      const shown = events.length - indexes.length;
      expect(report.checks.admin_log).toMatchObject({
        status: 'pass',
        counts: { events: shown, withheld: indexes.length },
      });
      expect(report.checks.admin_log.reason).toContain('withheld');
      expect(report.summary).toMatch(/administrative events? withheld: only their links were checked/);
      expect(report.bundle.admin_events).toBe(events.length);
    },
  );

  it.each([0, 1, 2])(
    'leave the organization without its name, or an agent without its registration: %j',
    async (index) => {
      expect(await codes({ ...WHOLE, ...withholding(index) })).toEqual(['DIRECTORY_MISMATCH']);
    },
  );

  it('show nothing of what was done, by whom or to whom', () => {
    const { text, bundle } = makeBundle({ ...WHOLE, ...withholding(3) });
    const hidden = at(events, 3);
    if (!isWholeEvent(hidden)) throw new Error('the event is whole');
    expect(text).not.toContain(hidden.event_id);
    expect(Object.keys(at(bundle.admin_events, 3)).sort()).toEqual(['created_at', 'event_hash', 'prev_event_hash']);
  });

  it('are the only ones that the digest of the manifest is about', () => {
    expect(makeBundle(WHOLE).bundle.manifest).not.toHaveProperty('withheld_events_digest');
    const one = makeBundle({ ...WHOLE, ...withholding(3) }).bundle.manifest;
    expect(one.withheld_events_digest).toMatch(/^sha256:/);
    expect(one.admin_events_digest).toBe(makeBundle(WHOLE).bundle.manifest.admin_events_digest);
  });

  it('stand in the contents as what they are', async () => {
    const kinds: string[] = [];
    const { text } = makeBundle({ ...WHOLE, ...withholding(3) });
    for await (const contents of readContents(() => [new TextEncoder().encode(text)]))
      kinds.push(...contents.map(({ kind }) => kind));
    expect(kinds.filter((kind) => kind === 'withheld_event')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'admin_event')).toHaveLength(events.length - 1);
  });

  it.each<[string, Plan, string]>([
    [
      'one more taken out',
      later((all) => all.map((event, n) => (n === 4 ? withholdEvent(event as AdminEvent) : event))),
      'MANIFEST_MISMATCH',
    ],
    ['one put back', later((all) => all.map((event, n) => (n === 3 ? at(events, 3) : event))), 'MANIFEST_MISMATCH'],
    [
      'another time',
      later((all) => all.map((event, n) => (n === 3 ? { ...event, created_at: event.created_at + 1 } : event))),
      'MANIFEST_MISMATCH',
    ],
    [
      'another link',
      later((all) => all.map((event, n) => (n === 3 ? { ...event, prev_event_hash: otherDigest() } : event))),
      'ADMIN_CHAIN_BROKEN',
    ],
    [
      'another hash',
      later((all) => all.map((event, n) => (n === 3 ? { ...event, event_hash: otherDigest() } : event))),
      'ADMIN_CHAIN_BROKEN',
    ],
    ['left out altogether', later((all) => all.toSpliced(3, 1)), 'ADMIN_CHAIN_BROKEN'],
    [
      'a member too many',
      later((all) => all.map((event, n) => (n === 3 ? { ...event, actor: 'x' } : event))),
      'MALFORMED',
    ],
  ])('are told where they were changed by somebody else: %s', async (_, plan, code) => {
    expect(await codes(plan)).toContain(code);
    expect((await verify(plan)).verdict).toBe('failed');
  });

  it('are told where the manifest says nothing of them, though the service signed it', async () => {
    const silent: Plan = {
      ...WHOLE,
      ...withholding(3),
      manifest: ({ withheld_events_digest: _, ...manifest }) => manifest,
    };
    expect(await codes(silent)).toEqual(['MANIFEST_MISMATCH']);
    expect(await codes({ ...WHOLE, manifest: (m) => ({ ...m, withheld_events_digest: otherDigest() }) })).toEqual([
      'MANIFEST_MISMATCH',
    ]);
  });
});
