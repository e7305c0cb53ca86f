import { parseTime } from '../../protocol/light.ts';
import type { PreparedCall } from '../content/prepared.ts';
import type { Calls } from './joined-calls.ts';
import type { CallRef, OpenCall } from './open-call.ts';

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
    const isAgain = isOpening && known.source === ref.source && known.ended !== null && !isHeardLate(known, seen, ref);
    return isAgain ? undefined : known;
  }
  if (isOpening) {
    // Without ids two equal calls of one witness are two calls; what another witness sees of one is not.
    const opened = calls.byInput(ref, 'unended', ({ source, held, begun }) => {
      const isOther = source !== ref.source && !held.some((witness) => witness.source === ref.source);
      return isOther || (source === ref.source && seen.stage === 'started' && begun === 'proposed');
    });
    if (opened !== undefined) return opened;
    // A transcript was read before the program's hook had its turn; or it does not have the end that another told.
    const isToldBefore = (call: OpenCall): boolean =>
      ref.source === 'transcript'
        ? isUntold(call, ref)
        : isRecent(call) && (isReadBefore(call, ref, 0) || isHeardLate(call, seen, ref));
    return calls.byInput(ref, 'all', isToldBefore);
  }
  if (seen.shortened?.cut_off === true) {
    // Cut off before its id, the end of a call tells neither that nor all that the call was given: it is the end of the only one it can be.
    const any = { ...ref, input: null };
    const isOwn = ({ source }: OpenCall): boolean => source === ref.source;
    const only = calls.byInput(any, 'unended', isOwn);
    if (only !== undefined && !calls.byInput(any, 'unended', (one) => isOwn(one) && one !== only)) return only;
  }
  const open = calls.byInput(
    ref,
    'unended',
    ({ source, held }) =>
      source === ref.source || held.some((witness) => witness.source === ref.source && witness.ended_at === null),
  );
  if (open !== undefined) return open;
  // A witness of whole calls, such as a span, that names no id.
  return calls.byInput(ref, 'all', (call) => {
    if (ref.source !== 'transcript' && !isRecent(call)) return false;
    return isReadBefore(call, ref, 1) || isUntold(call, ref);
  });
}

/** Whether this is the beginning of a call whose end came before it: a hook left it for a recorder that did not answer. */
function isHeardLate({ source, begun, ended, opened_at }: OpenCall, seen: PreparedCall, ref: CallRef): boolean {
  return source === ref.source && begun === 'not' && ended !== null && parseTime(seen.observed_at) < opened_at;
}

/** Whether this witness has not spoken of a call that others saw. */
function isUntold({ source, held, late }: OpenCall, ref: CallRef): boolean {
  return source !== ref.source && !late.includes(ref.source) && !held.some((witness) => witness.source === ref.source);
}

/** Whether a transcript told the whole of a call, of which another witness has since said this number of words. */
function isReadBefore({ source, late }: OpenCall, ref: CallRef, words: number): boolean {
  const said = late.filter((one) => one === ref.source).length;
  return source === 'transcript' && ref.source !== 'transcript' && said === words;
}
