import { type ExactJson, isMembers } from '../../protocol/light.ts';

/** Where a program writes the exit code into the text that it gives its model: a form for each, at a place that no output can take. */
const EXIT_CODES = {
  /** Claude Code, Letta: the first line of the error. */
  first: /^Exit code:? (-?\d{1,10})(?!\S)/,
  /** Cline: the whole error of a command. */
  cline: /^Command exited with code (-?\d{1,10})$/,
  /** Kimi: the end of the error. */
  kimi: /(?:^|\n)Command failed with exit code: (-?\d{1,10})\.?\s*$/,
  /** Copilot: the last line. */
  copilot: /<shellId: [^<>\n]* completed with exit code (-?\d{1,10})>\s*$/,
  /** Gemini: only where it is not 0, before lines of a fixed form that end the text. */
  gemini:
    /\nExit Code: (-?\d{1,10})\n(?:Signal: .*\n)?(?:Background PIDs: .*\n)?(?:Process Group PGID: \d+\s*)?(?:<\/untrusted_context>)?\s*$/,
  /** Qwen Code: lines of a fixed form that end the text. */
  qwen: /\nExit Code: (-?\d{1,10})\nSignal: .*\nProcess Group PGID: .*\s*$/,
};

/** How many characters of a text are searched, at its beginning or at its end. */
const SEARCHED = 4096;

/** The exit code that a text states in a program's form; undefined where it states none. */
export function exitCodeIn(text: string | undefined, form: keyof typeof EXIT_CODES): number | undefined {
  const part = form === 'first' ? text?.slice(0, SEARCHED) : text?.slice(-SEARCHED);
  const digits = EXIT_CODES[form].exec(part ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether the result of an MCP tool says that the tool failed. */
export function isMcpError(result: ExactJson | undefined): boolean {
  return isMembers(result) && result['isError'] === true;
}
