import { HashListDigest } from '../bundle/digests.ts';
import type { Edges } from '../bundle/edges.ts';
import { equalBytes } from '../bytes.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest, isDigestOf } from '../digest.ts';
import type { SignatureCheck } from '../ed25519.ts';
import type { Receipt } from '../statements/receipt.ts';
import type { AgentHistory } from './agent-history.ts';
import type { ChainLinks } from './chain-links.ts';
import type { Directory, KnownAgentKey } from './directory.ts';
import type { EpochTrack } from './epoch-track.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { PreparedRecord } from './prepared-record.ts';
import { RecentMarks } from './recent-marks.ts';
import type { Reconciliation } from './reconciliation.ts';
import { RecordTimes } from './record-times.ts';
import type { FindingPlace } from './report.ts';
import type { SequenceTrack } from './sequence-track.ts';
import { UniqueIds } from './unique-ids.ts';
import { WithheldRecords } from './withheld-records.ts';

interface Collaborators {
  readonly host: HostCrypto;
  readonly verifier: StrictVerifier;
  readonly log: FindingLog;
  readonly order: LedgerOrder;
  readonly issuer: Issuer;
  readonly directory: Directory;
  readonly history: AgentHistory;
  readonly epochs: EpochTrack;
  readonly reconciliation: Reconciliation;
  readonly sequence: SequenceTrack;
  readonly chains: ChainLinks;
}

/** A record with the keys that its two signatures are checked with. */
interface Plan {
  readonly record: PreparedRecord;
  readonly key: KnownAgentKey | undefined;
  readonly serviceKey: Uint8Array | null;
}

/** Findings about something that stands among the records: said in its place, so that reports do not depend on batches. */
export type Remark = () => void;

/** Records whose signatures are being checked. */
export interface PendingBatch {
  readonly plans: readonly (Plan | Remark)[];
  readonly answers: Promise<readonly boolean[]>;
}

/** Goes through the records of a bundle in order; remembers chain heads and what must be unique, not the records. */
export class RecordTrack {
  readonly #collaborators: Collaborators;
  readonly sequence: SequenceTrack;
  readonly #unique: UniqueIds;
  readonly times: RecordTimes;
  /** What the run begins and ends with, for what stands beside it. */
  first: PreparedRecord | null = null;
  last: PreparedRecord | null = null;
  readonly digest = new HashListDigest();
  #lastSigned: { readonly receipt: Receipt; readonly leaf: Uint8Array } | null = null;
  orgId = '';
  count = 0;
  /** Of which members are shown, in order. */
  readonly disclosuresDigest = new HashListDigest();
  readonly #marks = new RecentMarks();
  readonly withheld = new WithheldRecords();
  /** Payloads that are there, salted ones too. */
  payloads = 0;
  /** Disclosures; and names without one, in payloads that have the signed hash. */
  members = 0;
  membersWithheld = 0;
  /** Up to two agents: enough to tell whether all records are of one. */
  readonly agentIds = new Set<string>();

  constructor(collaborators: Collaborators) {
    this.#collaborators = collaborators;
    this.sequence = collaborators.sequence;
    this.#unique = new UniqueIds(collaborators.host, collaborators.log);
    this.times = new RecordTimes(collaborators.issuer, collaborators.history, collaborators.order, collaborators.log);
  }

  /**
   * Hands the signatures of a batch to the host, all at once. Several batches may be begun before the first is concluded;
   * each must be concluded, in the order of the records.
   */
  begin(batch: readonly (PreparedRecord | Remark)[]): PendingBatch {
    const { directory, issuer, verifier } = this.#collaborators;
    const checks: SignatureCheck[] = [];
    const plans = batch.map((record): Plan | Remark => {
      if (typeof record === 'function') return record;
      const key = directory.find(record.eor.agent_id, record.eor.agent_pubkey_kid);
      const serviceKey = issuer.keyFor(record.ear.service_kid);
      if (key?.strict) {
        checks.push({ publicKey: key.publicKey, message: record.signedBytes, signature: record.signature });
      }
      if (serviceKey) {
        checks.push({ publicKey: serviceKey, message: record.receiptBytes, signature: record.receiptSignature });
      }
      return { record, key, serviceKey };
    });
    const answers = verifier.verify(checks);
    // Looked at when the batch is concluded, which may be later than it fails, or never, where reading fails before.
    answers.catch(() => undefined);
    return { plans, answers };
  }

