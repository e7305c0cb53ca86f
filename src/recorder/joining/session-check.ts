import type { Json } from '../../protocol/light.ts';
import type { OpenCall } from './open-call.ts';

/** Calls of each kind that a check names; it counts all. */
const LISTED = 16;

/**
 * How the records of a session and its transcript agree, once that was read to its end.
 * @param calls all of the session that are remembered
 * @param before how many calls the transcript has from before the recorder heard of the session
 */
export function checkOf(calls: readonly OpenCall[], before: number): { readonly [member: string]: Json } {
  const alone = calls.filter(({ source }) => source === 'transcript');
  const missing = calls.filter(
    ({ source, held, late }) =>
      source !== 'transcript' && !late.includes('transcript') && !held.some((one) => one.source === 'transcript'),
  );
  const differing = calls.filter(({ differs }) => differs);
  return {
    recorded: calls.length,
    told_by_transcript_alone: alone.length,
    not_in_transcript: missing.length,
    ...(missing.length > 0 && { missing: missing.slice(0, LISTED).map(namesOf) }),
    ...(alone.length > 0 && { alone: alone.slice(0, LISTED).map(namesOf) }),
    ...(differing.length > 0 && {
      told_otherwise: differing.length,
      otherwise: differing.slice(0, LISTED).map(namesOf),
    }),
    ...(before > 0 && { before_the_recorder: before }),
  };
}

/** A call as a note names it. */
function namesOf({ tool, call_id, operation_id, touched }: OpenCall): Json {
  const [first] = touched;
  return {
    tool: tool.name,
    ...(call_id !== null && { call_id }),
    ...(operation_id !== null && { operation_id }),
    ...(first !== undefined && { about: first.id.slice(0, 256).toWellFormed() }),
  };
}
