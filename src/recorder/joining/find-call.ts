import type { PreparedCall } from '../content/prepared.ts';
import type { CallRef, Calls } from './joined-calls.ts';
import type { OpenCall } from './open-call.ts';

/**
 * The call that an event is about. A program that begins another call under a used id makes a new call.
 * @param isRecent whether a call is open, or ended so lately that any witness may still tell of it: transcripts tell of all
 */
export function findCall(
  calls: Calls,
  seen: PreparedCall,
  ref: CallRef,
  isRecent: (call: OpenCall) => boolean,
): OpenCall | undefined {
  const isOpening = seen.stage === 'proposed' || seen.stage === 'started';
  const known = calls.byId(ref);
  if (known !== undefined) {
    const isAgain = isOpening && known.source === ref.source && known.ended !== null;
    return isAgain ? undefined : known;
  }
  if (isOpening) {
    // Without ids two equal calls of one witness are two calls; what another witness sees of one is not.
    const opened = calls.byInput(ref, calls.unended(), ({ source, held, begun }) => {
      const isOther = source !== ref.source && !held.some((witness) => witness.source === ref.source);
      return isOther || (source === ref.source && seen.stage === 'started' && begun === 'proposed');
    });
    // A transcript was read before the program's hook had its turn.
    return opened ?? calls.byInput(ref, calls.values(), (call) => isReadBefore(call, ref, 0) && isRecent(call));
  }
  const open = calls.byInput(
    ref,
    calls.unended(),
    ({ source, held }) =>
      source === ref.source || held.some((witness) => witness.source === ref.source && witness.ended_at === null),
  );
  if (open !== undefined) return open;
  // A witness of whole calls, such as a span, that names no id.
  return calls.byInput(ref, calls.values(), (call) => {
    const { source, held, late } = call;
    if (ref.source !== 'transcript' && !isRecent(call)) return false;
    if (isReadBefore(call, ref, 1)) return true;
    const told = held.some((witness) => witness.source === ref.source) || late.includes(ref.source);
    return source !== ref.source && !told;
  });
}

/** Whether a transcript told the whole of a call, of which another witness has since said this number of words. */
function isReadBefore({ source, late }: OpenCall, ref: CallRef, words: number): boolean {
  const said = late.filter((one) => one === ref.source).length;
  return source === 'transcript' && ref.source !== 'transcript' && said === words;
}
