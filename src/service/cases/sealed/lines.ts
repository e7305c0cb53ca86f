import { createReadStream } from 'node:fs';
import { type Json, ProtocolError, parseJsonBytes } from '../../../protocol/index.ts';
import { CaseFileRefused } from './case-file-error.ts';

/** A note has 10,000 characters, and an entry of the log holds one: no line of ours is longer, in bytes. */
const MAX_LINE_BYTES = 512 * 1024;

/** One line of JSON, counted from 1. */
export interface JsonLine {
  readonly line: number;
  readonly value: Json;
}

/**
 * The lines of a file of JSON, one at a time.
 * @param name of the entry, for messages
 * @throws CaseFileRefused LINE_INVALID, TOO_MANY_ENTRIES
 */
export async function* jsonLines(path: string, name: string, most: number): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const bytes of rawLines(path, name)) {
    line += 1;
    if (line > most) throw tooMany(name, most);
    try {
      yield { line, value: parseJsonBytes(bytes) as Json };
    } catch (error) {
      if (error instanceof ProtocolError) throw lineInvalid(name, line, error.message);
      throw error;
    }
  }
}

export function tooMany(file: string, most: number): CaseFileRefused {
  return new CaseFileRefused({ code: 'TOO_MANY_ENTRIES', file, message: `${file} has more than ${most} lines` });
}

export function lineInvalid(file: string, line: number, what: string): CaseFileRefused {
  return new CaseFileRefused({ code: 'LINE_INVALID', file, line, message: `${file}, line ${line}: ${what}` });
}

async function* rawLines(path: string, name: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let held = 0;
  let line = 1;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let at = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      yield Buffer.concat([...begun, chunk.subarray(at, end)]);
      [begun, held, at] = [[], 0, end + 1];
      line += 1;
    }
    begun.push(chunk.subarray(at));
    held += chunk.length - at;
    if (held > MAX_LINE_BYTES) throw lineInvalid(name, line, 'is longer than any line can be');
  }
  if (held > 0) throw lineInvalid(name, line, 'does not end');
}
