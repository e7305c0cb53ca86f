// `npm run soak`, bounded: every act once, and what was drawn besides. Memory and handles are compared in long runs alone.
import { describe, expect, it } from 'vitest';
import { IS_NIGHTLY, seedOf } from '../support/extent.ts';
import { CommandProcess } from '../support/processes.ts';
import { canMount } from '../support/small-disk.ts';
import { ALL_ACTS, type Figures, levels, Soak } from '../support/soak.ts';

const DRAWN = IS_NIGHTLY ? 60 : 4;

describe.skipIf(process.platform !== 'linux')('a service that everything is done to (needs Linux)', () => {
  const seed = seedOf(41);

  it(`bears out every receipt that it gave (seed ${seed})`, { timeout: 600_000 }, async () => {
    const soak = new Soak({
      seed,
      records: 20,
      diskMebibytes: canMount() ? 512 : null,
      command: (args, environment) => new CommandProcess(args, environment),
    });
    await soak.begin();
    for (const act of ALL_ACTS) await soak.round(act);
    for (let n = 0; n < DRAWN; n++) await soak.round();
    const { receipts, records, ...judged } = await soak.finish();
    expect(judged).toMatchObject({ code: 0, verdict: 'verified', receiptsCheck: { status: 'pass' } });
    expect(judged.findings).toEqual({ CLOCK_CORRECTED: expect.any(Number) });
    expect(records).toBe(receipts);
    expect(judged.receiptsCheck.counts).toMatchObject({ receipts });
  });

  it('is said not to stay level where a figure rises as long as it runs', () => {
    const figures = (rise: number): Figures[] =>
      Array.from({ length: 80 }, (_, n) => {
        const same = { act: 'search', start: 1, receipts: n, residentMb: 300, files: 20 } as const;
        return { ...same, handles: 60 + n * rise };
      });
    expect(levels(figures(0)).filter(({ rises }) => rises)).toEqual([]);
    expect(levels(figures(1)).filter(({ rises }) => rises)).toMatchObject([{ what: 'handles', start: 1 }]);
  });
});
