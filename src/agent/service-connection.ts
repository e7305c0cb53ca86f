import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { nodeCrypto } from '../node/light.ts';
import {
  fromBase64Url,
  type HostCrypto,
  ProtocolError,
  parseReceipt,
  type Receipt,
  StrictVerifier,
  serviceChallengeSignedBytes,
} from '../protocol/light.ts';
import { AgentError } from './agent-error.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { KeptCheckpoint, type KeptCheckpointOptions } from './kept-checkpoint.ts';
import { ServiceClient } from './service-client.ts';

/** How long a service that answers is taken for the one that showed its key, in milliseconds. */
const PROVEN_MS = 5000;

/**
 * Where a service can show that it is the one: over plain HTTP at an IP address. Whoever listens under a name may pass the
 * question on to the service; with TLS the certificate says who it is.
 */
function canProve(serviceUrl: string): boolean {
  const { protocol, hostname } = new URL(serviceUrl);
  return protocol === 'http:' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/**
 * Has the service show the pinned key before a token goes to it. While the service is stopped, any program of the machine can
 * listen at its port, and would be sent the token. The question names the address, so that the answer of the service
 * elsewhere does not fit.
 */
class ServiceIdentity {
  readonly #client: ServiceClient;
  readonly #issuer: IssuerKeys;
  readonly #address: string;
  readonly #kid: string;
  readonly #verifier = new StrictVerifier(nodeCrypto);
  #provenAt = Number.NEGATIVE_INFINITY;

  /** @param client without a token, which does not try again */
  constructor(client: ServiceClient, issuer: IssuerKeys, { serviceUrl, kid }: { serviceUrl: string; kid: string }) {
    this.#client = client;
    this.#issuer = issuer;
    this.#address = new URL(serviceUrl).origin;
    this.#kid = kid;
  }

  /** The service answered: it is still the one that showed its key. */
  answered(): void {
    if (this.#isProven()) this.#provenAt = performance.now();
  }

  /** The service did not answer: who does next may be another one. */
  failed(): void {
    this.#provenAt = Number.NEGATIVE_INFINITY;
  }

  #isProven(): boolean {
    return performance.now() - this.#provenAt < PROVEN_MS;
  }

  /** @throws AgentError SERVICE_UNKNOWN where it is not the service with the pinned key, SERVICE_UNAVAILABLE */
  async prove(): Promise<void> {
    if (this.#isProven()) return;
    const challenge = { address: this.#address, nonce: randomBytes(32).toString('base64url'), service_kid: this.#kid };
    const { address, nonce } = challenge;
    try {
      const body = await this.#client.post('/v1/service/challenge', { address, nonce });
      const text = typeof body === 'object' && body !== null && 'signature' in body ? body.signature : undefined;
      const signature = fromBase64Url(typeof text === 'string' ? text : '', 64);
      const publicKey = await this.#issuer.keyFor(this.#kid);
      const message = serviceChallengeSignedBytes(challenge);
      const valid = await this.#verifier.holds({ publicKey, message, signature });
      if (!valid) throw this.#unknown('its signature does not verify');
    } catch (error) {
      if (error instanceof ProtocolError) throw this.#unknown('it does not answer as the service does');
      if (!(error instanceof AgentError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
      throw error.code === 'SERVICE_UNKNOWN' ? error : this.#unknown(error.message);
    }
    this.#provenAt = performance.now();
  }

  #unknown(why: string): AgentError {
    const what = `what answers at ${this.#address} has not shown the service key ${this.#kid}`;
    return new AgentError('SERVICE_UNKNOWN', `${what}, the token was not sent: ${why}`);
  }
}

export interface ServiceOptions {
  /**
   * Such as http://127.0.0.1:8787. Where several nodes keep one ledger, all of their addresses with commas between: the active one is looked
   * for among them, and nowhere else.
   */
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

interface ConnectionOptions extends ServiceOptions {
  /** Whose log is followed, and where what is kept of it lies. */
  readonly keep?: Pick<KeptCheckpointOptions, 'orgId' | 'path'>;
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
    : serviceUrl.replace(/(?<=^|[,\s])http:\/\/localhost(?=[:/,\s]|$)/gi, 'http://127.0.0.1');
}

/** A service, as one agent sees it: who it has to be, where the agent's chain ends, and whether a receipt is its own. */
export class ServiceConnection {
  /** Sends the token to the service, once it has shown the pinned key. */
  readonly client: ServiceClient;
  /** What is kept of the ledger; null where nothing is. */
  readonly kept: KeptCheckpoint | null;
  readonly #issuer: IssuerKeys;

  /** @param crypto what signatures are checked with */
  constructor(
    { serviceKid: kid, token, proveService, retryForMs, keep, serviceUrl: given }: ConnectionOptions,
    crypto: HostCrypto = nodeCrypto,
  ) {
    const serviceUrl = plainAddress({ serviceUrl: given, ...(kid === undefined ? {} : { serviceKid: kid }) });
    const anonymous = { serviceUrl, ...(retryForMs === undefined ? {} : { retryForMs }) };
    // Keys are public: a token has no business there.
    this.#issuer = new IssuerKeys(new ServiceClient(anonymous), kid, crypto);
    const identities = new Map<string, ServiceIdentity>();
    const identity = (url: string): ServiceIdentity | undefined => {
      if (kid === undefined || proveService === false || !canProve(url)) return undefined;
      const known = identities.get(url);
      if (known !== undefined) return known;
      const made = new ServiceIdentity(new ServiceClient({ serviceUrl: url, retryForMs: 0 }), this.#issuer, {
        serviceUrl: url,
        kid,
      });
      identities.set(url, made);
      return made;
    };
    const own = { token, identity };
    const once = new ServiceClient({ serviceUrl, retryForMs: 0, ...own });
    this.kept = keep === undefined ? null : new KeptCheckpoint({ ...keep, client: once, issuer: this.#issuer, crypto });
    this.client = new ServiceClient({ ...anonymous, ...own, heard: (size) => this.kept?.heard(size) });
  }

  /**
   * Where the agent's chain ends, by the service. It may have gone on without this process, but it cannot have become
   * shorter than a receipt in hand says.
   * @param newest the newest receipt that the agent holds
   * @throws AgentError HISTORY_LOST, HISTORY_FORKED, ANSWER_INVALID, or the service's code where it refused
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
      await this.kept?.lost(newest);
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
