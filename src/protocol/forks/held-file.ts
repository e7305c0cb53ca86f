import { readContents } from '../bundle/contents.ts';
import { readPiece } from '../bundle/document.ts';
import { canonicalBytes } from '../canonical.ts';
import { type HostCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest } from '../digest.ts';
import { ProtocolError } from '../protocol-error.ts';
import { MAX_RECORD_PROOF_BYTES } from '../record-proof/record-proof.ts';
import { candidatesOf, checkpointOrigin, MAX_CHECKPOINT_BYTES, withOneSignature } from '../statements/checkpoint.ts';
import { parseKeptCheckpoint } from '../statements/consistency-proof.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { FindingLog } from '../verify/finding-log.ts';
import { Issuer } from '../verify/issuer.ts';
import { readKeptReceipts } from '../verify/kept-receipts.ts';
import { LedgerOrder } from '../verify/ledger-order.ts';
import { type NamedSource, readOtherBundle } from '../verify/other-bundle.ts';
import { factsOf, isAbout, isSignedStatement, type SignedStatement } from '../verify/signed-statement.ts';
import { Branch, type NamesOfLog } from './branch.ts';
import { type HeldKind, proofOf } from './kinds-of-files.ts';

/** Why something of a file was compared with nothing. */
export type HeldProblemCode = 'UNREADABLE' | 'NOT_SIGNED' | 'KEY_UNKNOWN' | 'MALFORMED' | 'TOO_MANY_BRANCHES';

export interface HeldProblem {
  readonly file: string;
  readonly code: HeldProblemCode;
  /** How many parts of the file it is about. */
  readonly count: number;
}

/** What a file has that one service signed for one organization. */
export interface Held {
  readonly name: string;
  readonly kind: HeldKind;
  readonly orgId: string;
  readonly kids: ReadonlySet<string>;
  readonly keys: readonly ServiceKey[];
  /** Several where the file contradicts itself: what each says fits together. */
  readonly parts: readonly Branch[];
  readonly names: NamesOfLog | null;
}

/** The keys of a service and of one organization that files brought along. */
export interface KnownKeys {
  readonly orgId: string;
  readonly keys: readonly ServiceKey[];
}

const BATCH = 256;
/**
 * The statements of one file that one service signed, put where they fit: in the first part that they do not contradict. Which service it
 * is, the first signed statement says: whoever makes a file may put the keys of others into it.
 */
class Parts {
  readonly parts: Branch[] = [new Branch()];
  readonly #issuer: Issuer;
  readonly #orgId: string;
  readonly #verifier: StrictVerifier;
  #pending: SignedStatement[] = [];
  /** The keys of that service; empty until it is known. */
  kids: ReadonlySet<string> = new Set();
  /** How many statements are not that service's. */
  unsigned = 0;

  constructor(issuer: Issuer, orgId: string, verifier: StrictVerifier) {
    this.#issuer = issuer;
    this.#orgId = orgId;
    this.#verifier = verifier;
  }

