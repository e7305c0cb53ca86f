import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { hasCode, ProtocolError, parseJson, parseReceipt, type Receipt } from '../protocol/light.ts';
import { AgentError } from './agent-error.ts';

/** How every line begins: by this the rest of one that a crash cut short is told from a text of somebody else's. */
const LINE_START = '{"receipt_id":';

const flush = promisify(fdatasync);

function lineOf({ receipt_id, ...members }: Receipt): string {
  return `${JSON.stringify({ receipt_id, ...members })}\n`;
}

/**
 * The receipts an agent holds, one a line, in the order they came: what it can show when the service denies a record. Each
 * is on disk before submit() returns.
 */
export class ReceiptsFile {
  readonly #path: string;
  #file: number | null = null;
  /** The newest receipt of each agent, by organization and agent. */
  readonly #newest = new Map<string, Receipt>();
  /** The last line is whole but for its end: the next one begins on a new line. */
  #needsLineBreak = false;
  /** A crash cut the last line short: it goes before the next one is written, if nobody wrote since. */
  #cutLine: { readonly from: number; readonly to: number } | null = null;

  /**
   * @param lastBytes how much is read of a long file, from its end: enough where it is one agent's and only its newest receipt counts
   * @throws AgentError RECEIPTS_UNUSABLE
   */
  constructor(path: string, lastBytes = Number.POSITIVE_INFINITY) {
    this.#path = path;
    const { bytes, from } = this.#readEnd(lastBytes);
    const lines = bytes.toString('utf8').split('\n');
    // What was read begins within a line, mostly.
    if (from > 0 && lines.length > 1) lines.shift();
    const last = lines.pop() ?? '';
    lines.forEach((line, index) => {
      if (line !== '' && !this.#remember(line)) throw this.#damaged(index + 1);
    });
    if (last === '') return;
    if (this.#remember(last)) this.#needsLineBreak = true;
    // A line that was cut short was never answered for; its record can be sent again and gets the same receipt.
    else if (last.startsWith(LINE_START) || LINE_START.startsWith(last))
      this.#cutLine = { from: from + bytes.lastIndexOf(0x0a) + 1, to: from + bytes.length };
    else throw this.#damaged(lines.length + 1);
  }

  #readEnd(lastBytes: number): { readonly bytes: Buffer; readonly from: number } {
    let file: number | null = null;
    try {
      file = openSync(this.#path, 'r');
      const { size } = fstatSync(file);
      const from = Math.max(0, size - lastBytes);
      const bytes = Buffer.alloc(size - from);
      return { bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from)), from };
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return { bytes: Buffer.alloc(0), from: 0 };
      throw new AgentError('RECEIPTS_UNUSABLE', `the receipts file ${this.#path} cannot be read`, { cause: error });
    } finally {
      if (file !== null) closeSync(file);
    }
  }

  #damaged(line: number): AgentError {
    return new AgentError('RECEIPTS_UNUSABLE', `line ${line} of ${this.#path} is not a receipt`);
  }

  /** @returns false where the line is not a receipt */
  #remember(line: string): boolean {
    try {
      this.#note(parseReceipt(parseJson(line)));
      return true;
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return false;
    }
  }

  newest(orgId: string, agentId: string): Receipt | null {
    return this.#newest.get(`${orgId}\0${agentId}`) ?? null;
  }

  /** Adds a receipt and makes it durable. @throws AgentError RECEIPTS_UNUSABLE */
  append(receipt: Receipt): void {
    try {
      fdatasyncSync(this.#add([receipt]));
    } catch (error) {
      throw this.#notKept(1, error);
    }
    this.#added([receipt]);
  }

  /**
   * Adds receipts and makes them durable, at once for all of them, while other things go on. The next ones may be added once it has
   * settled.
   * @throws AgentError RECEIPTS_UNUSABLE
   */
  async appendAll(receipts: readonly Receipt[]): Promise<void> {
    if (receipts.length === 0) return;
    try {
      await flush(this.#add(receipts));
    } catch (error) {
      throw this.#notKept(receipts.length, error);
    }
    this.#added(receipts);
  }

  /** @returns the file, which is to be flushed */
  #add(receipts: readonly Receipt[]): number {
    this.#file ??= openSync(this.#path, 'a', 0o600);
    // A crash between the two leaves the lines before the cut one, all of them whole.
    if (this.#cutLine?.to === fstatSync(this.#file).size) ftruncateSync(this.#file, this.#cutLine.from);
    this.#write(this.#file, (this.#needsLineBreak ? '\n' : '') + receipts.map(lineOf).join(''));
    return this.#file;
  }

  #added(receipts: readonly Receipt[]): void {
    this.#needsLineBreak = false;
    this.#cutLine = null;
    for (const receipt of receipts) this.#note(receipt);
  }

  #notKept(count: number, cause: unknown): AgentError {
    const which = count === 1 ? 'the receipt' : `${count} receipts`;
    return new AgentError('RECEIPTS_UNUSABLE', `${which} could not be kept in ${this.#path}`, { cause });
  }

  /** What a full disk cut short goes before the next line is written. */
  #write(file: number, text: string): void {
    const from = fstatSync(file).size;
    try {
      writeFileSync(file, text);
    } catch (error) {
      const to = fstatSync(file).size;
      if (to > from) this.#cutLine = { from, to };
      throw error;
    }
  }

  #note(receipt: Receipt): void {
    const name = `${receipt.org_id}\0${receipt.agent_id}`;
    if (receipt.seq_no > (this.#newest.get(name)?.seq_no ?? 0)) this.#newest.set(name, receipt);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
