import { createHash } from 'node:crypto';
import type { SeenGap } from './seen.ts';

const NOTHING_SHA256 = createHash('sha256').digest('hex');

/** Facts about missing events: how many, when, and why. */
type Told = Pick<SeenGap, 'count' | 'first_at' | 'last_at' | 'reason' | 'source' | 'event_id' | 'raw_event'>;

/** @param digest of the bytes that tell of the gap, in hex; of nothing where there are none */
export function gapOf(told: Told, digest: string = NOTHING_SHA256): SeenGap {
  return {
    kind: 'gap',
    witness: null,
    raw_sha256: digest,
    observed_at: new Date().toISOString(),
    session: null,
    sub_agent: null,
    model: null,
    program_version: null,
    cwd: null,
    trace: null,
    extra: null,
    ...told,
  };
}
