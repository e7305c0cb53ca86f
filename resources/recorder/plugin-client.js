// The recorder, as plugins speak to it. Installation puts this part into the plugin of each program.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const ANSWER_MS = 3000;
/** How long one that takes requests takes to say so. */
const ALIVE_MS = 1000;
/** How many sessions and calls are remembered at once; the oldest are forgotten. */
const REMEMBERED = 1000;

/** Thrown where a call may not be carried out. */
export class Blocked extends Error {}

/** Events of a session reach the recorder in the order in which they happened. */
export class Recorder {
  #folder;
  #feed;
  #door;
  #last = new Remembered();

  /**
   * @param folder the recorder's; undefined for the one that the environment names
   * @param feed the program
   */
  constructor(folder, feed) {
    this.#folder = folder ?? recorderFolder();
    this.#feed = feed;
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
    // While a recorder is waited for in vain, the script knows: it waits less long, and finds out when one answers.
    const isAway = existsSync(join(this.#folder, 'missed', 'away'));
    const answer = isAway ? undefined : ((await this.#post(body, id)) ?? (await this.#postAgain(body, id)));
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
      const { url, token } = this.#door;
      const headers = { authorization: `Bearer ${token}`, 'x-countersign-event': id };
      const alive = await fetch(new URL('/v1/alive', url), { headers, signal: AbortSignal.timeout(ALIVE_MS) });
      await alive.arrayBuffer();
      const answer = await fetch(new URL(`/v1/hook/${this.#feed}`, url), {
        method: 'POST',
        headers,
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
    const path = join(this.#folder, 'hooks', isWindows ? `${this.#feed}.cmd` : this.#feed);
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
      appendFileSync(join(missed, this.#feed), line, { mode: 0o600 });
    } catch {
      // There is no way left to say so; what the policy says holds all the same.
    }
    let policy = 'block';
    try {
      policy = JSON.parse(readFileSync(join(this.#folder, 'agents', `${this.#feed}.json`), 'utf8')).on_failure;
    } catch {
      // What cannot be read may have said that nothing is to run unrecorded.
    }
    if (policy !== 'allow') throw new Blocked('Countersign could not record this action');
  }
}

/** A map that forgets what was put in first. */
export class Remembered {
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

function recorderFolder() {
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
