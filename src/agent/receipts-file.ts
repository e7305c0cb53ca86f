import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { ProtocolError, parseJson, parseReceipt, type Receipt } from '../protocol/index.ts';
import { AgentError } from './errors.ts';

/** How every line begins: by this the rest of one that a crash cut short is told from a text of somebody else's. */
const LINE_START = '{"receipt_id":';

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
  /** The last line is whole but for its end: the next one begins on a line of its own. */
  #needsLineBreak = false;
  /** A crash cut the last line short: it goes before the next one is written, if nobody wrote since. */
  #cutLine: { readonly from: number; readonly to: number } | null = null;

  constructor(path: string) {
    this.#path = path;
    let bytes = Buffer.alloc(0);
    try {
      bytes = readFileSync(path);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
        throw new AgentError('RECEIPTS_UNUSABLE', `the receipts file ${path} cannot be read`, { cause: error });
      }
    }
    const lines = bytes.toString('utf8').split('\n');
    const last = lines.pop() ?? '';
    lines.forEach((line, index) => {
      if (line !== '' && !this.#remember(line)) throw this.#damaged(index + 1);
    });
    if (last === '') return;
    if (this.#remember(last)) this.#needsLineBreak = true;
    // A line that was cut short was never answered for; its record can be sent again and gets the same receipt.
    else if (last.startsWith(LINE_START) || LINE_START.startsWith(last))
      this.#cutLine = { from: bytes.lastIndexOf(0x0a) + 1, to: bytes.length };
    else throw this.#damaged(lines.length + 1);
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

  /** Adds a receipt and makes it durable. */
  append(receipt: Receipt): void {
    try {
      this.#file ??= openSync(this.#path, 'a', 0o600);
      // A crash between the two leaves the lines before the cut one, all of them whole.
      if (this.#cutLine?.to === fstatSync(this.#file).size) ftruncateSync(this.#file, this.#cutLine.from);
      writeSync(this.#file, (this.#needsLineBreak ? '\n' : '') + lineOf(receipt));
      fdatasyncSync(this.#file);
    } catch (error) {
      throw new AgentError('RECEIPTS_UNUSABLE', `the receipt could not be kept in ${this.#path}`, { cause: error });
    }
    this.#needsLineBreak = false;
    this.#cutLine = null;
    this.#note(receipt);
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
