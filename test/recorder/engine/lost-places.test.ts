import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LostPlaces } from '../../../src/recorder/engine/lost-places.ts';
import { gapOf } from '../../../src/recorder/seen/gap.ts';
import { Spool } from '../../../src/recorder/spool/spool.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';

it('tells a bounded number of places apart, whatever their reasons are', () => {
  const spool = new Spool(join(temporaryFolder(), 'spool.sqlite'));
  atEnd(() => spool.close());
  const places = new LostPlaces(spool, 1);
  const at = new Date().toISOString();
  for (let n = 0; n < 1000; n++) {
    const told = {
      count: 1,
      first_at: at,
      last_at: at,
      source: 'otlp',
      event_id: `gap ${n}`,
      raw_event: 'gap',
    } as const;
    places.gaps([gapOf({ ...told, reason: `reason ${n}` })]);
  }
  expect(places.all().length).toBeLessThanOrEqual(65);
  expect(places.all().reduce((sum, { count }) => sum + (count ?? 0), 0)).toBe(1000);
});
