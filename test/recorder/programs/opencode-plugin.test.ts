import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/support/paths.ts';
import type { Json } from '../../../src/protocol/index.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { fixtureText, meaningOf, read } from '../../support/hooks.ts';
import { type LocalServer, serveLocally } from '../../support/local-server.ts';

type Hooks = {
  readonly [name in 'tool.execute.before' | 'tool.execute.after' | 'chat.message' | 'event']: (
    ...given: readonly unknown[]
  ) => Promise<void>;
};
interface PluginModule {
  readonly Countersign: (host: { readonly directory: string }) => Promise<Hooks>;
}

const ALLOWED = { allowed: true, reason: null, operation_ids: [] };
const TOKEN = 'a token';

let folder: string;
let meanings: string[];
let tools: ReadonlySet<string>;

/** A recorder as far as the plugin can tell: it reads what comes in, and blocks the tools that it is told to. */
async function recorder(): Promise<LocalServer> {
  const server = await serveLocally(({ method, url, headers, text }) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401 };
    if (url.pathname === '/v1/alive') return { status: 200 };
    expect([method, url.pathname]).toEqual(['POST', '/v1/hook/opencode']);
    expect(headers['x-countersign-event']).toMatch(/^[0-9a-f-]{36}$/);
    const body: Json & { readonly tool?: string } = JSON.parse(text);
    const reading = read('opencode', body);
    meanings.push(...reading.seen.map((seen) => `${seen.session?.id} ${meaningOf(seen)}`));
    const verdict = tools.has(body.tool ?? '') ? { ...ALLOWED, allowed: false, reason: 'Frozen.' } : ALLOWED;
    return reading.answer(verdict);
  });
  atEnd(() => server.close());
  writeFileSync(
    join(folder, 'recorder.json'),
    JSON.stringify({ pid: 1, port: server.port, url: `http://127.0.0.1:${server.port}` }),
  );
  writeFileSync(join(folder, 'token'), `${TOKEN}\n`);
  return server;
}

async function plugin(): Promise<Hooks> {
  const { Countersign } = (await import(
    pathToFileURL(join(ROOT, 'resources', 'recorder', 'opencode-plugin.js')).href
  )) as PluginModule;
  const { COUNTERSIGN_RECORDER: before } = process.env;
  process.env['COUNTERSIGN_RECORDER'] = folder;
  try {
    return await Countersign({ directory: '/home/ada/opc/proj' });
  } finally {
    if (before === undefined) delete process.env['COUNTERSIGN_RECORDER'];
    else process.env['COUNTERSIGN_RECORDER'] = before;
  }
}

const propose = (hooks: Hooks, tool: string, callID: string) =>
  hooks['tool.execute.before']({ tool, sessionID: 's', callID }, { args: { command: 'ls' } });
const event = (hooks: Hooks, type: string, properties: object) => hooks.event({ event: { type, properties } });
const failedPart = (callID: string, error: string) => ({
  part: { type: 'tool', tool: 'bash', callID, sessionID: 's', state: { status: 'error', error, input: {} } },
});

/** The capture holds the first 500 characters of an event: null where there were more. */
function wholeEvent(text: string): object | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

beforeEach(() => {
  folder = temporaryFolder();
  meanings = [];
  tools = new Set();
});

