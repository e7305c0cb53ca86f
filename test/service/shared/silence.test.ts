// docs/shared-log.md: a standby takes over once the active node has said nothing for two seconds, by the standby's own steady clock.
import { describe, expect, it } from 'vitest';
import { Silence } from '../../../src/service/shared/node.ts';

/** Looks at the log at each of these times, in milliseconds. @returns the first at which it takes over */
function takesOver(looks: readonly (readonly [at: number, sign: string | null])[]): number | undefined {
  const silence = new Silence();
  return looks.find(([at, sign]) => silence.look(sign, at))?.[0];
}

const every = (step: number, from: number, to: number, sign: string | null) =>
  Array.from({ length: (to - from) / step + 1 }, (_, n) => [from + n * step, sign] as const);

describe('the silence of an active node', () => {
  it('ends the standby after two seconds', () => {
    expect(takesOver(every(100, 0, 5000, 'a'))).toBe(2100);
  });

  it('is over with each new sign of life', () => {
    expect(takesOver([...every(100, 0, 1900, 'a'), ...every(100, 2000, 3900, 'b')])).toBeUndefined();
  });

  it('is not heard by whoever slept, and hardly by whoever looks seldom', () => {
    expect(takesOver([...every(100, 0, 1000, 'a'), [9000, 'a'], [9100, 'a']])).toBeUndefined();
    expect(takesOver([...every(100, 0, 1000, 'a'), [9000, 'a'], ...every(100, 9100, 12_000, 'a')])).toBe(9600);
    expect(takesOver(every(3000, 0, 30_000, 'a'))).toBe(15_000);
  });

  it('begins again where the log could not be read', () => {
    expect(takesOver([...every(100, 0, 1900, 'a'), [2000, null], ...every(100, 2100, 5000, 'a')])).toBe(4200);
  });
});
