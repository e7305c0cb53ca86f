import { contentDigest } from '../../../actions/profile/light.ts';
import type { TranscriptCall } from '../../../actions/transcripts/index.ts';
import { canonicalize, type Json, withTexts } from '../../../protocol/light.ts';
import type { RecordedCall, RecordedContent } from './recorded-calls.ts';

/** A call that is on one side alone, as people know it again. */
export interface NamedCall {
  readonly callId: string | null;
  /** The record; null for a call that was not recorded. */
  readonly operationId: string | null;
  readonly tool: string;
  /** The beginning of what it was given, as canonical JSON; empty where that is not known. */
  readonly input: string;
}

export interface Comparison {
  /** Calls that both have. */
  readonly matched: number;
  /** Calls of the transcript that were not recorded. */
  readonly missing: readonly NamedCall[];
  /** Recorded calls that the transcript does not have. */
  readonly unknown: readonly NamedCall[];
  /** Calls that both have, with different inputs or outputs told in one form. */
  readonly differing: readonly NamedCall[];
  /** Whether every recorded call has the program's own id; else calls were told apart by what they were given. */
  readonly byId: boolean;
}

/** How much of an input is shown. */
const SHOWN = 120;

/**
 * Holds the calls of a transcript against those recorded: by the program's id of a call, and where hooks have none by its input, each
 * recorded call standing for one of the transcript.
 */
export function compareCalls(transcript: readonly TranscriptCall[], recorded: readonly RecordedCall[]): Comparison {
  const left = new Set(recorded);
  const differing: NamedCall[] = [];
  const take = (fits: (call: RecordedCall) => boolean): RecordedCall | undefined => {
    const found = [...left].find(fits);
    if (found !== undefined) left.delete(found);
    return found;
  };
  // Ids first: a call without one must not take the record of a call that has one.
  const byInput = transcript.filter((call) => {
    const found = take(({ callId }) => callId !== null && callId === call.call_id);
    if (
      found !== undefined &&
      (isOther(call, call.input, found.input) || isOther(call, call.told_to_hooks, found.output))
    )
      differing.push(nameOf(call, found.operationId));
    return found === undefined;
  });
  const unmet = byInput.filter(
    (call) => take(({ callId, input }) => callId === null && input !== null && isSame(call.input, input)) === undefined,
  );
  // What was replaced before signing equals no transcript: it stands for a call of its tool.
  const missing = unmet.filter(
    (call) =>
      take((other) => other.callId === null && other.input?.isRedacted === true && isSameTool(call, other)) ===
      undefined,
  );
  return {
    matched: transcript.length - missing.length,
    missing: missing.map((call) => nameOf(call, null)),
    unknown: [...left].map(({ operationId, callId, tool, input }) => ({
      callId,
      operationId,
      tool,
      input: input?.value === undefined ? '' : headOf(input.value),
    })),
    differing,
    byId: recorded.every(({ callId }) => callId !== null),
  };
}

function nameOf({ call_id, tool, input }: TranscriptCall, operationId: string | null): NamedCall {
  return { callId: call_id, operationId, tool, input: input === undefined ? '' : headOf(withTexts(input).value) };
}

function headOf(value: Json): string {
  const text = canonicalize(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text;
}

function isSame(told: TranscriptCall['input'], recorded: RecordedContent): boolean {
  if (told === undefined) return false;
  const { value } = withTexts(told);
  if (recorded.digest !== null) return contentDigest(recorded.salt, value) === recorded.digest;
  return recorded.value !== undefined && canonicalize(recorded.value) === canonicalize(value);
}

/** Whether two contents with the same members are not the same: one with others is told in another form. */
function isOther({ cut }: TranscriptCall, told: TranscriptCall['input'], recorded: RecordedContent | null): boolean {
  if (told === undefined || cut !== null || recorded === null || recorded.isRedacted) return false;
  if (recorded.value === undefined || membersOf(recorded.value) !== membersOf(withTexts(told).value)) return false;
  return !isSame(told, recorded);
}

function membersOf(value: Json): string {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.keys(value).toSorted().join(' ') : typeof value;
}

function isSameTool(call: TranscriptCall, recorded: RecordedCall): boolean {
  return call.tool.toLowerCase() === recorded.tool.toLowerCase();
}
