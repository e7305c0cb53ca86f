import { open } from 'node:fs/promises';
import type { CaseClaims, CaseFileKind, IssuerStanding } from '../../api/index.ts';
import { pieceOf } from '../../node/light.ts';
import type { TrustStore } from '../../node/trust/index.ts';
import { type Manifest, ProtocolError, parseJsonBytes, readContents, type ServiceKey } from '../../protocol/index.ts';
import { CaseRefused, caseSource } from './case-source.ts';

/** So much of a file is looked at from its beginning, unpacked: the directory comes before the records. */
const HEAD_BYTES = 256 * 1024;

/** So long the head is looked at, in milliseconds, and so much of it between two looks at the clock. */
const BUDGET_MS = 50;
const SLICE_BYTES = 4 * 1024;

/** The manifest comes last: so much of a plain file is looked at from its end. */
const TAIL_BYTES = 16 * 1024;

const NOTHING: CaseClaims = {
  org_id: null,
  org_name: null,
  issuer_kid: null,
  created_at: null,
  records: null,
  first_seq_no: null,
  last_seq_no: null,
};

type Statement = Pick<
  Manifest,
  'org_id' | 'service_kid' | 'created_at' | 'record_count' | 'first_seq_no' | 'last_seq_no'
>;

function byManifest(manifest: Partial<Statement>): Partial<CaseClaims> {
  const word = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 256) : null);
  const count = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);
  return {
    issuer_kid: word(manifest.service_kid),
    created_at: word(manifest.created_at),
    records: count(manifest.record_count),
    first_seq_no: count(manifest.first_seq_no),
    last_seq_no: count(manifest.last_seq_no),
  };
}

/** The manifest at the end of a plain bundle, in the writers' order; null where it is not there. */
async function manifestAtEnd(path: string): Promise<Partial<CaseClaims> | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const text = (await pieceOf(file, from, TAIL_BYTES)).toString('utf8');
    const at = text.lastIndexOf('"manifest":');
    if (at < 0) return null;
    const { manifest } = parseJsonBytes(Buffer.from(`{${text.slice(at)}`)) as { manifest?: unknown };
    return typeof manifest === 'object' && manifest !== null ? byManifest(manifest) : null;
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  } finally {
    await file.close();
  }
}

async function claimsFromHead(path: string, kind: CaseFileKind): Promise<CaseClaims> {
  const plain = caseSource(path, kind, { maxPlainBytes: HEAD_BYTES });
  async function* source(): AsyncGenerator<Uint8Array> {
    let begun: number | null = null;
    for await (const chunk of plain()) {
      // What it takes to open a report is not the file's doing.
      begun ??= performance.now();
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        if (performance.now() - begun > BUDGET_MS) return;
        yield chunk.subarray(at, at + SLICE_BYTES);
      }
    }
  }
  const keys: ServiceKey[] = [];
  let claims = NOTHING;
  try {
    // Records say nothing of this, and there may be any number of them in a few bytes.
    for await (const contents of readContents(source, { withoutRecords: true })) {
      for (const content of contents) {
        if (content.kind === 'org') claims = { ...claims, org_id: content.value.org_id, org_name: content.value.name };
        else if (content.kind === 'service_key') keys.push(content.value);
        else if (content.kind === 'manifest') claims = { ...claims, ...byManifest(content.value) };
      }
    }
  } catch (error) {
    // What is beyond the head, or damaged, is not looked at: the import says what is wrong with it.
    if (!(error instanceof CaseRefused)) throw error;
  }
  return withIssuer(claims, keys);
}

function withIssuer(claims: CaseClaims, keys: readonly ServiceKey[]): CaseClaims {
  const [only, ...others] = keys;
  return claims.issuer_kid === null && only !== undefined && others.length === 0
    ? { ...claims, issuer_kid: only.kid }
    : claims;
}

function isBundle(kind: CaseFileKind): boolean {
  return kind === 'bundle' || kind === 'bundle-gzip' || kind === 'report-pdf';
}

/**
 * What a file says of itself, from its head and its end, without reading all of it. Nothing of it is verified.
 * @returns null where it says nothing
 */
export async function readClaims(path: string, kind: CaseFileKind): Promise<CaseClaims | null> {
  if (!isBundle(kind)) return null;
  const head = await claimsFromHead(path, kind);
  const end = kind === 'bundle' ? await manifestAtEnd(path) : null;
  const claims = { ...head, ...end };
  return Object.values(claims).every((value) => value === null) ? null : claims;
}

/** What the trust store says about a claimed issuer. It is a claim: only the import shows whether that key signed. */
export function standingOf(
  claims: CaseClaims | null,
  store: TrustStore,
  ownKids: ReadonlySet<string>,
): IssuerStanding | null {
  const kid = claims?.issuer_kid ?? null;
  if (claims === null || kid === null) return null;
  const key = store.trusted.find((one) => one.kid === kid);
  if (key?.organizations.some(({ org_id }) => org_id === claims.org_id) === true) return 'trusted';
  // Its own word, confirmed by nobody: no reason to worry, and no reason to believe.
  if (ownKids.has(kid)) return 'own';
  if (key !== undefined) return 'unconfirmed';
  const seen = store.seen.find(({ org_id }) => org_id === claims.org_id);
  if (seen === undefined) return 'unknown';
  return seen.keys.some((key) => key.kid === kid) ? 'known' : 'changed';
}
