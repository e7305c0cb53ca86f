import { nodeCrypto } from '../node/light.ts';
import { type HostCrypto, ProtocolError, parseReceipt, type Receipt } from '../protocol/light.ts';
import { AgentError } from './agent-error.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { ServiceClient } from './service-client.ts';
import { canProve, ServiceIdentity } from './service-identity.ts';

export interface ServiceOptions {
  /** Such as http://127.0.0.1:8787 */
  readonly serviceUrl: string;
  /** An API token that submits for the agent, or any token of a user with the role integration_engineer or a higher one. */
  readonly token: string;
  /**
   * The service key's kid, where it is known: receipts signed by any other key are refused, and over plain HTTP to an IP
   * address, or localhost, the service must show that key before it is sent the token.
   */
  readonly serviceKid?: string;
  /**
   * False where a proxy stands between, which the service does not know as its `--public-url`: then the service is not asked to show
   * the pinned key before it is sent the token.
   */
  readonly proveService?: boolean;
  /** How long to go on trying while the service is away, in milliseconds; 60,000 by default. */
  readonly retryForMs?: number;
}

/** Where an agent's chain ends; null and 0 for an agent without records. */
export interface ChainHead {
  readonly chainHash: string | null;
  readonly seqNo: number;
}

/** The record that a receipt has to be for. */
export interface SentRecord {
  readonly orgId: string;
  readonly agentId: string;
  readonly operationId: string;
  readonly chainHash: string;
}

/**
 * With a pinned key localhost is 127.0.0.1: the name may lead to other addresses of this machine as well, where other programs
 * can listen.
 */
function plainAddress({ serviceUrl, serviceKid }: Pick<ServiceOptions, 'serviceUrl' | 'serviceKid'>): string {
  return serviceKid === undefined
    ? serviceUrl
    : serviceUrl.replace(/^http:\/\/localhost(?=[:/]|$)/i, 'http://127.0.0.1');
}

/** A service, as one agent sees it: who it has to be, where the agent's chain ends, and whether a receipt is its own. */
export class ServiceConnection {
  /** Sends the token to the service, once it has shown the pinned key. */
  readonly client: ServiceClient;
  readonly #issuer: IssuerKeys;

  /** @param crypto what signatures are checked with */
  constructor(
    { serviceKid: kid, token, proveService, retryForMs, serviceUrl: given }: ServiceOptions,
    crypto: HostCrypto = nodeCrypto,
  ) {
    const serviceUrl = plainAddress({ serviceUrl: given, ...(kid === undefined ? {} : { serviceKid: kid }) });
    const anonymous = { serviceUrl, ...(retryForMs === undefined ? {} : { retryForMs }) };
    // Keys are public: a token has no business there.
    this.#issuer = new IssuerKeys(new ServiceClient(anonymous), kid, crypto);
    const identity =
      kid !== undefined && proveService !== false && canProve(serviceUrl)
        ? new ServiceIdentity(new ServiceClient({ serviceUrl, retryForMs: 0 }), this.#issuer, { serviceUrl, kid })
        : undefined;
    this.client = new ServiceClient({ ...anonymous, token, ...(identity && { identity }) });
  }

  /**
   * Where the agent's chain ends, by the service. It may have gone on without this process, but it cannot have become
   * shorter than a receipt in hand says.
   * @param newest the newest receipt that the agent holds
   * @throws AgentError HISTORY_LOST, ANSWER_INVALID, or the service's code where it refused
   */
  async readHead(agentId: string, newest: Receipt | null): Promise<ChainHead> {
    const body = await this.client.get(`/v1/agents/${encodeURIComponent(agentId)}/head`);
    if (typeof body !== 'object' || body === null || !('chain_hash' in body) || !('seq_no' in body)) {
      throw new AgentError('ANSWER_INVALID', "the service's answer is not a chain head");
    }
    const head: ChainHead = {
      chainHash: typeof body.chain_hash === 'string' ? body.chain_hash : null,
      seqNo: typeof body.seq_no === 'number' ? body.seq_no : 0,
    };
    if (
      newest &&
      (head.seqNo < newest.seq_no || (head.seqNo === newest.seq_no && head.chainHash !== newest.chain_hash))
    ) {
      throw new AgentError(
        'HISTORY_LOST',
        `the service gave a receipt for sequence number ${newest.seq_no}, but its ledger of this agent ends at ${head.seqNo}`,
      );
    }
    return head;
  }

  /**
   * The receipt in an answer, checked: for the record that was sent, and signed with the service's key.
   * @throws AgentError ANSWER_INVALID, RECEIPT_INVALID
   */
  async checkReceipt(body: unknown, sent: SentRecord): Promise<Receipt> {
    const receipt = this.readReceipt(body, sent);
    await this.checkSignatures([receipt]);
    return receipt;
  }

  /**
   * The receipt in an answer, for the record that was sent; its signature is not checked.
   * @throws AgentError ANSWER_INVALID, RECEIPT_INVALID
   */
  readReceipt(body: unknown, { orgId, agentId, operationId, chainHash }: SentRecord): Receipt {
    let receipt: Receipt;
    try {
      receipt = parseReceipt(body);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      throw new AgentError('ANSWER_INVALID', `the service's answer is not a receipt: ${error.message}`);
    }
    if (
      receipt.operation_id !== operationId ||
      receipt.org_id !== orgId ||
      receipt.agent_id !== agentId ||
      receipt.chain_hash !== chainHash
    ) {
      throw new AgentError('RECEIPT_INVALID', 'the receipt is not for the record that was sent');
    }
    return receipt;
  }

  /** Whether all receipts are signed with the service's key. @throws AgentError RECEIPT_INVALID */
  async checkSignatures(receipts: readonly Receipt[]): Promise<void> {
    await this.#issuer.check(receipts);
  }
}
