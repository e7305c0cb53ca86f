import { randomUUID } from 'node:crypto';
import { ERROR_STATUS } from '../api/errors/index.ts';
import { Serial } from '../node/light.ts';
import {
  type Disclosures,
  type OperationRecord,
  ProtocolError,
  parseLeftDisclosures,
  parseStoredRecord,
  type Receipt,
} from '../protocol/light.ts';
import type { Capture } from './actions/contents.ts';
import type { Moment, Sink } from './actions/moments.ts';
import { operationOf } from './actions/operations.ts';
import { Session } from './actions/session.ts';
import type { Question, SessionOptions } from './actions/session-options.ts';
import { AgentError } from './agent-error.ts';
import { type CheckedDecision, checkDecision } from './decision.ts';
import { ReceiptsFile } from './receipts-file.ts';
import { type Operation, RecordSigner, type SignedRecord, type SignerOptions } from './record-signer.ts';
import { type ChainHead, ServiceConnection, type ServiceOptions } from './service-connection.ts';
import { type WaitOptions, whenDecided } from './wait-for-decision.ts';

/** Moments become operations that the agent signs itself and has countersigned. */
class AgentSink implements Sink {
  readonly agent: string;
  readonly local = false;
  readonly #submit: (operation: Operation) => Promise<unknown>;
  readonly #capture: Capture;

  constructor(agent: string, submit: (operation: Operation) => Promise<unknown>, capture: Capture) {
    this.agent = agent;
    this.#submit = submit;
    this.#capture = capture;
  }

  async take(moment: Moment): Promise<void> {
    await this.#submit(operationOf(moment, this.#capture));
  }
}

export interface AgentOptions extends SignerOptions, ServiceOptions {
  /** Where receipts are kept, one a line; without it they are only returned. */
  readonly receiptsFile?: string;
}

/** What the service answers for a stored operation, as far as it is looked at; none of it is known to be so. */
interface StoredBody {
  readonly eor?: unknown;
  readonly ear?: unknown;
  readonly disclosures?: unknown;
}

/** Of how many operations without an answer the signed forms are kept. */
const MAX_UNANSWERED = 100;

/** How often one operation is signed again because the chain had moved on, or its time had passed, before giving up. */
const MAX_SIGNINGS = 8;

/**
 * An agent that has its operations countersigned: signs each, links it to the one before, sends it until there is an
 * answer, and keeps the receipt. Operations are submitted one after the other, in the order of the calls.
 *
 * @example
 * const agent = new Agent({ serviceUrl, token, orgId, agentId, kid, privateKey, receiptsFile: 'receipts.jsonl' });
 * await agent.submit({ operationType: 'invoice.create', subject: 'invoice/7', action: 'create', payload: { total: 12.5 } });
 */
export class Agent {
  readonly #options: AgentOptions;
  readonly #service: ServiceConnection;
  readonly #receipts: ReceiptsFile | null;
  readonly #signer: RecordSigner;
  readonly #unanswered = new Map<string, readonly SignedRecord[]>();
  #head: ChainHead | null = null;
  readonly #submissions = new Serial();

  /** @throws AgentError KEY_INVALID, RECEIPTS_UNUSABLE */
  constructor(options: AgentOptions) {
    this.#options = options;
    const { orgId, receiptsFile } = options;
    const keep = receiptsFile === undefined ? {} : { keep: { orgId, path: receiptsFile } };
    this.#service = new ServiceConnection({ ...options, ...keep });
    this.#signer = new RecordSigner(options);
    this.#receipts = options.receiptsFile === undefined ? null : new ReceiptsFile(options.receiptsFile);
  }

  /**
   * Has an operation countersigned.
   * @returns the receipt: checked, and on disk where a receipts file was given
   * @throws AgentError with the service's code where it refused, or with one of this library
   * @throws ProtocolError NOT_CANONICAL, SHAPE_INVALID for an operation that has no valid form
   */
  submit(operation: Operation): Promise<Receipt> {
    // One failed operation does not keep the next one from being tried.
    return this.#submissions.run(() => this.#submit(operation));
  }

  /**
   * A session that records what this agent does, each record signed by it and countersigned.
   * @param options `capture`: what of inputs and outputs goes into the records
   */
  session(options: SessionOptions & { readonly capture?: Capture } = {}): Session {
    const { orgId, agentId } = this.#options;
    const submit = (operation: Operation): Promise<Receipt> => this.submit(operation);
    return new Session(new AgentSink(`${orgId}/${agentId}`, submit, options.capture ?? 'full'), options);
  }

