// Hands what opencode does to Countersign's recorder. Made by "countersign record install opencode", which makes it again.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

// Installation writes the recorder's folder here.
const FOLDER = undefined;

const ANSWER_MS = 3000;
/** How many sessions and calls are remembered at once; the oldest are forgotten. */
const REMEMBERED = 1000;

/** Thrown where a call may not be carried out. */
class Blocked extends Error {}

export const Countersign = async ({ directory }) => {
  const recorder = new Recorder(folder());
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
      await recorder.send({
        ...session(sessionID),
        event: 'call_completed',
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

/** The recorder, as this plugin speaks to it: events of a session reach it in the order in which they happened. */
class Recorder {
  #folder;
  #door;
  #last = new Remembered();

  constructor(folder) {
    this.#folder = folder;
  }

  /** @throws Blocked */
  send(event) {
    const { id } = event.session;
    const sent = (this.#last.get(id) ?? Promise.resolve()).then(() => this.#deliver(JSON.stringify(event)));
    this.#last.set(
      id,
      sent.catch(() => undefined),
    );
    return sent;
  }

  async #deliver(body) {
    const id = crypto.randomUUID();
    // What is remembered of where it listens may be of a recorder that has ended.
    const answer = (await this.#post(body, id)) ?? (await this.#postAgain(body, id));
    if (answer === undefined) return this.#script(body, id);
    if (answer.status === 403) throw new Blocked(await answer.text());
    return undefined;
  }

  #postAgain(body, id) {
    this.#door = undefined;
    return this.#post(body, id);
  }

  async #post(body, id) {
    try {
      this.#door ??= {
        url: JSON.parse(readFileSync(join(this.#folder, 'recorder.json'), 'utf8')).url,
        token: readFileSync(join(this.#folder, 'token'), 'utf8').trim(),
      };
      const answer = await fetch(new URL('/v1/hook/opencode', this.#door.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#door.token}`, 'x-countersign-event': id },
        body,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      return answer.status === 200 || answer.status === 403 ? answer : undefined;
    } catch {
      return undefined;
    }
  }

  /** The script of the hooks starts a recorder, counts what is lost, and knows whether what is not recorded may be carried out. */
  async #script(body, id) {
    const isWindows = process.platform === 'win32';
    const path = join(this.#folder, 'hooks', isWindows ? 'opencode.cmd' : 'opencode');
    // Uninstalled since this plugin was loaded.
    if (!existsSync(path)) return;
    const { promise, resolve, reject } = Promise.withResolvers();
    const stdio = ['pipe', 'ignore', 'pipe'];
    // Under the same id: the recorder may have taken the event, and not have been waited for.
    const script = isWindows ? spawn(`"${path}"`, { stdio, shell: true }) : spawn('sh', [path, id], { stdio });
    let why = '';
    script.stderr.on('data', (chunk) => {
      why += chunk;
    });
    script.stdin.on('error', () => undefined);
    script.on('error', () => {
      try {
        this.#miss(id);
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    script.on('close', (code) => (code === 2 ? reject(new Blocked(why.trim())) : resolve()));
    script.stdin.end(body);
    await promise;
  }

  /**
   * What the script does where it cannot be started: notes that the event is missing, which the recorder signs.
   * @throws Blocked
   */
  #miss(id) {
    const missed = join(this.#folder, 'missed');
    try {
      mkdirSync(missed, { recursive: true, mode: 0o700 });
      const line = `${new Date().toISOString().slice(0, 19)}Z ${id} plugin\n`;
      appendFileSync(join(missed, 'opencode'), line, { mode: 0o600 });
    } catch {
      // There is no way left to say so; what the policy says holds all the same.
    }
    let policy = 'block';
    try {
      policy = JSON.parse(readFileSync(join(this.#folder, 'agents', 'opencode.json'), 'utf8')).on_failure;
    } catch {
      // What cannot be read may have said that nothing is to run unrecorded.
    }
    if (policy !== 'allow') throw new Blocked('Countersign could not record this action');
  }
}

/** A map that forgets what was put in first. */
class Remembered {
  #entries = new Map();

  get(key) {
    return this.#entries.get(key);
  }

  set(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > REMEMBERED) this.#entries.delete(this.#entries.keys().next().value);
  }

  delete(key) {
    this.#entries.delete(key);
  }

  find(fits) {
    return this.#entries.values().find(fits);
  }
}

function folder() {
  if (FOLDER !== undefined) return FOLDER;
  const {
    COUNTERSIGN_RECORDER: chosen,
    HOME: home = homedir(),
    XDG_DATA_HOME: data,
    LOCALAPPDATA: local,
  } = process.env;
  if (chosen) return chosen;
  const own = ['countersign', 'recorder'];
  if (process.platform === 'win32') return join(local ?? join(home, 'AppData', 'Local'), ...own);
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', ...own);
  return join(data?.startsWith('/') ? data : join(home, '.local', 'share'), ...own);
}