  /** Judges a batch record by record, once its signatures are. */
  async conclude({ plans, answers: promised }: PendingBatch): Promise<void> {
    const answers = await promised;
    let next = 0;
    for (const plan of plans) {
      if (typeof plan === 'function') {
        plan();
        continue;
      }
      const { record, key, serviceKey } = plan;
      const where = {
        line: record.line,
        seq_no: record.ear.seq_no,
        operation_id: record.eor.operation_id,
        agent_id: record.eor.agent_id,
      };
      this.count++;
      const payloadHolds = this.#checkPayload(record, where);
      let agentSigned = false;
      if (key === undefined) {
        this.#collaborators.log.add('KEY_UNKNOWN', {
          where: { ...where, kid: record.eor.agent_pubkey_kid },
          message: 'The file holds no key of this agent with the kid that the record names.',
        });
      } else if (!key.strict) {
        this.#collaborators.log.add('SIGNATURE_INVALID', { where, message: 'Nothing that a weak key signs is valid.' });
      } else if (!answers[next++]) {
        this.#collaborators.log.add('SIGNATURE_INVALID', {
          where,
          message:
            "The agent's signature does not verify: a signed member of the record, or the signature, was changed.",
        });
      } else agentSigned = key.attested;
      const receiptSigned = serviceKey !== null && answers[next++] === true;
      const receiptHolds = this.#checkReceipt(record, receiptSigned, where);
      if (receiptSigned) this.#checkEquivocation(record, where);
      const ascending = this.sequence.add(record.ear.seq_no, where);
      const chainHashHolds = this.#checkChain(record, where);
      this.times.check(record, key, ascending, where);
      this.#unique.check(record, where);
      this.#collaborators.epochs.add({
        seqNo: record.ear.seq_no,
        leaf: record.leaf,
        receivedAt: record.ear.server_received_at,
        receivedAtMs: record.receivedAt,
        gap: record.gap,
        serviceKid: record.ear.service_kid,
        sound: payloadHolds && agentSigned && receiptHolds && chainHashHolds,
        where,
      });
      this.#collaborators.reconciliation.sawRecord(record);
      this.first ??= record;
      if (ascending) this.last = record;
      this.digest.add(record.leaf);
      if (this.agentIds.size < 2) this.agentIds.add(record.eor.agent_id);
    }
  }

  /** How many records are linked as they should be. */
  get links(): number {
    return this.#collaborators.chains.count;
  }

  /** After the last record: what stands next to the range. */
  checkBeside(edges: Edges): void {
    this.#unique.checkBeside(edges);
  }

  /** @returns whether nothing is wrong with it; a payload that is withheld is bound by its hash */
  #checkPayload({ payloadHash, eor, ear, disclosed }: PreparedRecord, where: FindingPlace): boolean {
    const signed = payloadHash !== null && isDigestOf(eor.payload_hash, payloadHash);
    if (payloadHash !== null) this.payloads++;
    this.members += disclosed.count;
    if (disclosed.namesHash !== null) this.disclosuresDigest.add(disclosed.namesHash);
    if (signed) this.membersWithheld += disclosed.withheld;
    this.withheld.add(ear.seq_no, payloadHash === null || disclosed.withheld > 0 ? { salted: signed } : null);
    if (payloadHash !== null && !signed) {
      this.#collaborators.log.add('PAYLOAD_HASH_MISMATCH', {
        where,
        expected: eor.payload_hash,
        actual: formatDigest(payloadHash),
        message: 'The payload is not the one that was signed.',
      });
      return false;
    }
    if (!disclosed.fit) {
      const message = 'The disclosures of the record are not those of its payload.';
      this.#collaborators.log.add('DISCLOSURE_INVALID', { where, message });
    } else if (signed && this.#marks.meet(disclosed.marks)) {
      const message =
        'A member has a salt or a digest that another one had before: who sees one of the two can find the other by trial.';
      this.#collaborators.log.add('SALT_REUSED', { where, severity: 'warning', message });
    }
    return disclosed.fit;
  }

  /** @returns whether it is signed and of this record */
  #checkReceipt({ eor, ear }: PreparedRecord, signatureValid: boolean, where: FindingPlace): boolean {
    if (!signatureValid) {
      this.#collaborators.log.add('RECEIPT_SIGNATURE_INVALID', {
        where: { ...where, kid: ear.service_kid },
        message: "The service's signature on the receipt does not verify, or names no sound service key of the file.",
      });
    }
    const differs = (['operation_id', 'org_id', 'agent_id'] as const).find((member) => eor[member] !== ear[member]);
    if (differs !== undefined || eor.org_id !== this.orgId) {
      const member = differs ?? 'org_id';
      this.#collaborators.log.add('RECEIPT_MISMATCH', {
        where: { ...where, member },
        expected: differs === undefined ? this.orgId : eor[member],
        actual: ear[member],
        message:
          differs === undefined
            ? 'The record belongs to another organization than the file.'
            : `The receipt's ${member} is not the record's.`,
      });
      return false;
    }
    return signatureValid;
  }

  /** Two different receipts for one number, both signed, side by side: the service contradicts itself in one file. */
  #checkEquivocation({ ear, leaf }: PreparedRecord, where: FindingPlace): void {
    const last = this.#lastSigned;
    this.#lastSigned = { receipt: ear, leaf };
    if (last === null || last.receipt.seq_no !== ear.seq_no || equalBytes(last.leaf, leaf)) return;
    this.#collaborators.log.add('EQUIVOCATION', {
      where,
      expected: formatDigest(last.leaf),
      actual: formatDigest(leaf),
      message: 'The service signed two different receipts for the same sequence number.',
      evidence: [{ receipt: last.receipt }, { receipt: ear }],
    });
  }

  /** @returns whether the receipt's chain hash is the record's; its place in the chain is another matter */
  #checkChain({ eor, ear, chainHash }: PreparedRecord, where: FindingPlace): boolean {
    const { log } = this.#collaborators;
    const hashHolds = isDigestOf(ear.chain_hash, chainHash);
    if (!hashHolds) {
      log.add('CHAIN_HASH_MISMATCH', {
        where,
        expected: ear.chain_hash,
        actual: formatDigest(chainHash),
        message: 'The chain hash of the receipt does not follow from the record and its signature.',
      });
    }
    const chained = {
      agentId: eor.agent_id,
      seqNo: ear.seq_no,
      prevChainHash: eor.prev_chain_hash,
      chainHash: ear.chain_hash,
    };
    const broken = this.#collaborators.chains.take(chained, this.sequence.first);
    if (broken === null) return hashHolds;
    log.add(broken.code, {
      where,
      expected: broken.expected ?? 'null',
      actual: eor.prev_chain_hash ?? 'null',
      message:
        broken.code === 'CHAIN_FORK'
          ? 'Two records of the agent continue its chain from the same place.'
          : "The record does not continue the agent's chain where the record before it ended.",
    });
    return hashHolds;
  }
}
