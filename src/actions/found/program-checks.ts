import { AnsweredCalls, NamedEntries, NumberedEntries, RisingTimes, Sums, timeAt } from './checks.ts';
import { type AlterationChecks, type AlterationSign, at, type Entry, numberAt, textAt } from './sign.ts';

/** What a program leaves in its transcripts that shows an alteration. */
interface ProgramMeans {
  /** A sentence for people: what is found, and what is not. */
  readonly leaves: string;
  readonly checks: () => readonly AlterationChecks[];
}

function partsOf(entry: Entry, type: string): readonly unknown[] {
  const parts = at(entry, 'message', 'content');
  return Array.isArray(parts) ? parts.filter((part: unknown) => textAt(part, 'type') === type) : [];
}

/** Claude Code gives the model a text, and keeps the result in its own form besides. */
class ClaudeAccounts implements AlterationChecks {
  take(entry: Entry, line: number): readonly AlterationSign[] {
    const stdout = textAt(entry, 'toolUseResult', 'stdout')?.trim();
    const parts = at(entry, 'message', 'content');
    if (stdout === undefined || !Array.isArray(parts) || parts.length !== 1) return [];
    const [part]: readonly unknown[] = parts;
    const shown = textAt(part, 'content');
    // What was long, or stopped, is shown in another form.
    const isOther = textAt(entry, 'toolUseResult', 'persistedOutputPath') !== null || at(part, 'is_error') === true;
    if (isOther || stdout === '' || stdout.length > MAX_SHOWN) return [];
    // Of a picture the model was given no text.
    if (shown === null || shown.includes(stdout)) return [];
    const message =
      'The output that the model was given, and the one that the program kept of the same call, are different.';
    return [{ code: 'ACCOUNTS_DIFFER', line, message }];
  }
}

const MAX_SHOWN = 20_000;
const MAX_OPEN = 10_000;
const MAX_ID = 256;

/** Codex says the exit code in the text that the model is given, and in the event of the command besides. */
class CodexAccounts implements AlterationChecks {
  readonly #codes = new Map<string, number>();

  take(entry: Entry, line: number): readonly AlterationSign[] {
    const item = at(entry, 'payload', 'item');
    const exit = numberAt(item, 'exit_code');
    const id = textAt(item, 'id');
    if (exit !== null && id !== null && id.length <= MAX_ID && this.#codes.size < MAX_OPEN) this.#codes.set(id, exit);
    const call = textAt(entry, 'payload', 'call_id');
    const told = /\nProcess exited with code (-?\d{1,10})\n/.exec(
      textAt(entry, 'payload', 'output')?.slice(0, 512) ?? '',
    )?.[1];
    const known = call === null ? undefined : this.#codes.get(call);
    if (call === null || told === undefined || known === undefined || Number(told) === known) return [];
    const message = `The model was told exit code ${told} of the call ${call}, and the event of the command says ${known}.`;
    return [{ code: 'ACCOUNTS_DIFFER', line, message }];
  }
}

/** Gemini CLI writes after each message when the session was updated. */
class GeminiUpdates implements AlterationChecks {
  #isUpdated = true;

