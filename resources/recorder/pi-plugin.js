// Hands what pi does to Countersign's recorder. Made by "countersign record install pi", which makes it again.
import { Blocked, Recorder, Remembered } from './plugin-client.js';

// Installation writes the recorder's folder here.
const FOLDER = undefined;

// biome-ignore lint/style/noDefaultExport: pi calls what an extension exports so
export default function countersign(pi) {
  const recorder = new Recorder(FOLDER, 'pi');
  const calls = new Remembered();

  /** What every event says of where it is from. */
  const common = (context, raw_event) => {
    const { model } = context;
    return {
      session: { id: context.sessionManager?.getSessionId?.() ?? 'unnamed' },
      ...(model?.id && { model: { name: model.id, ...(model.provider && { provider: model.provider }) } }),
      cwd: context.cwd,
      at: new Date().toISOString(),
      raw_event,
    };
  };
  // Only what is about to be carried out can be stopped.
  const tell = (event) => recorder.send(event).catch(() => undefined);

  pi.on('session_start', ({ reason }, context) =>
    tell({ ...common(context, 'session_start'), event: 'session_started', ...(reason && { reason }) }),
  );
  pi.on('session_shutdown', ({ reason }, context) =>
    tell({ ...common(context, 'session_shutdown'), event: 'session_ended', ...(reason && { reason }) }),
  );
  pi.on('input', async ({ text }, context) => {
    await tell({ ...common(context, 'input'), event: 'told', kind: 'user', value: text });
  });
  pi.on('user_bash', async ({ command }, context) => {
    await tell({ ...common(context, 'user_bash'), event: 'note', kind: 'user_bash', text: String(command) });
  });

  // Before a tool is looked for and its input checked: of a call that comes no further only its end is told.
  pi.on('tool_execution_start', ({ toolName, toolCallId, args }) =>
    calls.set(toolCallId, { said: { tool: toolName, call_id: toolCallId, input: args } }),
  );
  pi.on('tool_call', async ({ toolName, toolCallId, input }, context) => {
    const said = { tool: toolName, call_id: toolCallId, input };
    calls.set(toolCallId, { said });
    try {
      await recorder.send({ ...common(context, 'tool_call'), ...said, event: 'call_proposed' });
      return undefined;
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      calls.set(toolCallId, { said, ended: true });
      return { block: true, reason: error.message };
    }
  });

  const ended = (raw_event, context, said, { content, details, structuredContent }, isError) => {
    calls.set(said.call_id, { said, ended: true });
    const text = (content ?? []).flatMap((part) => (part?.type === 'text' ? [part.text] : [])).join('\n');
    // Its shell says the code of a command that failed at the end of the text, older versions there alone.
    const last = isError ? /Command exited with code (\d{1,10})\s*$/.exec(text)?.[1] : undefined;
    const code = [structuredContent?.exit_code, last && Number(last)].find(Number.isInteger);
    const isCancelled = isError && context.signal?.aborted && code === undefined;
    // What was carried out has a result before its end.
    const failure = isCancelled && raw_event === 'tool_execution_end' ? 'call_refused' : 'call_failed';
    return tell({
      ...common(context, raw_event),
      ...said,
      event: isError ? failure : 'call_completed',
      output: { content: content ?? null, ...(details !== undefined && { details }) },
      ...(said.tool === 'bash' && code !== undefined && { exit_code: code }),
      ...(isCancelled && { status: 'cancelled' }),
      ...(isError && text !== '' && { error: { message: text } }),
    });
  };

  pi.on('tool_result', async ({ toolName, toolCallId, input, isError, ...result }, context) => {
    await ended('tool_result', context, { tool: toolName, call_id: toolCallId, input }, result, isError);
  });
  // Of a tool that does not exist, and of a call that another extension stopped, nothing else tells.
  pi.on('tool_execution_end', async ({ toolName, toolCallId, result, isError }, context) => {
    const known = calls.get(toolCallId);
    if (known?.ended) return;
    const said = known?.said ?? { tool: toolName, call_id: toolCallId };
    await ended('tool_execution_end', context, said, result ?? {}, isError);
  });
}
