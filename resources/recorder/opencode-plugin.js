// Hands what opencode does to Countersign's recorder. Made by "countersign record install opencode", which makes it again.
import { Blocked, Recorder, Remembered } from './plugin-client.js';

// Installation writes the recorder's folder here.
const FOLDER = undefined;

/** Who ended a command, as the end of its output says. */
function endedBy(output) {
  if (/User aborted the command\n<\/\w{1,16}_metadata>$/.test(output)) return 'cancelled';
  return /exceeding timeout \d+ ms\.[^\n]*\n<\/\w{1,16}_metadata>$/.test(output) ? 'timeout' : 'unknown';
}

export const Countersign = async ({ directory }) => {
  const recorder = new Recorder(FOLDER, 'opencode');
  const sessions = new Remembered();
  const calls = new Remembered();

  /** What is known of a session, for each of its events. */
  const session = (id) => {
    const known = sessions.get(id);
    return {
      session: { id, ...(known?.parent && { parent: known.parent }) },
      ...(known?.model && { model: known.model }),
      ...(known?.version && { program_version: known.version }),
      cwd: directory,
      at: new Date().toISOString(),
    };
  };
  const remember = (id, more) => sessions.set(id, { ...sessions.get(id), ...more });
  const forget = (callID) => calls.delete(callID);

  const onEvent = {
    'session.created': ({ info }) => {
      remember(info.id, { parent: info.parentID, version: info.version });
      return recorder.send({ ...session(info.id), event: 'session_started', raw_event: 'session.created' });
    },
    'session.deleted': ({ info }) =>
      recorder.send({ ...session(info.id), event: 'session_ended', raw_event: 'session.deleted', reason: 'deleted' }),
    'session.idle': ({ sessionID }) =>
      recorder.send({ ...session(sessionID), event: 'note', kind: 'idle', raw_event: 'session.idle' }),
    'session.error': ({ sessionID, error }) =>
      sessionID &&
      recorder.send({
        ...session(sessionID),
        event: 'note',
        kind: 'session_error',
        raw_event: 'session.error',
        ...(error?.name && { text: String(error.name) }),
      }),
    'message.part.updated': ({ part }) => failure(part),
    'permission.asked': (asked) => {
      const call = calls.get(asked.tool?.callID ?? asked.callID);
      if (call === undefined) return undefined;
      call.permission = asked.id;
      return recorder.send({
        ...session(asked.sessionID),
        ...call.said,
        event: 'call_asked',
        raw_event: 'permission.asked',
      });
    },
    'permission.replied': (replied) => {
      const id = replied.requestID ?? replied.permissionID;
      const call = calls.find(({ permission }) => permission === id);
      if (call === undefined) return undefined;
      const reply = String(replied.reply ?? replied.response);
      return recorder.send({
        ...session(replied.sessionID),
        ...call.said,
        event: 'decided',
        raw_event: 'permission.replied',
        decision: reply === 'reject' ? 'denied' : 'approved',
        by: { kind: 'human', id: 'user' },
        reason: reply,
      });
    },
  };

  /** The one way in which opencode tells that a call failed: `tool.execute.after` comes for others only. */
  const failure = (part) => {
    if (part?.type !== 'tool' || part.state?.status !== 'error') return undefined;
    const { callID, tool, sessionID, state } = part;
    const known = calls.get(callID);
    // The recorder has blocked it by itself, or it has ended already.
    if (known?.blocked || known?.ended) return undefined;
    calls.set(callID, { ...known, ended: true });
    const denied = /rejected permission|rule which prevents you/i.test(state.error ?? '');
    return recorder.send({
      ...session(sessionID),
      event: denied ? 'call_refused' : 'call_failed',
      raw_event: 'message.part.updated',
      tool,
      call_id: callID,
      input: state.input,
      ...(state.error && { error: { message: String(state.error) } }),
      ...(state.time?.end >= state.time?.start && { duration_ms: state.time.end - state.time.start }),
    });
  };

  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const said = { tool, call_id: callID, input: args };
      calls.set(callID, { said });
      try {
        await recorder.send({
          ...session(sessionID),
          ...said,
          event: 'call_proposed',
          raw_event: 'tool.execute.before',
        });
      } catch (error) {
        if (!(error instanceof Blocked)) throw error;
        calls.set(callID, { blocked: true });
        throw error;
      }
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args }, { output, metadata }) => {
      forget(callID);
      // A command that was ended has an exit code that is null, and a text for the model like any other.
      const ended = metadata?.exit === null ? { event: 'call_failed', status: endedBy(String(output)) } : undefined;
      await recorder.send({
        ...session(sessionID),
        // This tool is called in place of one that does not exist or does not take its input: it succeeds by saying why.
        ...(tool === 'invalid'
          ? { event: 'call_failed', error: { message: String(args?.error ?? output) } }
          : (ended ?? { event: 'call_completed' })),
        raw_event: 'tool.execute.after',
        tool,
        call_id: callID,
        input: args,
        output,
        ...(Number.isSafeInteger(metadata?.exit) && { exit_code: metadata.exit }),
      });
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const { providerID, modelID } = message?.model ?? {};
      if (modelID) remember(sessionID, { model: { name: modelID, ...(providerID && { provider: providerID }) } });
      // Of a file its name: its content is on disk, or was given as a data address.
      const value = (parts ?? []).flatMap(({ type, text, filename }) =>
        type === 'text' ? [text] : type === 'file' ? [{ file: filename ?? null }] : [],
      );
      await recorder.send({ ...session(sessionID), event: 'told', raw_event: 'chat.message', kind: 'user', value });
    },
    event: async ({ event }) => {
      const handle = Object.hasOwn(onEvent, event.type) ? onEvent[event.type] : undefined;
      // Only what is about to be carried out can be stopped.
      await Promise.resolve(handle?.(event.properties ?? {})).catch(() => undefined);
    },
  };
};
