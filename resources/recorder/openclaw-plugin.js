// Hands what OpenClaw does to Countersign's recorder. Made by "countersign record install openclaw", which makes it again.
import { Blocked, Recorder, Remembered } from './plugin-client.js';

// Installation writes the recorder's folder here.
const FOLDER = undefined;

/** Longer than a recorder is waited for: a handler that its host gives up on lets the call run. */
const HANDLER_MS = 15_000;

/** Its name for a command is one that other programs have for code. */
const toolOf = (name) => (name === 'exec' ? { name, type: 'shell' } : name);

const plugin = {
  id: 'countersign',
  name: 'Countersign',
  description: 'Records what OpenClaw does',
  register(api) {
    const recorder = new Recorder(FOLDER, 'openclaw');
    const blocked = new Remembered();

    /** What every event says of where it is from. */
    const common = (raw_event, context, event = {}) => ({
      session: { id: event.sessionId ?? context?.sessionId ?? context?.sessionKey ?? 'unnamed' },
      ...(context?.workspaceDir && { cwd: context.workspaceDir }),
      at: new Date().toISOString(),
      raw_event,
    });
    const callOf = ({ toolName, toolCallId, params }, context) => {
      const call_id = toolCallId ?? context?.toolCallId;
      return { tool: toolOf(toolName ?? 'unnamed'), ...(call_id && { call_id }), input: params };
    };
    // Only what is about to be carried out can be stopped.
    const tell = (event) => recorder.send(event).catch(() => undefined);

    api.on('session_start', (event, context) =>
      tell({ ...common('session_start', context, event), event: 'session_started' }),
    );
    api.on('session_end', (event, context) =>
      tell({
        ...common('session_end', context, event),
        event: 'session_ended',
        ...(event.reason && { reason: event.reason }),
      }),
    );
    // After every other plugin, which may have changed what the call is given.
    const last = { priority: -1000, timeoutMs: HANDLER_MS };
    api.on(
      'before_tool_call',
      async (event, context) => {
        const said = callOf(event, context);
        try {
          await recorder.send({ ...common('before_tool_call', context), ...said, event: 'call_proposed' });
          return undefined;
        } catch (error) {
          if (!(error instanceof Blocked)) throw error;
          if (said.call_id) blocked.set(said.call_id, true);
          return { block: true, blockReason: error.message };
        }
      },
      last,
    );
    api.on('after_tool_call', (event, context) => {
      const said = callOf(event, context);
      // The recorder has the end of what it stopped.
      if (said.call_id && blocked.get(said.call_id)) return undefined;
      const { result, error, durationMs } = event;
      return tell({
        ...common('after_tool_call', context),
        ...said,
        event: error ? 'call_failed' : 'call_completed',
        ...(result !== undefined && { output: result }),
        ...(error && { error: { message: String(error) } }),
        ...(Number.isFinite(durationMs) && durationMs >= 0 && { duration_ms: durationMs }),
      });
    });
  },
};

// biome-ignore lint/style/noDefaultExport: OpenClaw takes what a plugin exports so
export default plugin;
