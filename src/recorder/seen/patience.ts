/** How long whoever hands in an event waits for the recorder's answer, in seconds. */
export const PATIENCE_S = 3;

/**
 * How long one waits before that until the recorder says that it lives (`GET /v1/alive`), in seconds: one that hangs is found in this time, not
 * in what a living one may take for a large event. The system holds those who wait while it starts its recorder. Once one was waited
 * for in vain, which `missed/away` tells, those after wait less, until one answers.
 */
export const ALIVE_S = { own: 1, system: PATIENCE_S, afterVain: 0.25 } as const;

/** What of a body is sent and read in a millisecond at the least, in bytes, on a machine with much else to do. */
const BYTES_A_MS = 4_000;

/** How long one waits for the answer to a body, in milliseconds: large ones are read, cleaned and written down meanwhile. */
export function patienceFor(bytes: number): number {
  return PATIENCE_S * 1_000 + Math.ceil(bytes / BYTES_A_MS);
}
