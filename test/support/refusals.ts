import { ProtocolError, type ProtocolErrorCode } from '../../src/protocol/index.ts';

/** What became of an input: 'accepted', or the code of the ProtocolError that refused it. Other errors pass through. */
export function outcome(act: () => unknown): ProtocolErrorCode | 'accepted' {
  return refusal(act)?.code ?? 'accepted';
}

/** The ProtocolError that an input was refused with; undefined where it was accepted. */
export function refusal(act: () => unknown): ProtocolError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
}