  /**
   * Waits until a person has decided on a question that this agent asked (`session.ask`), and checks the decision: the person's
   * signature, the receipt, and that exactly what was asked is approved. Give the question to `session.call` then, and the decision's
   * `operationId` as its `cause`.
   * @returns the decision, which permits the action
   * @throws AgentError DECISION_TIMED_OUT, DECISION_UNPROVEN, QUESTION_CLOSED, ANSWER_INVALID, SERVICE_UNAVAILABLE, or the service's code
   * @throws DecisionError DECISION_REFUSED, DECIDED_ON_OTHER_THAN_ASKED
   */
  async waitForDecision(question: Question, options: WaitOptions = {}): Promise<CheckedDecision> {
    const { orgId, agentId } = this.#options;
    const path = `/v1/agents/${encodeURIComponent(agentId)}/decisions/${encodeURIComponent(question.operationId)}`;
    const answer = await whenDecided(question, options, (signal) => this.#service.client.get(path, signal));
    const checkReceipt = (receipt: Receipt): Promise<void> => this.#service.checkSignatures([receipt]);
    return checkDecision(answer, question, { orgId, agentId, deciders: options.deciders, checkReceipt });
  }

  async #submit(operation: Operation): Promise<Receipt> {
    this.#service.kept?.refuseIfProven();
    const operationId = operation.operationId ?? randomUUID();
    const earlier = [...(this.#unanswered.get(operationId) ?? [])];
    for (let signings = 1; ; signings++) {
      this.#head ??= await this.#readHead();
      const signed = this.#signer.sign({ ...operation, operationId, prevChainHash: this.#head.chainHash });
      const sentAt = performance.now();
      try {
        return await this.#send(signed);
      } catch (error) {
        if (!(error instanceof AgentError)) throw error;
        if (error.code === 'SERVICE_UNAVAILABLE') this.#remember(operationId, [...earlier, signed]);
        if (error.code === 'REPLAY_DETECTED') return this.#recover(operation, operationId, earlier, error);
        // A record that was refused left no trace: the operation may be signed again under its own id.
        const outdated = error.code === 'TTL_EXPIRED' && performance.now() - sentAt > this.#signer.ttlMs / 2;
        if ((error.code !== 'PREV_HASH_MISMATCH' && !outdated) || signings >= MAX_SIGNINGS) throw error;
        this.#head = null;
        earlier.push(signed);
      }
    }
  }

  /** What went without an answer may have been accepted: whoever asks again by its id shall have its receipt. */
  #remember(operationId: string, forms: readonly SignedRecord[]): void {
    const [oldest] = this.#unanswered.keys();
    if (oldest !== undefined && this.#unanswered.size >= MAX_UNANSWERED) this.#unanswered.delete(oldest);
    this.#unanswered.set(operationId, forms.slice(-MAX_SIGNINGS));
  }

  async #send({ record, chainHash }: SignedRecord): Promise<Receipt> {
    return this.#keep(await this.#service.client.post('/v1/operations', record), record.operation_id, chainHash);
  }

  #readHead(): Promise<ChainHead> {
    const { orgId, agentId } = this.#options;
    return this.#service.readHead(agentId, this.#receipts?.newest(orgId, agentId) ?? null);
  }

  /** Checks a receipt and keeps it; from then on it is the head of the chain. */
  async #keep(body: unknown, operationId: string, chainHash: string): Promise<Receipt> {
    const { orgId, agentId } = this.#options;
    const receipt = await this.#service.checkReceipt(body, { orgId, agentId, operationId, chainHash });
    this.#receipts?.append(receipt);
    this.#unanswered.delete(operationId);
    this.#head = { chainHash: receipt.chain_hash, seqNo: receipt.seq_no };
    await this.#service.kept?.check(this.#receipts?.newest(orgId, agentId) ?? null);
    return receipt;
  }

  /**
   * The operation_id was used. Where that was this very operation, accepted in an earlier form whose answer was lost, or
   * before this process crashed, its receipt is fetched; otherwise the refusal stands.
   */
  async #recover(
    operation: Operation,
    operationId: string,
    earlier: readonly SignedRecord[],
    refusal: AgentError,
  ): Promise<Receipt> {
    let body: unknown;
    try {
      body = await this.#service.client.get(`/v1/operations/${operationId}`);
    } catch (error) {
      // A token that only submits reads no operations.
      if (!(error instanceof AgentError && error.code === 'FORBIDDEN')) throw error;
      return this.#sendAgain(earlier, refusal);
    }
    const stored = typeof body === 'object' && body !== null ? (body as StoredBody) : {};
    let record: OperationRecord;
    let disclosures: Disclosures;
    try {
      record = parseStoredRecord(stored.eor);
      disclosures = parseLeftDisclosures(stored.disclosures ?? {});
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      throw new AgentError('ANSWER_INVALID', `the service's answer is not an operation: ${error.message}`);
    }
    const hash = this.#signer.recognise(record, disclosures, operation);
    if (hash === null) throw refusal;
    return this.#keep(stored.ear, operationId, hash);
  }

  /** The service answers the very record that it accepted with its receipt, and any other form of it with a refusal. */
  async #sendAgain(earlier: readonly SignedRecord[], refusal: AgentError): Promise<Receipt> {
    for (const signed of earlier) {
      try {
        return await this.#send(signed);
      } catch (error) {
        if (!(error instanceof AgentError && error.code in ERROR_STATUS)) throw error;
      }
    }
    throw refusal;
  }

  /** Waits for what was submitted and closes the receipts file. */
  async close(): Promise<void> {
    await this.#submissions.idle();
    this.#receipts?.close();
  }
}
