import { type ReadPayload, readPayload } from '../../../actions/index.ts';
import { type Disclosures, isSalted, type JsonObject, ProtocolError, parseJson } from '../../../protocol/index.ts';
import { clockCorrections, type StoredCorrection } from '../../ledger/admin-log/clock-corrections.ts';
import { readDisclosures } from '../../ledger/operations/disclosures-table.ts';
import type { CoveredRecord } from '../../search/reading/covers.ts';
import type { Store } from '../../store/open.ts';

/** What rules and holds ask of a record besides its payload. */
export interface RecordHead {
  readonly orgId: string;
  readonly seqNo: number;
  readonly operationId: string;
  readonly agentId: string;
  readonly operationType: string;
  readonly subject: string;
  readonly action: string;
  /** Milliseconds since the Unix epoch. */
  readonly receivedAt: number;
  readonly disclosuresNo: number | null;
}

const HEAD = `org_id AS orgId, seq_no AS seqNo, operation_id AS operationId, agent_id AS agentId,
  operation_type AS operationType, subject, action, received_at AS receivedAt, disclosures_no AS disclosuresNo`;

/** Records after a number and up to another that still have a payload, in order. */
export function headsWithPayload(
  { statement }: Store,
  orgId: string,
  { after, to }: { readonly after: number; readonly to: number },
): RecordHead[] {
  return statement(
    `SELECT ${HEAD} FROM operations
     WHERE org_id = ? AND seq_no > ? AND seq_no <= ? AND payload IS NOT NULL ORDER BY seq_no`,
  ).all(orgId, after, to) as RecordHead[];
}

/** What became of the payload of a record: there is something to erase, nothing is left, or somebody made it unreadable. */
export type PayloadState = 'there' | 'salted' | 'erased' | 'unreadable';

/** A record's payload and disclosures, read from the store only where somebody asks. */
export class RecordTexts implements CoveredRecord {
  readonly head: RecordHead;
  readonly store: Store;
  #stored: { readonly payload: string | null; readonly disclosures: string | null } | undefined;
  #parsed: { readonly payload: JsonObject; readonly disclosures: Disclosures } | null | undefined;
  #read: ReadPayload | null | undefined;

  constructor(store: Store, head: RecordHead) {
    this.store = store;
    this.head = head;
  }

  get corrections(): readonly StoredCorrection[] {
    return clockCorrections(this.store, this.head.orgId);
  }

  get subject(): string {
    return this.head.subject;
  }

  get action(): string {
    return this.head.action;
  }

  get type(): string {
    return this.head.operationType;
  }

  get texts(): readonly string[] {
    const { payload, disclosures } = this.stored;
    return [payload, payload === null ? null : disclosures].filter((text) => text !== null);
  }

  /** As stored. Null where it is erased, or where there are none. */
  get stored(): { readonly payload: string | null; readonly disclosures: string | null } {
    this.#stored ??= this.store
      .statement(
        `SELECT payload, (SELECT text FROM disclosures d WHERE d.disclosures_no = operations.disclosures_no) AS disclosures
         FROM operations WHERE org_id = ? AND seq_no = ?`,
      )
      .get(this.head.orgId, this.head.seqNo) as {
      readonly payload: string | null;
      readonly disclosures: string | null;
    };
    return this.#stored;
  }

  /** Null where nothing is left of it, or where somebody wrote something else into the file. */
  get #values(): { readonly payload: JsonObject; readonly disclosures: Disclosures } | null {
    if (this.#parsed !== undefined) return this.#parsed;
    const { payload, disclosures } = this.stored;
    try {
      this.#parsed =
        payload === null
          ? null
          : { payload: parseJson(payload) as JsonObject, disclosures: readDisclosures(disclosures) };
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#parsed = null;
    }
    return this.#parsed;
  }

  /** The profile that the payload names; null where it names none. */
  get profile(): string | null {
    const { payload } = this.stored;
    // Most payloads name none: they need not be parsed.
    if (payload === null || !payload.includes('"profile"')) return null;
    const profile = this.#values?.payload['profile'];
    return typeof profile === 'string' ? profile : null;
  }

  /** What a reader sees of it; null where it cannot be read. */
  get read(): ReadPayload | null {
    if (this.#read === undefined) {
      const values = this.#values;
      this.#read = values === null ? null : readPayload(values.payload, values.disclosures);
    }
    return this.#read;
  }

  get state(): PayloadState {
    const { payload } = this.stored;
    if (payload === null) return 'erased';
    // In canonical form `_sd` comes before `profile`, and a salted payload has nothing else.
    if (!payload.startsWith('{"_sd":')) return 'there';
    const values = this.#values;
    if (values === null) return 'unreadable';
    if (!isSalted(values.payload)) return 'there';
    return Object.keys(values.disclosures).length === 0 ? 'erased' : 'salted';
  }
}
