import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { ProtocolError, parseJson, parseReceipt, type Receipt } from '../protocol/index.ts';
import { AgentError } from './errors.ts';

/**
 * The receipts an agent holds, one a line, in the order they came: what it can show when the service denies a record. Each
 * is on disk before submit() returns.
 */
export class ReceiptsFile {
  readonly #path: string;
  #file: number | null = null;
  /** The newest receipt of each agent, by organization and agent. */
  readonly #newest = new Map<string, Receipt>();
  /** A crash can have cut the last line short: then the next one begins on a line of its own. */
  #needsLineBreak = false;

  constructor(path: string) {
    this.#path = path;
    let text = '';
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
        throw new AgentError('RECEIPTS_UNUSABLE', `the receipts file ${path} cannot be read`, { cause: error });
      }
    }
    const lines = text.split('\n');
    this.#needsLineBreak = lines.at(-1) !== '';
    lines.forEach((line, index) => {
      if (line !== '') this.#remember(line, index, index === lines.length - 1);
    });
  }

  #remember(line: string, index: number, isLast: boolean): void {
    try {
      const receipt = parseReceipt(parseJson(line));
      this.#note(receipt);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      // A line that was cut short was never answered for; its record can be sent again and gets the same receipt.
      if (isLast) return;
      throw new AgentError('RECEIPTS_UNUSABLE', `line ${index + 1} of ${this.#path} is not a receipt`, {
        cause: error,
      });
    }
  }

  newest(orgId: string, agentId: string): Receipt | null {
    return this.#newest.get(`${orgId}\0${agentId}`) ?? null;
  }

  /** Adds a receipt and makes it durable. */
  append(receipt: Receipt): void {
    try {
      this.#file ??= openSync(this.#path, 'a', 0o600);
      writeSync(this.#file, `${this.#needsLineBreak ? '\n' : ''}${JSON.stringify(receipt)}\n`);
      fdatasyncSync(this.#file);
    } catch (error) {
      throw new AgentError('RECEIPTS_UNUSABLE', `the receipt could not be kept in ${this.#path}`, { cause: error });
    }
    this.#needsLineBreak = false;
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
