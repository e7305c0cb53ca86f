import { nodeCrypto } from '../../../node/index.ts';
import {
  type Checkpoint,
  checkpointOrigin,
  checkpointText,
  cosignatureOf,
  ProtocolError,
  parseCheckpoint,
  parseWitnessKey,
  StrictVerifier,
  utf8,
  type WitnessKey,
} from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, desc, eq } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { cosignatures, type witnesses } from '../../store/schema.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import { listEpochs } from './epoch-queries.ts';
import { checkpointOf } from './log-proofs.ts';

type WitnessAlgorithm = WitnessKey['algorithm'];
export type WitnessRow = typeof witnesses.$inferSelect;

/** As many lines as a checkpoint takes next to that of the log (protocol F87). */
export const MOST_COSIGNATURES = 15;

/** A signature line that holds under a key of its witness. */
interface HeldLine {
  readonly algorithm: WitnessAlgorithm;
  readonly line: string;
  /** Milliseconds since the Unix epoch. */
  readonly cosignedAt: number;
}

/** What a witness said of one checkpoint. */
export interface Cosigned {
  readonly size: number;
  readonly lines: readonly HeldLine[];
}

export function keysOf({ vkeys }: Pick<WitnessRow, 'vkeys'>): WitnessKey[] {
  return (JSON.parse(vkeys) as string[]).map((vkey) => parseWitnessKey(vkey, nodeCrypto.sha256));
}

async function heldLines(checkpoint: Checkpoint, keys: readonly WitnessKey[]): Promise<HeldLine[]> {
  // Only where there are witnesses: it is large.
  const { isMlDsaSignature } = await import('../../../protocol/ml-dsa/index.ts');
  const verifiers = { ed25519: new StrictVerifier(nodeCrypto), mlDsa44: isMlDsaSignature };
  const held: HeldLine[] = [];
  for (const key of keys) {
    const found = await cosignatureOf(checkpoint, key, verifiers, nodeCrypto.sha256);
    if (found === null) continue;
    held.push({ algorithm: key.algorithm, line: found.line, cosignedAt: found.timestamp * 1000 });
  }
  return held;
}

/** An answer below a checkpoint. @throws ServiceError VALIDATION_ERROR */
function answered(checkpoint: string, answer: string): Checkpoint {
  try {
    return parseCheckpoint(utf8(`${checkpoint}${answer}`));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new ServiceError('VALIDATION_ERROR', `answer: is not signature lines of a witness: ${error.message}`);
  }
}

/** How many checkpoints an answer is tried for that came by file, by the kind of key: it does not say of which size it is. */
const TRIED: Readonly<Record<WitnessAlgorithm, number>> = { ed25519: 2000, 'ml-dsa-44': 50 };

/**
 * The checkpoint of an organization's log that an answer cosigns, the newest first. The root is that of the stored epoch:
 * cosignedBy looks at it again.
 */
async function cosignedSize(
  store: Store,
  orgId: string,
  [key]: readonly WitnessKey[],
  answer: string,
): Promise<number | null> {
  if (key === undefined) return null;
  for (const { last_seq_no: size, log_root: root } of listEpochs(store, orgId, null, TRIED[key.algorithm])) {
    const text = checkpointText({ origin: checkpointOrigin(orgId), size, root });
    if ((await heldLines(answered(`${text}\n`, answer), [key])).length > 0) return size;
  }
  return null;
}

/**
 * What a witness answered, verified under its keys.
 * @param size of the checkpoint that it was asked to cosign; where that is null, it is found
 * @throws ServiceError VALIDATION_ERROR where no line holds
 */
