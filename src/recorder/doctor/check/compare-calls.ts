import { contentDigest } from '../../../actions/profile/light.ts';
import { canonicalize } from '../../../protocol/light.ts';
import type { RecordedCall, RecordedInput } from './recorded-calls.ts';
import type { TranscriptCall } from './transcript.ts';

export interface Comparison {
  /** Calls that both have. */
  readonly matched: number;
  /** Ids, in the transcript, of calls that were not recorded. */
  readonly missing: readonly string[];
  /** Operation ids of recorded calls that the transcript does not have. */
  readonly unknown: readonly string[];
  /** Whether every recorded call has the program's own id; else calls were told apart by what they were given. */
  readonly byId: boolean;
}

/**
 * Holds the calls of a transcript against those recorded: by the program's id of a call, and where hooks have none by its input, each
 * recorded call standing for one of the transcript.
 */
export function compareCalls(transcript: readonly TranscriptCall[], recorded: readonly RecordedCall[]): Comparison {
  const left = new Set(recorded);
  const missing: string[] = [];
  const take = (fits: (call: RecordedCall) => boolean): boolean => {
    const found = [...left].find(fits);
    return found !== undefined && left.delete(found);
  };
  // Ids first: a call without one must not take the record of a call that has one.
  const byInput = transcript.filter(({ id }) => !take(({ callId }) => callId === id));
  for (const call of byInput) {
    const isThere = take(({ callId, input }) => callId === null && input !== null && isSameInput(call, input));
    if (!isThere) missing.push(call.id);
  }
  // What was replaced before signing equals no transcript: it stands for a call of its tool.
  const unmatched = missing.filter((id) => {
    const call = byInput.find((other) => other.id === id);
    return !take((other) => other.callId === null && other.input?.isRedacted === true && isSameTool(call, other));
  });
  return {
    matched: transcript.length - unmatched.length,
    missing: unmatched,
    unknown: [...left].map(({ operationId }) => operationId),
    byId: recorded.every(({ callId }) => callId !== null),
  };
}

function isSameInput({ input }: TranscriptCall, recorded: RecordedInput): boolean {
  if (input === undefined) return false;
  if (recorded.digest !== null) return contentDigest(recorded.salt, input) === recorded.digest;
  return recorded.value !== undefined && canonicalize(recorded.value) === canonicalize(input);
}

function isSameTool(call: TranscriptCall | undefined, recorded: RecordedCall): boolean {
  return call?.tool.toLowerCase() === recorded.tool.toLowerCase();
}
