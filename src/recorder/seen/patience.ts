import { PATIENCE_S } from '../../agent/light.ts';

/**
 * How long one waits before that until the recorder says that it lives (`GET /v1/alive`), in seconds: one that hangs is found in this time, not
 * in what a living one may take for a large event. The system holds those who wait while it starts its recorder. Once one was waited
 * for in vain, which `missed/away` tells, those after wait less, until one answers.
 */
export const ALIVE_S = { own: 1, system: PATIENCE_S, afterVain: 0.25 } as const;
