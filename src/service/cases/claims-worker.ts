/**
 * The thread that looks at what uploads claim: their bytes are an attacker's, and however they are made, parsing them must
 * not hold up the service.
 */
import { parentPort } from 'node:worker_threads';
import type { CaseClaims, CaseFileKind } from '../../contract/index.ts';
import { readClaims } from './claims.ts';

export interface ClaimsRequest {
  readonly id: number;
  readonly path: string;
  readonly kind: CaseFileKind;
}

export type ClaimsMessage =
  | { readonly id: number; readonly claims: CaseClaims | null }
  | { readonly id: number; readonly error: unknown };

async function answer({ id, path, kind }: ClaimsRequest): Promise<ClaimsMessage> {
  try {
    return { id, claims: await readClaims(path, kind) };
  } catch (error) {
    return { id, error };
  }
}

// One after the other: at once they would only share the time that each may take.
let last: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (request: ClaimsRequest) => {
  last = last.then(async () => parentPort?.postMessage(await answer(request)));
});