describe('the plugin for opencode', () => {
  it('tells the recorder what opencode 1.18.33 called it with', async () => {
    await recorder();
    const hooks = await plugin();
    await event(hooks, 'session.created', { info: { id: 'ses_dff969634ffe0u9w4sOt43myMC', version: '1.18.33' } });
    for (const line of fixtureText('opencode/1.18.33/callbacks.jsonl').trimEnd().split('\n')) {
      const { k: name, a: given } = JSON.parse(line);
      if (name === 'event') {
        const [type, text] = given;
        const properties = wholeEvent(text);
        if (properties !== null) await event(hooks, type, properties);
      } else if (name in hooks) await hooks[name as keyof Hooks](...given);
    }
    const id = 'ses_dff969634ffe0u9w4sOt43myMC';
    expect(meanings).toEqual(
      [
        'session_started | no reason',
        'told | user ["\\"say hi\\""]',
        'proposed | shell bash | call_fake_0 | write echo',
        'proposed | file read | call_fake_1 | read /home/ada/opc/proj/a.txt',
        'proposed | shell bash | call_fake_2 | write ls',
        'proposed | file read | call_fake_3 | read /home/ada/opc/proj/missing.txt',
        'failed | file read | call_fake_3 | error | 10 ms | read /home/ada/opc/proj/missing.txt',
        'completed | shell bash | call_fake_2 | ok 2 | write ls',
        'completed | file read | call_fake_1 | ok | read /home/ada/opc/proj/a.txt',
        'completed | shell bash | call_fake_0 | ok 0 | write echo',
        'note | idle',
      ].map((meaning) => `${id} ${meaning}`),
    );
  });

  it('tells of a tool that does not exist as of a call that failed, though the tool that is called in its place succeeds', async () => {
    await recorder();
    const hooks = await plugin();
    const args = { tool: 'levitate', error: 'unavailable tool' };
    const given = { tool: 'invalid', sessionID: 's', callID: 'c', args };
    await hooks['tool.execute.after'](given, { output: 'The arguments are invalid: unavailable tool' });
    expect(meanings).toEqual(['s failed | other invalid | c | error']);
  });

  const SHELL = 'shell tool terminated command after exceeding timeout 700 ms. Retry with a larger one.';
  it.each([
    ['timeout', SHELL],
    ['cancelled', 'User aborted the command'],
    ['unknown', 'more'],
  ])('tells of a command that was ended as of one that failed: %s', async (status, why) => {
    await recorder();
    const hooks = await plugin();
    const given = { tool: 'bash', sessionID: 's', callID: 'c', args: { command: 'sleep 30' } };
    const output = `begun\n\n\n<shell_metadata>\n${why}\n</shell_metadata>`;
    await hooks['tool.execute.after'](given, { output, metadata: { output: 'begun\n', exit: null } });
    expect(meanings).toEqual([`s failed | shell bash | c | ${status} | write sleep`]);
  });

  it('throws where a call is blocked, and does not report its end', async () => {
    await recorder();
    tools = new Set(['bash']);
    const hooks = await plugin();
    await expect(propose(hooks, 'bash', 'c')).rejects.toThrow('Frozen.');
    await event(hooks, 'message.part.updated', failedPart('c', 'Frozen.'));
    expect(meanings).toEqual(['s proposed | shell bash | c | write ls']);
  });

  it('reports a failure once, and a refusal as one', async () => {
    await recorder();
    const hooks = await plugin();
    await propose(hooks, 'bash', 'c');
    await event(hooks, 'message.part.updated', failedPart('c', 'gone'));
    await event(hooks, 'message.part.updated', failedPart('c', 'gone'));
    await propose(hooks, 'bash', 'd');
    const rejected = 'The user rejected permission to use this specific tool call.';
    await event(hooks, 'message.part.updated', failedPart('d', rejected));
    expect(meanings).toEqual([
      's proposed | shell bash | c | write ls',
      's failed | shell bash | c | error',
      's proposed | shell bash | d | write ls',
      's refused | shell bash | d | denied',
    ]);
  });

  it('reports what the user is asked and says', async () => {
    await recorder();
    const hooks = await plugin();
    await propose(hooks, 'bash', 'c');
    await event(hooks, 'permission.asked', { id: 'p', sessionID: 's', permission: 'bash', tool: { callID: 'c' } });
    await event(hooks, 'permission.replied', { sessionID: 's', requestID: 'p', reply: 'once' });
    await event(hooks, 'permission.replied', { sessionID: 's', requestID: 'another', reply: 'once' });
    expect(meanings.slice(1)).toEqual([
      's asked | shell bash | c | write ls',
      's approved | shell bash | c | by human user',
    ]);
  });

  it('keeps the order of a session’s events though nobody waits for them', async () => {
    await recorder();
    const hooks = await plugin();
    const started = event(hooks, 'session.created', { info: { id: 's', parentID: 'p', version: '1' } });
    const told = hooks['chat.message']({ sessionID: 's' }, { message: {}, parts: [{ type: 'text', text: 'x' }] });
    await Promise.all([propose(hooks, 'bash', 'c'), told, started]);
    expect(meanings).toEqual([
      's session_started | no reason',
      's told | user ["x"]',
      's proposed | shell bash | c | write ls',
    ]);
  });

  it('finds the recorder again after it was started again elsewhere', async () => {
    const first = await recorder();
    const hooks = await plugin();
    await propose(hooks, 'bash', 'c');
    await first.close();
    await recorder();
    await propose(hooks, 'bash', 'd');
    expect(meanings).toHaveLength(2);
  });

  it('hands the event to the script of the hooks where no recorder answers, and does what that says', async () => {
    mkdirSync(join(folder, 'hooks'));
    const script = join(folder, 'hooks', 'opencode');
    const hooks = await plugin();
    // Without a script opencode carries on: the recorder was uninstalled.
    await propose(hooks, 'bash', 'a');
    writeFileSync(script, `echo "$1" > '${join(folder, 'id')}'; cat > '${join(folder, 'given')}'\n`);
    await propose(hooks, 'bash', 'b');
    expect(readFileSync(join(folder, 'id'), 'utf8')).toMatch(/^[0-9a-f-]{36}\n$/);
    expect(JSON.parse(readFileSync(join(folder, 'given'), 'utf8'))).toMatchObject({
      event: 'call_proposed',
      call_id: 'b',
    });
    writeFileSync(script, "cat >/dev/null; echo 'Not recorded.' >&2; exit 2\n");
    await expect(propose(hooks, 'bash', 'c')).rejects.toThrow(/^Not recorded\.$/);
    await event(hooks, 'session.idle', { sessionID: 's' });
  });

  it('leaves it to the script while a recorder is waited for in vain, also to find out when one answers', async () => {
    await recorder();
    for (const name of ['hooks', 'missed']) mkdirSync(join(folder, name));
    const away = join(folder, 'missed', 'away');
    writeFileSync(away, '');
    writeFileSync(join(folder, 'hooks', 'opencode'), `cat > '${join(folder, 'given')}'; rm '${away}'\n`);
    const hooks = await plugin();
    await propose(hooks, 'bash', 'a');
    expect(JSON.parse(readFileSync(join(folder, 'given'), 'utf8'))).toMatchObject({ call_id: 'a' });
    expect(meanings).toEqual([]);
    await propose(hooks, 'bash', 'b');
    expect(meanings).toEqual(['s proposed | shell bash | b | write ls']);
  });

  it('notes what is missing where not even the script can be started, and does what the policy says', async () => {
    for (const name of ['hooks', 'agents']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'hooks', 'opencode'), 'exit 0\n');
    const hooks = await plugin();
    const { PATH: before } = process.env;
    process.env['PATH'] = folder;
    try {
      writeFileSync(join(folder, 'agents', 'opencode.json'), '{"on_failure":"allow"}');
      await propose(hooks, 'bash', 'a');
      writeFileSync(join(folder, 'agents', 'opencode.json'), '{"on_failure":"block"}');
      await expect(propose(hooks, 'bash', 'b')).rejects.toThrow('could not record');
    } finally {
      process.env['PATH'] = before;
    }
    const line = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [0-9a-f-]{36} plugin\n){2}$/;
    expect(readFileSync(join(folder, 'missed', 'opencode'), 'utf8')).toMatch(line);
  });
});
