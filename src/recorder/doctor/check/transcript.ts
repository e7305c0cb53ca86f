import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '../../../protocol/light.ts';
import type { FeedId } from '../../base/programs.ts';
import { RecordError } from '../../base/record-error.ts';

/** A call of a tool, as the program's own transcript has it. */
export interface TranscriptCall {
  /** The program's id of it. */
  readonly id: string;
  readonly tool: string;
  /** Undefined where the transcript does not have it as JSON. */
  readonly input: Json | undefined;
}

export interface Transcript {
  readonly calls: readonly TranscriptCall[];
  /** SHA-256 of the file in hex. */
  readonly sha256: string;
  /** Lines that are no JSON, such as one that was being written. */
  readonly unreadable: number;
}

const json = z.custom<Json>((value) => value !== undefined).optional();

/** Claude Code 2.1.330: the answers of the model, with the calls it asks for. */
const claudeLine = z.looseObject({
  message: z.looseObject({
    role: z.literal('assistant'),
    content: z.array(
      z.looseObject({ type: z.string(), id: z.string().optional(), name: z.string().optional(), input: json }),
    ),
  }),
});

/** Codex 0.169: what the model answered, and the arguments as text. */
const codexLine = z.looseObject({
  type: z.literal('response_item'),
  payload: z.looseObject({
    type: z.enum(['function_call', 'custom_tool_call', 'local_shell_call']),
    call_id: z.string(),
    name: z.string().optional(),
  }),
});

/** Gemini CLI 0.61: a message comes again whenever it grows. */
const geminiLine = z.looseObject({
  type: z.literal('gemini'),
  toolCalls: z.array(z.looseObject({ id: z.string(), name: z.string(), args: json })),
});

/** Copilot CLI 1.0.102. */
const copilotLine = z.looseObject({
  type: z.literal('tool.execution_start'),
  data: z.looseObject({ toolCallId: z.string(), toolName: z.string(), arguments: json }),
});

type Reader = (line: unknown) => TranscriptCall[];

const READERS: { readonly [feed in FeedId]?: Reader } = {
  claudecode: (line) => {
    const { data } = claudeLine.safeParse(line);
    return (data?.message.content ?? []).flatMap(({ type, id, name, input }) =>
      type === 'tool_use' && id !== undefined ? [{ id, tool: name ?? '', input }] : [],
    );
  },
  codex: (line) => {
    const { data } = codexLine.safeParse(line);
    return data === undefined
      ? []
      : [{ id: data.payload.call_id, tool: data.payload.name ?? data.payload.type, input: undefined }];
  },
  gemini: (line) => {
    const { data } = geminiLine.safeParse(line);
    return (data?.toolCalls ?? []).map(({ id, name, args }) => ({ id, tool: name, input: args }));
  },
  copilot: (line) => {
    const { data } = copilotLine.safeParse(line);
    return data === undefined
      ? []
      : [{ id: data.data.toolCallId, tool: data.data.toolName, input: data.data.arguments }];
  },
};

/** The programs whose transcripts can be read: their form was seen, others' was not. */
export const COMPARABLE = Object.keys(READERS);

/** @param bytes one or several files, one after the other @throws RecordError EVENT_INVALID */
export function readTranscript(feed: FeedId, bytes: Uint8Array): Transcript {
  const reader = READERS[feed];
  if (reader === undefined) {
    throw new RecordError(
      'EVENT_INVALID',
      `the transcripts of ${feed} cannot be read; those of ${COMPARABLE.join(', ')} can`,
    );
  }
  const calls = new Map<string, TranscriptCall>();
  let unreadable = 0;
  for (const text of new TextDecoder().decode(bytes).split('\n')) {
    if (text.trim() === '') continue;
    try {
      // The last word on a call counts: programs write what they know by then.
      for (const call of reader(JSON.parse(text))) calls.set(call.id, call);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      unreadable++;
    }
  }
  return { calls: [...calls.values()], sha256: createHash('sha256').update(bytes).digest('hex'), unreadable };
}
