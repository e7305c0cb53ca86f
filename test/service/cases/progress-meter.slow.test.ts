import { describe, expect, it } from 'vitest';
import { ProgressMeter } from '../../../src/service/cases/progress-meter.ts';

describe('the progress of an import', () => {
  it('waits, then has a speed and a remaining time of its phase once they have settled', () => {
    const meter = new ProgressMeter(1000);
    expect(meter.progress).toMatchObject({ phase: 'waiting', bytes: 0, total_bytes: 1000, remaining_seconds: null });
    meter.take({ phase: 'verifying', bytes: 10, records: 1 }, 5000);
    meter.take({ phase: 'verifying', bytes: 20, records: 2 }, 5100);
    expect(meter.progress).toMatchObject({ bytes: 20, records_per_second: 0, remaining_seconds: null });
    meter.take({ phase: 'verifying', bytes: 250, records: 50 }, 7000);
    expect(meter.progress).toMatchObject({ bytes: 250, records: 50, records_per_second: 25, remaining_seconds: 6 });
    meter.take({ phase: 'indexing', bytes: 100, records: 20 }, 9000);
    expect(meter.progress).toMatchObject({ phase: 'indexing', records_per_second: 0, remaining_seconds: null });
  });

  it('never goes beyond the file, and tells no time for what comes last', () => {
    const meter = new ProgressMeter(1000);
    meter.take({ phase: 'finishing', bytes: 0, records: 5 }, 0);
    meter.take({ phase: 'finishing', bytes: 2000, records: 5 }, 2000);
    expect(meter.progress).toMatchObject({ bytes: 1000, remaining_seconds: null });
  });
});
