import { type Body, toolOf } from '../../actions/tools/index.ts';
import {
  sessionOfSubAgent,
  type TranscriptCall,
  type TranscriptProgramId,
  type TranscriptSession,
  touchedIn,
} from '../../actions/transcripts/index.ts';
import { isMembers } from '../../protocol/light.ts';
import { resultWithAbsolutePaths, withAbsolutePaths } from '../programs/claudecode-paths.ts';
import { CARRIED_OUT, type Ending, failed, succeeded } from '../programs/hook-ending.ts';
import { HookEvent } from '../programs/hook-event.ts';
import type { SeenCall } from '../seen/seen.ts';

/**
 * A call as a transcript tells it: at its end, or as one that was asked for where it has none.
 * @param session the session that hooks name; the transcript's own name of it may be another
 * @param sha256 of the line that has the end, in hex
 */
export function seenOfCall(
  program: TranscriptProgramId,
  written: TranscriptCall,
  session: { readonly id: string; readonly said: TranscriptSession | null },
  sha256: string,
  now: string,
): SeenCall {
  const { said } = session;
  const call = asHooksTell(program, written, said?.cwd ?? null);
  const isEnded = call.end_line !== null;
  const tool = toolOf(call.tool, call.server === null ? undefined : { server: call.server });
  const given = program === 'codex' ? commandIn(written)?.more : undefined;
  const own = sessionOfSubAgent(program, call.sub_agent, session.id);
  const name = call.call_id ?? `line ${call.line}`;
  const event = new HookEvent(
    {
      event: 'transcript',
      source: 'transcript',
      at: call.ended_at ?? call.started_at ?? undefined,
      ...(own === null
        ? { session: session.id, subAgent: call.sub_agent ?? undefined }
        : { session: own.id, parent: own.parent }),
      model: said?.model ?? undefined,
      programVersion: said?.version ?? undefined,
      cwd: said?.cwd ?? undefined,
      extra: {
        line: call.line,
        ...(call.within !== null && { within: call.within }),
        ...(call.typed_into !== null && { typed_into: call.typed_into }),
        ...(given !== undefined && Object.keys(given).length > 0 && { given }),
        ...(call.cut !== null && { line_bytes: call.cut.bytes, line_sha256: call.cut.sha256 }),
      },
    },
    // The same call of the same line is one observation, also after the recorder was started again.
    {
      eventId: `transcript ${session.id} ${call.sub_agent ?? ''} ${call.line} ${name} ${isEnded}`,
      receivedAt: now,
      digest: sha256,
    },
  );
  const facts = {
    tool,
    callId: call.call_id ?? undefined,
    input: call.input,
    ...(call.duration_ms !== null && { durationMs: call.duration_ms }),
    touched: touchedIn(call, tool, said?.cwd ?? null),
  };
  if (!isEnded) return event.call('proposed', facts);
  const ending = endingOf(call);
  const { cut, output, told_to_hooks: told } = call;
  const seen = event.call(ending.stage, { ...facts, ...ending, output: told ?? output });
  return told === undefined || cut !== null ? { ...seen, unlike_hooks: true } : seen;
}

/** A call with input and output in the form that hooks of the program are told. */
export function asHooksTell(program: TranscriptProgramId, call: TranscriptCall, cwd: string | null): TranscriptCall {
  if (program === 'codex') {
    const told = commandIn(call);
    return told === null ? call : { ...call, input: { command: told.command } };
  }
  if (program !== 'claudecode') return call;
  return {
    ...call,
    input: withAbsolutePaths(call.input, cwd),
    told_to_hooks: resultWithAbsolutePaths(call.told_to_hooks, cwd),
  };
}

/** Codex tells its hooks of a command or a patch that alone; what else its model gave to the tool is `more`. */
function commandIn({ tool, input }: TranscriptCall): { readonly command: string; readonly more: Body } | null {
  if (tool === 'apply_patch' && typeof input === 'string') return { command: input, more: {} };
  if (tool !== 'exec_command' || !isMembers(input)) return null;
  const { cmd: command, ...more } = input;
  return typeof command === 'string' ? { command, more } : null;
}

function endingOf({ outcome, exit_code, error }: TranscriptCall): Ending {
  const exitCode = exit_code ?? undefined;
  const message = error ?? undefined;
  switch (outcome) {
    case 'completed':
      return succeeded(exitCode);
    case 'unknown':
      return CARRIED_OUT;
    case 'denied':
      return failed({ status: 'denied', message });
    case 'cancelled':
      return failed({ status: 'cancelled', message, exitCode });
    case 'failed':
      return failed({ message, exitCode });
  }
}
