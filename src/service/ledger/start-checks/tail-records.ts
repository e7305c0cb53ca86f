import { nodeCrypto } from '../../../node/index.ts';
import {
  chainHash,
  formatDigest,
  ProtocolError,
  payloadHash,
  receiptLeafHash,
  receiptSignedBytes,
  recordSignedBytes,
  type SignatureCheck,
  type StrictVerifier,
} from '../../../protocol/index.ts';
import { and, desc, eq, lt } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { type OperationRow, operations } from '../../store/schema.ts';
import { operationRecord, receipt } from '../views.ts';
import type { Damage } from './damage.ts';

/** The newest records of an organization, as far as they were looked at. */
export interface RecordTail {
  /** 0 where there are no records. */
  readonly lastSeqNo: number;
  /** By agent: its newest record of these. */
  readonly newestOfAgent: ReadonlyMap<string, { readonly seqNo: number; readonly chainHash: string }>;
  readonly damages: readonly Damage[];
}

export interface TailReader {
  readonly store: Store;
  readonly verifier: StrictVerifier;
  /** Public keys that may have signed, by kid. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
}

const PAGE = 100;

/** Payloads may be large: after this many characters the check ends, however few records it were. */
const MAX_PAYLOAD_CHARACTERS = 8 * 1024 * 1024;

/** What can be said of one record by itself, and the check of its receipt's signature, which is left to be done. */
function examine(row: OperationRow, keys: TailReader['keys']): { damages: Damage[]; check: SignatureCheck | null } {
  const damages: Damage[] = [];
  const at = { orgId: row.orgId, place: `record ${row.seqNo}` };
  const compare = (message: string, expected: string, found: string): void => {
    if (expected !== found) damages.push({ ...at, message, expected, found });
  };
  try {
    const ear = receipt(row);
    const eor = operationRecord(row);
    const publicKey = keys.get(row.serviceKid);
    if (publicKey === undefined) {
      damages.push({ ...at, message: `the receipt names a key that is not the service's: ${row.serviceKid}` });
    }
    const message = receiptSignedBytes(ear);
    const leaf = formatDigest(receiptLeafHash(message, nodeCrypto.sha256));
    compare('the stored leaf hash is not that of the receipt', leaf, formatDigest(row.leafHash));
    const chain = chainHash(recordSignedBytes(eor), row.signature, nodeCrypto.sha256);
    compare('the chain hash is not that of the record', chain, ear.chain_hash);
    if (eor.payload !== undefined) {
      compare(
        'the payload hash is not that of the payload',
        payloadHash(eor.payload, nodeCrypto.sha256),
        eor.payload_hash,
      );
    }
    const check = publicKey === undefined ? null : { publicKey, message, signature: row.serviceSignature };
    return { damages, check };
  } catch (error) {
    // An invalid time, a payload that is not JSON: values that the service does not write.
    if (!(error instanceof RangeError || error instanceof ProtocolError)) throw error;
    return { damages: [{ ...at, message: `cannot be read as a record (${error.message})` }], check: null };
  }
}

async function examinePage(rows: readonly OperationRow[], { keys, verifier }: TailReader): Promise<Damage[]> {
  const examined = rows.map((row) => ({ row, ...examine(row, keys) }));
  const checks = examined.flatMap(({ check }) => (check === null ? [] : [check]));
  const valid = new Map((await verifier.verify(checks)).map((answer, index) => [checks[index], answer]));
  return examined.flatMap(({ row, damages, check }) => {
    if (check === null || valid.get(check) === true) return damages;
    const message = "the receipt's signature does not verify with the service key";
    return [...damages, { orgId: row.orgId, place: `record ${row.seqNo}`, message }];
  });
}

/** Links between records: numbers without gaps, and each record on the one of its agent before it. Rows come newest first. */
class Links {
  readonly damages: Damage[] = [];
  readonly newestOfAgent = new Map<string, { seqNo: number; chainHash: string }>();
  readonly #awaited = new Map<string, { seqNo: number; prev: string | null }>();
  #above: number | null = null;

  add(row: OperationRow): void {
    const { orgId, seqNo, agentId } = row;
    if (this.#above !== null && this.#above !== seqNo + 1) {
      const message = 'is missing, while later ones are there';
      this.damages.push({ orgId, place: `record ${this.#above - 1}`, message });
    }
    this.#above = seqNo;
    const hash = formatDigest(row.chainHash);
    if (!this.newestOfAgent.has(agentId)) this.newestOfAgent.set(agentId, { seqNo, chainHash: hash });
    const next = this.#awaited.get(agentId);
    if (next !== undefined && next.prev !== hash) {
      const message = `does not follow on the record of its agent before it, ${seqNo}`;
      this.damages.push({
        orgId,
        place: `record ${next.seqNo}`,
        message,
        expected: hash,
        found: next.prev ?? 'none',
      });
    }
    this.#awaited.set(agentId, { seqNo, prev: row.prevChainHash && formatDigest(row.prevChainHash) });
  }
}

/**
 * Looks at the newest records of an organization.
 * @param depth the most to look at
 */
export async function readRecordTail(reader: TailReader, orgId: string, depth: number): Promise<RecordTail> {
  const links = new Links();
  const damages: Damage[] = [];
  let lastSeqNo = 0;
  let below = Number.MAX_SAFE_INTEGER;
  let characters = 0;
  for (let seen = 0; seen < depth && characters < MAX_PAYLOAD_CHARACTERS; ) {
    const rows = reader.store.db
      .select()
      .from(operations)
      .where(and(eq(operations.orgId, orgId), lt(operations.seqNo, below)))
      .orderBy(desc(operations.seqNo))
      .limit(Math.min(PAGE, depth - seen))
      .all();
    if (rows.length === 0) break;
    if (seen === 0) lastSeqNo = rows[0]?.seqNo ?? 0;
    for (const row of rows) {
      links.add(row);
      characters += row.payload?.length ?? 0;
    }
    damages.push(...(await examinePage(rows, reader)));
    seen += rows.length;
    below = rows.at(-1)?.seqNo ?? 0;
    if (below === 1) break;
  }
  return { lastSeqNo, newestOfAgent: links.newestOfAgent, damages: [...links.damages, ...damages] };
}