export async function cosignedBy(
  store: Store,
  key: KeyHolder,
  orgId: string,
  {
    witness,
    answer,
    size: asked,
  }: { readonly witness: WitnessRow; readonly answer: string; readonly size: number | null },
): Promise<Cosigned> {
  const keys = keysOf(witness).sort((a, b) => a.algorithm.localeCompare(b.algorithm));
  const text = `${answer.trim()}\n`;
  const size = asked ?? (await cosignedSize(store, orgId, keys, text));
  const lines = size === null ? [] : await heldLines(answered(await checkpointOf(store, key, orgId, size), text), keys);
  if (size !== null && lines.length > 0) return { size, lines };
  throw new ServiceError(
    'VALIDATION_ERROR',
    'answer: holds no line by which this witness cosigned a checkpoint of this log; export the request again and have that one answered',
  );
}

/** Keeps what a witness said; what is there already stays. Within the writer's transaction. */
export function keepCosigned(
  store: WritableStore,
  orgId: string,
  witnessId: string,
  { size, lines }: Cosigned,
  now: number,
): void {
  const rows = lines.map((line) => ({ orgId, size, witnessId, ...line, receivedAt: now }));
  store.db.insert(cosignatures).values(rows).onConflictDoNothing().run();
}

/** The largest size that a witness cosigned of a log, 0 for none. */
export function cosignedSizeBy(store: Store, orgId: string, witnessId: string): number {
  const newest = store.statement('SELECT max(size) FROM cosignatures WHERE org_id = ? AND witness_id = ?');
  return (newest.pluck().get(orgId, witnessId) as number | null) ?? 0;
}

/**
 * A checkpoint with its cosignatures.
 * @param size the largest that was cosigned where it is left out
 * @throws ServiceError NOT_FOUND where nobody cosigned it, CONFLICT where the stored ledger is damaged
 */
export async function cosignedCheckpointOf(
  store: Store,
  key: KeyHolder,
  orgId: string,
  size: number | undefined,
): Promise<string> {
  const newest = store.statement('SELECT max(size) FROM cosignatures WHERE org_id = ?').pluck();
  const of = size ?? (newest.get(orgId) as number | null);
  const rows =
    of === null
      ? []
      : store.db
          .select()
          .from(cosignatures)
          .where(and(eq(cosignatures.orgId, orgId), eq(cosignatures.size, of)))
          .orderBy(desc(cosignatures.cosignedAt))
          .all();
  if (of === null || rows.length === 0) {
    throw new ServiceError(
      'NOT_FOUND',
      size === undefined ? 'no checkpoint is cosigned yet' : `nobody cosigned the size ${size}`,
    );
  }
  const lines = rows.slice(0, MOST_COSIGNATURES).map(({ line }) => `${line}\n`);
  return `${await checkpointOf(store, key, orgId, of)}${lines.join('')}`;
}

/** As many sizes as a file carries: of each there are two texts at most, and 16 fit (protocol F145). */
const MOST_CARRIED = 8;

/** This many of the newest sizes are looked at: what as many witnesses cosigned once, and never since, is not worth a walk through all. */
const MOST_LOOKED_AT = 4096;

/** For each number of witnesses the largest size that as many cosigned, the largest first. */
function sizesToCarry(store: Store, orgId: string, upTo: number): number[] {
  const sizes = store.statement(
    `SELECT size, count(DISTINCT witness_id) AS witnesses FROM cosignatures
     WHERE org_id = ? AND size <= ? GROUP BY size ORDER BY size DESC LIMIT ${MOST_LOOKED_AT}`,
  );
  const carried: number[] = [];
  let most = 0;
  for (const { size, witnesses } of sizes.iterate(orgId, upTo) as Iterable<{ size: number; witnesses: number }>) {
    if (witnesses <= most) continue;
    most = witnesses;
    carried.push(size);
    if (carried.length === MOST_CARRIED) break;
  }
  return carried;
}

/** The cosigned checkpoints that files of a ledger carry, the largest first (protocol F145). @throws ServiceError as checkpointOf */
export function cosignedToCarry(store: Store, key: KeyHolder, orgId: string, upTo: number): Promise<string[]> {
  return Promise.all(sizesToCarry(store, orgId, upTo).map((size) => cosignedCheckpointOf(store, key, orgId, size)));
}