  async add(statement: SignedStatement): Promise<void> {
    this.#pending.push(statement);
    if (this.#pending.length >= BATCH) await this.flush();
  }

  async isSigned(statement: SignedStatement): Promise<boolean> {
    const keyFor = (kid: string): Uint8Array | null => this.#issuer.keyFor(kid);
    return isAbout(statement, this.#orgId) && (await isSignedStatement(statement, keyFor, this.#verifier));
  }

  async flush(): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    const signed = await Promise.all(pending.map((one) => this.isSigned(one)));
    for (const [n, statement] of pending.entries()) {
      const { kid } = factsOf(statement);
      if (signed[n] === true && this.kids.size === 0) this.kids = new Set(this.#issuer.linkedWith(kid));
      if (signed[n] === true && this.kids.has(kid)) this.#put(statement);
      else this.unsigned++;
    }
  }

  #put(statement: SignedStatement): void {
    for (const part of this.parts) if (part.put(statement)) return;
    const other = new Branch();
    other.put(statement);
    this.parts.push(other);
  }
}

async function issuerOf(keys: readonly ServiceKey[], orgId: string, verifier: StrictVerifier): Promise<Issuer> {
  const issuer = new Issuer([], new LedgerOrder());
  await issuer.load(keys, orgId, verifier, new FindingLog());
  return issuer;
}

/** A file that brings the keys along which signed it. */
async function holdWithKeys(
  { name }: NamedSource,
  kind: HeldKind,
  { orgId, keys }: KnownKeys,
  statements: Iterable<SignedStatement>,
  crypto: HostCrypto,
): Promise<{ readonly parts: Parts; readonly held: () => Held }> {
  const verifier = new StrictVerifier(crypto);
  const parts = new Parts(await issuerOf(keys, orgId, verifier), orgId, verifier);
  for (const statement of statements) await parts.add(statement);
  await parts.flush();
  return { parts, held: () => ({ name, kind, orgId, kids: parts.kids, keys, parts: parts.parts, names: null }) };
}

export interface HeldOrNot {
  readonly held: Held | null;
  readonly problems: readonly HeldProblem[];
}

function problemOf(file: string, code: HeldProblemCode, count: number): HeldProblem[] {
  return count === 0 ? [] : [{ file, code, count }];
}

async function holdBundle(file: NamedSource, crypto: HostCrypto): Promise<HeldOrNot> {
  const { name, source } = file;
  const hash = crypto.sha256;
  const neighbours: SignedStatement[] = [];
  const records = new Branch();
  let malformed = 0;
  let isTwice = false;
  const bundle = await readOtherBundle(
    file,
    hash,
    (receipt, _, isRecord) => {
      if (!isRecord) neighbours.push({ receipt });
      else if (!records.putRecord(receipt, hash)) isTwice = true;
    },
    () => malformed++,
  );
  const { manifest, manifestSignature: manifest_signature, serviceKeys: keys, agents, org, covers } = bundle;
  const orgId = manifest?.org_id ?? org?.org_id;
  if (orgId === undefined) return { held: null, problems: problemOf(name, 'UNREADABLE', 1) };
  function* statements(): Generator<SignedStatement> {
    yield* neighbours;
    for (const { epoch } of bundle.epochs) yield { epoch };
    if (manifest !== null && manifest_signature !== null) yield { manifest, manifest_signature };
    for (const service_key of keys) yield { service_key };
    for (const { agent_id, org_id, keys: attested } of agents) {
      for (const agent_key of attested) if (agent_key.agent_id === agent_id) yield { org_id, agent_key };
    }
  }
  const { held, parts } = await holdWithKeys(file, 'bundle', { orgId, keys }, statements(), crypto);
  const isSigned =
    manifest !== null &&
    manifest_signature !== null &&
    parts.kids.has(manifest.service_kid) &&
    (await parts.isSigned({ manifest, manifest_signature }));
  // What the signed list of the records is the digest of, the service signed as it stands there.
  const [first] = parts.parts;
  if (isSigned && covers.records && !isTwice && first?.isFreeFor(records) === true) first.take(records);
  else {
    for await (const contents of readContents(source)) {
      for (const content of contents) if (content.kind === 'record') await parts.add({ receipt: content.value.ear });
    }
    await parts.flush();
  }
  const names =
    isSigned && covers.directory && manifest.filter.agent_id === null
      ? {
          log: `${manifest.admin_log.count} ${manifest.admin_log.head_hash}`,
          digest: formatDigest(
            hash(
              canonicalBytes([
                org?.name ?? null,
                ...agents.map(({ agent_id, display_name, responsible_entity, integration_type }) => [
                  agent_id,
                  display_name,
                  responsible_entity,
                  integration_type,
                ]),
              ]),
            ),
          ),
        }
      : null;
  return {
    held: { ...held(), names },
    problems: [...problemOf(name, 'MALFORMED', malformed), ...problemOf(name, 'NOT_SIGNED', parts.unsigned)],
  };
}

async function holdProof(
  file: NamedSource,
  kind: 'record_proof' | 'equivocation_proof',
  crypto: HostCrypto,
): Promise<HeldOrNot> {
  const { statements, ...of } = proofOf(await readPiece(file.source, MAX_RECORD_PROOF_BYTES, true), kind);
  const { held, parts } = await holdWithKeys(file, kind, of, statements, crypto);
  return { held: held(), problems: problemOf(file.name, 'NOT_SIGNED', parts.unsigned) };
}

/** Receipts, by the keys that other files brought along: of one organization and service each, the first that the file is of. */
async function holdReceipts(file: NamedSource, known: readonly KnownKeys[], crypto: HostCrypto): Promise<HeldOrNot> {
  const verifier = new StrictVerifier(crypto);
  let parts: Parts | null = null;
  let found: { readonly of: KnownKeys; readonly kids: ReadonlySet<string> } | null = null;
  let [malformed, unknown] = [0, 0];
  for await (const line of readKeptReceipts(file.source)) {
    if ('error' in line) {
      malformed++;
      continue;
    }
    const { receipt } = line;
    if (found === null) {
      const of = known.find(
        ({ orgId, keys }) => orgId === receipt.org_id && keys.some(({ kid }) => kid === receipt.service_kid),
      );
      if (of !== undefined) {
        const issuer = await issuerOf(of.keys, of.orgId, verifier);
        found = { of, kids: new Set(issuer.linkedWith(receipt.service_kid)) };
        parts = new Parts(issuer, of.orgId, verifier);
      }
    }
    if (parts === null || found === null || receipt.org_id !== found.of.orgId || !found.kids.has(receipt.service_kid))
      unknown++;
    else await parts.add({ receipt });
  }
  await parts?.flush();
  const problems = [
    ...problemOf(file.name, 'MALFORMED', malformed),
    ...problemOf(file.name, 'KEY_UNKNOWN', unknown),
    ...problemOf(file.name, 'NOT_SIGNED', parts?.unsigned ?? 0),
  ];
  if (parts === null || found === null) return { held: null, problems };
  const { of, kids } = found;
  return { held: { name: file.name, kind: 'receipts', ...of, kids, parts: parts.parts, names: null }, problems };
}

async function holdCheckpoint(
  file: NamedSource,
  kind: 'checkpoint' | 'consistency_proof',
  known: readonly KnownKeys[],
  crypto: HostCrypto,
): Promise<HeldOrNot> {
  const { checkpoint, link } = parseKeptCheckpoint(await readPiece(file.source, MAX_CHECKPOINT_BYTES, true));
  const verifier = new StrictVerifier(crypto);
  for (const of of known.filter(({ orgId }) => checkpointOrigin(orgId) === checkpoint.origin)) {
    const issuer = await issuerOf(of.keys, of.orgId, verifier);
    for (const { kid, by } of candidatesOf(checkpoint, issuer.soundKeys(), crypto.sha256).flat()) {
      const statement = { checkpoint: withOneSignature(checkpoint, by), service_kid: kid };
      if (!(await isSignedStatement(statement, (one) => issuer.keyFor(one), verifier))) continue;
      const branch = new Branch();
      branch.put(statement);
      if (link !== null) branch.links.push({ link, checkpoint });
      const kids = new Set(issuer.linkedWith(kid));
      return { held: { name: file.name, kind, ...of, kids, parts: [branch], names: null }, problems: [] };
    }
  }
  return { held: null, problems: problemOf(file.name, 'KEY_UNKNOWN', 1) };
}

/**
 * Reads a file for what a service signed in it, and keeps of that what is needed to compare it.
 * @param known of files that bring keys along; files of other kinds are judged by these
 * @throws only what the source throws
 */
export async function holdFile(
  file: NamedSource,
  kind: HeldKind,
  known: readonly KnownKeys[],
  crypto: HostCrypto,
): Promise<HeldOrNot> {
  const { held, problems } = await readFile(file, kind, known, crypto);
  if (held === null || held.kids.size > 0) return { held, problems };
  return { held: null, problems: problems.length > 0 ? problems : problemOf(file.name, 'UNREADABLE', 1) };
}

async function readFile(
  file: NamedSource,
  kind: HeldKind,
  known: readonly KnownKeys[],
  crypto: HostCrypto,
): Promise<HeldOrNot> {
  try {
    if (kind === 'bundle') return await holdBundle(file, crypto);
    if (kind === 'receipts') return await holdReceipts(file, known, crypto);
    if (kind === 'checkpoint' || kind === 'consistency_proof') return await holdCheckpoint(file, kind, known, crypto);
    return await holdProof(file, kind, crypto);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { held: null, problems: problemOf(file.name, 'UNREADABLE', 1) };
  }
}
