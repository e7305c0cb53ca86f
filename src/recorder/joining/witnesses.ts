import type { Json } from '../../protocol/light.ts';
import type { PreparedCall } from '../content/prepared.ts';
import type { EndStatus, WitnessSource } from '../seen/seen.ts';
import type { Members } from './kept-content.ts';
import type { HeldWitness, KeptContent } from './open-call.ts';

/** The most that the profile lists: the first one and seven further. */
const MAX_FURTHER = 7;

/** Adds what a further witness saw to what was held of it. */
export function heldWith(
  held: readonly HeldWitness[],
  seen: PreparedCall,
  { input, output }: { readonly input: KeptContent | null; readonly output: KeptContent | null },
  status: EndStatus | null,
  now: number,
): HeldWitness[] {
  const before = held.find(({ source, name }) => source === seen.source && name === seen.witness);
  const witness: HeldWitness = {
    source: seen.source,
    name: seen.witness,
    input: before?.input ?? input,
    output: output ?? before?.output ?? null,
    status: status ?? before?.status ?? null,
    ended_at: before?.ended_at ?? (status === null ? null : now),
    duration_ms: seen.duration_ms ?? before?.duration_ms ?? null,
    exit_code: seen.outcome?.exit_code ?? before?.exit_code ?? null,
    error: seen.outcome?.error ?? before?.error ?? null,
  };
  const others = held.filter((one) => one !== before);
  return [...others, witness].slice(-MAX_FURTHER);
}

/** Lists the first witness, whose record it is, and what the others saw. */
export function witnessesOf(
  members: Members,
  source: WitnessSource,
  name: string | null,
  held: readonly HeldWitness[],
): void {
  const first = { source, ...(name === null ? {} : { name }) };
  const further = held.map((witness, index): Json => {
    const { input, output, status } = witness;
    for (const [member, kept] of [
      ['input', input],
      ['output', output],
    ] as const) {
      if (kept !== null) members.redacted(`/witnesses/${index + 1}/${member}`, kept.redactions);
    }
    return {
      source: witness.source,
      ...(witness.name === null ? {} : { name: witness.name }),
      ...(input === null ? {} : { input: input.content }),
      ...(output === null ? {} : { output: output.content }),
      ...(status === null ? {} : { status }),
    };
  });
  members.set('witnesses', [first, ...further]);
}
