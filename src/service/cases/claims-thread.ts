import type { CaseClaims } from '../../contract/index.ts';
import { RequestThread, workerUrl } from '../../runtime/index.ts';
import type { ClaimsRequest } from './claims-worker.ts';

/** Young and old generation of the thread: it holds a quarter of a megabyte of a file at a time. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };

/** The thread that says what a file claims; null of a file that says nothing of itself. */
export function claimsThread(): RequestThread<ClaimsRequest, CaseClaims | null> {
  return new RequestThread({ url: workerUrl(import.meta.url, 'claims-worker'), resourceLimits: LIMITS });
}
