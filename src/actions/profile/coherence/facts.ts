import type { Content } from '../content.ts';
import type { ShownAction } from '../schema.ts';
import type { Contents, KnownContent } from './known-content.ts';
import type { Place } from './report.ts';

/** A record, as coherence takes it: in the order of seq_no, whatever its payload. */
export interface CoherenceRecord extends Place {
  readonly agent_id: string;
  /** The kid of the agent's key that signed it. */
  readonly kid: string;
  /** In milliseconds since the Unix epoch. */
  readonly issued_at: number;
  /** Whether the record names no record of its agent before it. */
  readonly first_of_agent: boolean;
  /** What a reader sees of the payload: of a salted one the disclosed members and `profile`; null where nothing is shown. */
  readonly payload: { readonly [member: string]: unknown } | null;
  /** How many members are not shown. */
  readonly withheld: number;
}

/** What one record of the profile says, with its contents ready to be compared. */
export interface ActionFacts {
  readonly record: CoherenceRecord;
  readonly action: ShownAction;
  readonly input: KnownContent | null;
  readonly output: KnownContent | null;
  readonly presented: KnownContent | null;
  readonly decidedInput: KnownContent | null;
  readonly witnesses: readonly {
    readonly source: string;
    readonly input: KnownContent | null;
    readonly output: KnownContent | null;
    readonly status: string | null;
  }[];
  /** Contents whose stated digest is not that of their value. */
  readonly mismatches: readonly string[];
}

/** @throws ProtocolError NOT_CANONICAL where a value has no canonical form */
export function factsOf(record: CoherenceRecord, action: ShownAction, contents: Contents): ActionFacts {
  const mismatches: string[] = [];
  const read = (content: Content | undefined, pointer: string): KnownContent | null => {
    if (content === undefined) return null;
    const { known, mismatch } = contents.read(content);
    if (mismatch) mismatches.push(`${pointer}/digest`);
    return known;
  };
  for (const [i, { content }] of action.told?.entries() ?? []) read(content, `/told/${i}/content`);
  return {
    record,
    action,
    input: read(action.input, '/input'),
    output: read(action.output, '/output'),
    presented: read(action.presented, '/presented'),
    decidedInput: read(action.decision?.input, '/decision/input'),
    witnesses: (action.witnesses ?? []).map(({ source, input, output, status = null }, i) => ({
      source,
      status,
      input: read(input, `/witnesses/${i}/input`),
      output: read(output, `/witnesses/${i}/output`),
    })),
    mismatches,
  };
}