  take(entry: Entry, line: number): readonly AlterationSign[] {
    if (textAt(entry, '$set', 'lastUpdated') === null || at(entry, '$set', 'messages') !== undefined) {
      this.#isUpdated = false;
      return [];
    }
    const wasUpdated = this.#isUpdated;
    this.#isUpdated = true;
    if (!wasUpdated) return [];
    return [
      {
        code: 'LINK_MISSING',
        line,
        message: 'The session was updated, and the message that it was updated by is not in the file.',
      },
    ];
  }
}

const timestamps = (): AlterationChecks => new RisingTimes((entry) => timeAt(entry, 'timestamp'));

/** By the id of the program. */
const MEANS: Readonly<Record<string, ProgramMeans>> = {
  claudecode: {
    leaves:
      'Each entry names the one before it, and the output of a command is there twice: an entry that was taken out of the middle is found, a call whose result was, and an output that was changed in one place. Entries taken from the end are not, nor what was changed in both places.',
    checks: () => [
      timestamps(),
      new NamedEntries((entry) => ({
        own: [textAt(entry, 'uuid')],
        named: [textAt(entry, 'parentUuid'), textAt(entry, 'sourceToolAssistantUUID')],
      })),
      new AnsweredCalls((entry) => ({
        begun: partsOf(entry, 'tool_use').map((part) => textAt(part, 'id')),
        ended: partsOf(entry, 'tool_result').map((part) => textAt(part, 'tool_use_id')),
        // Several entries have parts of one message of the model.
        request: entry['type'] === 'assistant' ? textAt(entry, 'message', 'id') : null,
      })),
      new ClaudeAccounts(),
    ],
  },
  codex: {
    leaves:
      'Entries are numbered, tokens are added up, and an exit code is there twice: an entry that was taken out or put in is found, and an exit code that was changed in one place. Entries taken from the end are not, nor a text that was changed in an entry.',
    checks: () => [
      timestamps(),
      new NumberedEntries((entry) => {
        const number = numberAt(entry, 'ordinal');
        return number === null ? null : { of: '', number };
      }),
      new Sums((entry) => {
        const total = numberAt(entry, 'payload', 'info', 'total_token_usage', 'total_tokens');
        const added = numberAt(entry, 'payload', 'info', 'last_token_usage', 'total_tokens');
        return total === null || added === null ? null : { total, added };
      }),
      new CodexAccounts(),
    ],
  },
  gemini: {
    leaves:
      'After each message stands when the session was updated: a message that was taken out alone is found. One that was taken out with that entry is not, nor a text that was changed in an entry.',
    checks: () => [new GeminiUpdates()],
  },
  copilot: {
    leaves:
      'Each entry names the one before it: an entry that was taken out of the middle is found. Entries taken from the end are not, nor a text that was changed in an entry.',
    checks: () => [
      timestamps(),
      new NamedEntries((entry) => ({ own: [textAt(entry, 'id')], named: [textAt(entry, 'parentId')] })),
    ],
  },
  kimi: {
    leaves:
      'Steps are numbered, and what happens in a step names it: a step that was taken out is found, and a call whose result was left. A call that was taken out with its result is not, nor a text that was changed in an entry.',
    checks: () => [
      new RisingTimes((entry) => timeAt(entry, 'time')),
      new NamedEntries(({ event }) => ({
        own: [textAt(event, 'uuid')],
        named: [textAt(event, 'stepUuid'), textAt(event, 'parentUuid')],
      })),
      new NumberedEntries(({ event }) => {
        const number = textAt(event, 'type') === 'step.begin' ? numberAt(event, 'step') : null;
        return number === null ? null : { of: textAt(event, 'turnId') ?? '', number };
      }),
    ],
  },
};

/** Of a program that leaves none, and of one whose means nobody has looked for. */
const NO_MEANS: ProgramMeans = {
  leaves: 'No alteration is looked for: what the program writes has neither numbers nor links that would show one.',
  checks: () => [],
};

/** A program's means, in a sentence for people. */
export function meansOf(program: string): string {
  return (MEANS[program] ?? NO_MEANS).leaves;
}

/** Looks for signs that a transcript was altered, as far as its program leaves means for it. */
export class AlterationSearch {
  readonly #checks: readonly AlterationChecks[];
  #found = 0;
  #unreadable: number | null = null;

  constructor(program: string) {
    this.#checks = (MEANS[program] ?? NO_MEANS).checks();
  }

  /** @param text of a line; null of one that is too long to be looked at */
  take(text: string | null, line: number): readonly AlterationSign[] {
    if (this.#found >= MAX_SIGNS || text === null || text.trim() === '') return [];
    const before = this.#unreadable;
    const entry = parsed(text);
    if (entry === null) {
      this.#unreadable = line;
      return [];
    }
    this.#unreadable = null;
    const signs = this.#checks.flatMap((check) => check.take(entry, line));
    // The last line may be half written by a program that was stopped; one in the middle was whole once.
    const torn =
      before === null
        ? []
        : [
            {
              code: 'ENTRY_UNREADABLE' as const,
              line: before,
              message: 'The line is no JSON object, and others follow it.',
            },
          ];
    this.#found += signs.length + torn.length;
    return [...torn, ...signs];
  }
}

const MAX_SIGNS = 1_000;

function parsed(text: string): Entry | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
