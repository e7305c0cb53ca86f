/**
 * The thread that looks at what uploads claim: their bytes are an attacker's, and however they are made, parsing them must
 * not hold up the service. One file after the other: at once they would only share the time that each may take.
 */
import type { CaseClaims, CaseFileKind } from '../../api/index.ts';
import { serveRequests } from '../../node/index.ts';
import { readClaims } from './claims.ts';

export interface ClaimsRequest {
  readonly path: string;
  readonly kind: CaseFileKind;
}

serveRequests<ClaimsRequest, CaseClaims | null>(({ path, kind }) => readClaims(path, kind));
