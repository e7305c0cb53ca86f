import { createInterface } from 'node:readline/promises';
import { UsageError } from '../command.ts';

/** The longest token there is has a fraction of it. */
const MAX_TOKEN_BYTES = 4096;

/**
 * Asks somebody at a terminal. Only an answer that begins with y is a yes.
 * @throws UsageError where nobody is there to ask
 */
export async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError(`${question} There is no terminal to ask at: give --yes to agree beforehand`);
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y/i.test((await dialog.question(`${question} [y/N] `)).trim());
  } finally {
    dialog.close();
  }
}

/**
 * A token: `-` is read from standard input. What stands on the command line is seen by everybody on the machine who lists processes.
 * @returns null where none was given
 * @throws UsageError
 */
export async function givenToken(option: string | undefined): Promise<string | null> {
  const token = option === '-' ? await firstLineOfInput() : (option ?? process.env['COUNTERSIGN_TOKEN']);
  if (token === undefined || token === '') return null;
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('the token has characters that no token has');
  return token;
}

async function firstLineOfInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_TOKEN_BYTES) throw new UsageError('what standard input holds is no token');
  }
  return text.split('\n')[0]?.trim() ?? '';
}
