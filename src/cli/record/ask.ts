import { createInterface } from 'node:readline/promises';
import { UsageError } from '../command.ts';
import { Interrupted } from '../interruptible.ts';

/** The longest token there is has a fraction of it. */
const MAX_TOKEN_BYTES = 4096;

/**
 * Asks somebody at a terminal. Only an answer that begins with y is a yes; the end of the input is a no.
 * @throws UsageError where nobody is there to ask; Interrupted at Ctrl-C
 */
export async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError(`${question} There is no terminal to ask on: --yes agrees without being asked`);
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y/i.test((await dialog.question(`${question} [y/N] `)).trim());
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    process.stderr.write('\n');
    if (error.message.includes('Ctrl+C')) throw new Interrupted('interrupted; the question was not answered');
    return false;
  } finally {
    dialog.close();
  }
}

/**
 * A token: `-` is read from standard input. A token on the command line is visible to everyone on the machine who lists processes.
 * @returns null where none was given
 * @throws UsageError
 */
export async function givenToken(option: string | undefined): Promise<string | null> {
  const token = option === '-' ? await firstLineOfInput() : (option ?? process.env['COUNTERSIGN_TOKEN']);
  if (token === undefined || token === '') return null;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UsageError('--token: has characters that no token has; copy the token again');
  return token;
}

async function firstLineOfInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_TOKEN_BYTES) throw new UsageError('standard input holds more than a token');
  }
  return text.split('\n')[0]?.trim() ?? '';
}
