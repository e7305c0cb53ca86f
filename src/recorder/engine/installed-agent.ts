import type { AgentFile } from '../base/agent-file.ts';
import type { Spool } from '../spool/spool.ts';
import { ChainSigner } from './chain-signer.ts';
import type { Joining, Pipeline } from './pipeline.ts';
import { Sender } from './sender.ts';
import type { SignatureChecks } from './signature-checks.ts';

/** What of an agent's file the signing and the sending depend on. */
const OF_KEY_AND_SERVICE = ['kid', 'private_key', 'service_url', 'service_kid', 'token'] as const;

/** What an agent works with. */
export interface AgentParts<Prepared> {
  readonly spool: Spool;
  readonly pipeline: Pipeline<Prepared>;
  readonly checks: SignatureChecks;
  readonly receiptsFile: string;
}

/** An agent whose actions this recorder records: its policy, its key, its open calls and what sends its records. */
export class InstalledAgent<Prepared> {
  /** Its number in the spool. */
  readonly id: number;
  readonly #spool: Spool;
  readonly #pipeline: Pipeline<Prepared>;
  readonly #checks: SignatureChecks;
  readonly #receiptsFile: string;
  #file: AgentFile;
  #signer: ChainSigner;
  #sender: Sender;
  #joining: Joining<Prepared> | null = null;

  /** @throws AgentError KEY_INVALID */
  constructor(file: AgentFile, { spool, pipeline, checks, receiptsFile }: AgentParts<Prepared>) {
    this.#file = file;
    this.#spool = spool;
    this.#pipeline = pipeline;
    this.#checks = checks;
    this.#receiptsFile = receiptsFile;
    this.#signer = new ChainSigner(file);
    this.id = spool.chains.open(file).id;
    this.#sender = this.#newSender();
    this.#sender.wake();
  }

  get file(): AgentFile {
    return this.#file;
  }

  get signer(): ChainSigner {
    return this.#signer;
  }

  get sender(): Sender {
    return this.#sender;
  }

  /**
   * From now on its file says this: another policy, or another key or token.
   * @throws AgentError KEY_INVALID
   */
  use(file: AgentFile): void {
    const before = this.#file;
    const signer = new ChainSigner(file);
    this.#file = file;
    this.forgetJoining();
    if (OF_KEY_AND_SERVICE.every((member) => before[member] === file[member])) return;
    this.#signer = signer;
    const replaced = this.#sender;
    const sender = this.#newSender();
    this.#sender = sender;
    // Two of them at once would keep every receipt twice.
    void replaced.close().then(() => sender.wake());
  }

  get joining(): Joining<Prepared> {
    if (this.#joining === null) {
      this.#joining = this.#pipeline.joining(this.#file);
      this.#joining.load(this.#spool.open.of(this.id));
    }
    return this.#joining;
  }

  /** What it has in memory was not kept: it is read from the spool when it is needed again. */
  forgetJoining(): void {
    this.#joining = null;
  }

  #newSender(): Sender {
    const [spool, signer, checks, receiptsFile] = [this.#spool, this.#signer, this.#checks, this.#receiptsFile];
    return new Sender({ agent: this.#file, id: this.id, spool, signer, checks, receiptsFile });
  }
}
