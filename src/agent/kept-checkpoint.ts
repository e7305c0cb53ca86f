import { existsSync, readFileSync } from 'node:fs';
import { writeDurablyNow } from '../node/light.ts';
import {
  checkpoints,
  equivocationProofs,
  formatDigest,
  type HostCrypto,
  hasCode,
  isMembers,
  judgeHead,
  type NamedKey,
  ProtocolError,
  type Receipt,
  receiptSignedBytes,
  type ServiceKey,
  type SignedStatement,
  serviceKeys,
  sha256,
  utf8,
} from '../protocol/light.ts';
import { AgentError } from './agent-error.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { ServiceClient } from './service-client.ts';

export interface KeptCheckpointOptions {
  readonly orgId: string;
  /** What the files of the checkpoint and of what contradicts it are called, without their endings; several agents may share them. */
  readonly path: string;
  /** Does not try again: the next answer makes up for an exchange that failed. */
  readonly client: ServiceClient;
  readonly issuer: IssuerKeys;
  readonly crypto: HostCrypto;
}

interface Kept {
  readonly text: string;
  readonly origin: string;
  readonly size: number;
  /** The digest of what is signed. */
  readonly digest: string;
}

/** What the service answers, by its form; nothing of it is known to be so. */
interface Said {
  readonly text: string;
  readonly serviceKeys: readonly ServiceKey[];
}

async function keptIn(text: string): Promise<Kept> {
  const { parseCheckpoint } = await checkpoints();
  const { origin, size, noteText } = parseCheckpoint(utf8(text));
  return { text, origin, size, digest: formatDigest(sha256(utf8(noteText))) };
}

async function saidIn(body: unknown): Promise<Said> {
  if (!isMembers(body) || typeof body['checkpoint'] !== 'string' || !Array.isArray(body['service_keys'])) {
    throw new AgentError('ANSWER_INVALID', "the service's answer is not a checkpoint");
  }
  const { parseServiceKey } = await serviceKeys();
  return { text: body['checkpoint'], serviceKeys: body['service_keys'].map(parseServiceKey) };
}

/**
 * The newest checkpoint of the service's log, kept next to the receipts. Each answer to a submission says how large the log is, and what
 * has grown has to continue what is kept (protocol F90). Two statements that contradict each other are kept as a proof, and nothing is
 * submitted as long as it is there.
 */
export class KeptCheckpoint {
  readonly #options: KeptCheckpointOptions;
  readonly #path: string;
  readonly #proofPath: string;
  #heard: number | null = null;
  /** The size that was looked at last. */
  #checked: number | null = null;

  constructor(options: KeptCheckpointOptions) {
    this.#options = options;
    this.#path = `${options.path}.checkpoint`;
    this.#proofPath = `${options.path}.fork.json`;
  }

  /** An answer says how many records are sealed. */
  heard(size: number): void {
    this.#heard = size;
  }

