import { type Body, json, members, number, object, openedJson, text } from '../tools/index.ts';
import type { TranscriptItem, TranscriptLine } from './items.ts';
import { JsonLines } from './json-lines.ts';
import { callOf } from './open-calls.ts';
import { Once } from './said-once.ts';
import { instantText } from './times.ts';

const rowOf = members({
  table: text,
  id: text,
  session_id: text,
  message_id: text,
  parent_id: text,
  directory: text,
  version: text,
  time_created: number,
  data: json,
});
const messageOf = object({ role: text, modelID: text });
const partOf = object({
  type: text,
  text,
  synthetic: json,
  tool: text,
  callID: text,
  state: object({
    status: text,
    input: json,
    output: json,
    error: text,
    metadata: object({ exit: json, interrupted: json, truncated: json }),
    time: object({ start: number, end: number }),
  }),
});

type Part = NonNullable<ReturnType<typeof partOf>>;

const ASIDE = new Set('reasoning step-start step-finish snapshot patch file agent subtask retry compaction'.split(' '));
const DENIED =
  /^The user (?:has specified a rule which prevents you from using|rejected permission to use) this specific tool call/;
/** What the output ends with of a command that a person stopped; of one that took too long, too, the exit code is null. */
const STOPPED = /User aborted the command\n<\/\w{1,16}_metadata>$/;
/** The most messages whose speaker is known at once. */
const MAX_MESSAGES = 100_000;

/**
 * opencode's store (1.18.33): `~/.local/share/opencode/opencode.db`, SQLite. A line is a row as JSON with the name of its `table`:
 * `session`, `message`, `part`, in this order for each session. A part is rewritten while its call runs. Sub-agents have sessions of their
 * own, with `parent_id`.
 */
export class OpencodeReader extends JsonLines {
  protected override readonly what = 'row';
  readonly #speakers = new Map<string, string>();
  readonly #told = new Once();

  protected override read(body: Body, line: TranscriptLine): readonly TranscriptItem[] {
    const row = rowOf(body);
    const data = openedJson(row.data ?? null);
    switch (row.table) {
      case 'session':
        return this.session.of({
          session_id: row.id,
          parent_session_id: row.parent_id,
          cwd: row.directory,
          version: row.version,
          started_at: instantText(row.time_created),
          line: line.line,
        });
      case 'message': {
        const message = messageOf(data);
        if (row.id !== undefined && this.#speakers.size < MAX_MESSAGES) this.#speakers.set(row.id, message?.role ?? '');
        return this.session.of({ model: message?.modelID, line: line.line });
      }
      case 'part':
        return this.#part(partOf(data), row, line);
      default:
        return this.unknown.of('table', row.table, line.line);
    }
  }

  #part(part: Part | undefined, row: ReturnType<typeof rowOf>, line: TranscriptLine): readonly TranscriptItem[] {
    if (part?.type === 'tool') return this.#call(part, line);
    if (part?.type !== 'text') {
      return ASIDE.has(part?.type ?? '') ? [] : this.unknown.of('part', part?.type, line.line);
    }
    const speaker = this.#speakers.get(row.message_id ?? '');
    const isSaid = part.text !== undefined && part.synthetic !== true && speaker !== undefined;
    if (!isSaid || !this.#told.isFirst(`text ${row.id}`)) return [];
    const kind = speaker === 'user' ? 'prompt' : 'answer';
    return [{ kind, text: part.text ?? '', at: instantText(row.time_created), sub_agent: null, line: line.line }];
  }

  #call(part: Part, line: TranscriptLine): readonly TranscriptItem[] {
    const { state } = part;
    const isEnded = state?.status === 'completed' || state?.status === 'error';
    const failed = DENIED.test(state?.error ?? '')
      ? 'denied'
      : state?.metadata?.interrupted === true
        ? 'cancelled'
        : 'failed';
    const { exit } = state?.metadata ?? {};
    const completed = exit !== null ? 'completed' : STOPPED.test(text(state?.output) ?? '') ? 'cancelled' : 'failed';
    const outcome = state?.status === 'completed' ? completed : state?.status === 'error' ? failed : 'unknown';
    // What none of its tools took: the call is what the model asked for.
    const meant = part.tool === 'invalid' ? messageOfInvalid(state?.input) : undefined;
    return [
      callOf({
        call_id: part.callID ?? null,
        tool: meant?.tool ?? part.tool ?? 'unnamed',
        input: state?.input,
        output: state?.output ?? state?.error,
        ...(state?.metadata?.truncated !== true && { told_to_hooks: state?.output }),
        outcome: meant === undefined ? outcome : 'failed',
        error: meant?.error ?? state?.error ?? null,
        exit_code: number(exit) ?? null,
        started_at: instantText(state?.time?.start),
        ended_at: instantText(state?.time?.end),
        line: line.line,
        end_line: isEnded ? line.line : null,
        cut: line.cut ?? null,
      }),
    ];
  }
}

const messageOfInvalid = object({ tool: text, error: text });