  /**
   * To be called before anything is submitted.
   * @throws AgentError HISTORY_LOST, HISTORY_FORKED where a proof is kept
   */
  refuseIfProven(): void {
    if (existsSync(this.#proofPath)) throw this.#proven(readFileSync(this.#proofPath, 'utf8'));
  }

  /**
   * Holds what the last answer said against what is kept; to be called once its receipts are.
   * @param newest the agent's newest receipt
   * @throws AgentError HISTORY_LOST, HISTORY_FORKED, ANSWER_INVALID, RECEIPTS_UNUSABLE
   */
  async check(newest: Receipt | null): Promise<void> {
    const size = this.#heard;
    if (size === null || size === 0 || size === this.#checked) return;
    const kept = await this.#read();
    if (size === kept?.size) return;
    await this.#exchange(kept, kept !== null && size < kept.size ? newest : null);
  }

  /** The service's ledger lacks this receipt: it is shown that, and has to say where its ledger ends. @throws AgentError as check */
  async lost(newest: Receipt): Promise<void> {
    await this.#exchange(await this.#read(), newest);
  }

  async #read(): Promise<Kept | null> {
    try {
      const kept = await keptIn(readFileSync(this.#path, 'utf8'));
      const { checkpointOrigin } = await checkpoints();
      // Of another organization whose receipts are kept in the same file.
      return kept.origin === checkpointOrigin(this.#options.orgId) ? kept : null;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw new AgentError('RECEIPTS_UNUSABLE', `${this.#path} is not a checkpoint that can be read`, { cause: error });
    }
  }

  /** @param newest a receipt, where the ledger seems to have become shorter */
  async #exchange(kept: Kept | null, newest: Receipt | null): Promise<void> {
    const said = await this.#ask(kept, newest);
    if (said === null) return;
    const { orgId, crypto } = this.#options;
    const keys = await this.#trusted(said.serviceKeys);
    const shown = newest === null ? null : { receipt: newest };
    const judgement = await judgeHead({ orgId, text: said.text, kept: kept?.text ?? null, shown, keys, crypto });
    if (judgement.kind === 'unsigned') {
      throw new AgentError('ANSWER_INVALID', 'the checkpoint in the answer is not signed by the service key');
    }
    if (judgement.kind === 'contradicts') await this.#prove(judgement.statements, said.serviceKeys);
    if (judgement.kind !== 'continues') {
      const what = `the service does not show that its log begins with the checkpoint ${this.#path}`;
      throw new AgentError('HISTORY_FORKED', what);
    }
    this.#checked = this.#heard;
    if (judgement.keep !== null) this.#write(this.#path, judgement.keep);
  }

  /** @returns null where there is no answer now, or none from a service that knows no such question */
  async #ask(kept: Kept | null, newest: Receipt | null): Promise<Said | null> {
    const asked = new URLSearchParams();
    if (kept !== null) asked.set('from', String(kept.size));
    if (newest !== null) {
      const isReceipt = newest.seq_no >= (kept?.size ?? 0);
      const ofReceipt = formatDigest(sha256(receiptSignedBytes(newest)));
      asked.set('seen_no', String(isReceipt ? newest.seq_no : kept?.size));
      asked.set('seen', isReceipt || kept === null ? ofReceipt : kept.digest);
    }
    try {
      return await saidIn(await this.#options.client.get(`/v1/ledger/exchange?${asked}`));
    } catch (error) {
      if (error instanceof ProtocolError) throw new AgentError('ANSWER_INVALID', error.message, { cause: error });
      if (error instanceof AgentError && error.code !== 'ANSWER_INVALID' && error.code !== 'SERVICE_UNKNOWN')
        return null;
      throw error;
    }
  }

  async #trusted(keys: readonly ServiceKey[]): Promise<NamedKey[]> {
    const trusted: NamedKey[] = [];
    for (const { kid } of keys) {
      try {
        trusted.push({ kid, publicKey: await this.#options.issuer.keyFor(kid) });
      } catch (error) {
        // Another one than the pinned key, or one that the service does not publish.
        if (!(error instanceof AgentError && error.code === 'RECEIPT_INVALID')) throw error;
      }
    }
    return trusted;
  }

  /** @throws AgentError where the two prove it; they are kept then */
  async #prove([a, b]: readonly [SignedStatement, SignedStatement], keys: readonly ServiceKey[]): Promise<void> {
    const { orgId, crypto } = this.#options;
    const { equivocationProofBytes, makeEquivocationProof, verifyEquivocationProof } = await equivocationProofs();
    const proof = makeEquivocationProof(a, b, orgId, keys);
    if ((await verifyEquivocationProof(proof, { crypto })).verdict === 'failed') return;
    const text = new TextDecoder().decode(equivocationProofBytes(proof));
    this.#write(this.#proofPath, text);
    throw this.#proven(text);
  }

  #proven(proof: string): AgentError {
    const restored = /\\nrestored ([^\\]+)\\n/.exec(proof)?.[1];
    const isSetBack = proof.includes(`"kind":"set_back"`);
    const what = isSetBack
      ? "the service's ledger ends before what it signed"
      : 'the service signed two pasts of its log';
    const said = restored === undefined ? '' : `; it says that it was restored or set back at ${restored}`;
    const next = `nothing is submitted while the proof is there: ${this.#proofPath}`;
    return new AgentError(isSetBack ? 'HISTORY_LOST' : 'HISTORY_FORKED', `${what}${said}; ${next}`);
  }

  #write(path: string, text: string): void {
    try {
      writeDurablyNow(path, text);
    } catch (error) {
      throw new AgentError('RECEIPTS_UNUSABLE', `${path} could not be written`, { cause: error });
    }
  }
}
