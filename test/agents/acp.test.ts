import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { AGENT_PROGRAMS } from '../../scripts/support/agent-programs.ts';
import { readAgentFile } from '../../src/recorder/base/agent-file.ts';
import { ModelServer } from '../support/agents/model-server.ts';
import { RecordedAgent } from '../support/agents/recorded-agent.ts';
import { BUILT_COMMAND } from '../support/built-command.ts';
import { CommandProcess } from '../support/processes.ts';
import { ledgerOf } from '../support/recorder.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly options?: readonly { readonly optionId: string; readonly kind: string }[] };
  readonly result?: { readonly sessionId?: string; readonly stopReason?: string };
}

/** A client of the Agent Client Protocol, as an editor is one, which runs an agent through the proxy. */
class Client {
  readonly #child;
  readonly #waiting = new Map<number | string, (message: Message) => void>();
  #requests = 0;
  /** What it answers when it is asked: the kind of option. */
  readonly #answer: string;

  constructor(agent: RecordedAgent, command: readonly string[], answer: string) {
    this.#answer = answer;
    const args = [BUILT_COMMAND, 'record', 'acp', '--', ...command];
    const stdio = ['pipe', 'pipe', 'ignore'] as const;
    this.#child = spawn(process.execPath, args, { cwd: agent.project, env: agent.environment, stdio: [...stdio] });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(JSON.parse(line) as Message));
  }

  async ask(method: string, params: object): Promise<Message> {
    const id = ++this.#requests;
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#waiting.set(id, resolve);
    this.#send({ id, method, params });
    return promise;
  }

  close(): Promise<number | null> {
    this.#child.stdin.end();
    return new Promise((resolve) => this.#child.once('exit', resolve));
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take({ id, method, params, ...rest }: Message): void {
    if (id === undefined) return;
    if (method === undefined) {
      this.#waiting.get(id)?.({ id, ...rest });
      return;
    }
    const option = params?.options?.find(({ kind }) => kind === this.#answer);
    this.#send({
      id,
      result: option === undefined ? {} : { outcome: { outcome: 'selected', optionId: option.optionId } },
    });
  }
}

describe(`${AGENT_PROGRAMS.gemini.name} ${AGENT_PROGRAMS.gemini.version} over the Agent Client Protocol`, () => {
  it.each([
    ['allow_once', ['tool.shell execute completed']],
    ['reject_once', ['tool.shell execute refused']],
  ])('has its session, calls and permissions in the ledger, where the client answers %s', async (answer, ends) => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const calls = [
      { name: 'run_shell_command', input: { command: 'touch made.txt', description: 'x' } },
      { name: 'read_file', input: { file_path: 'a.txt' } },
    ];
    const models = await ModelServer.start(({ turn }) => (turn === 0 ? { calls } : { text: 'All done.' }));
    const agent = new RecordedAgent('gemini', { GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: models.url });
    agent.put('project/a.txt', 'hello file\n');
    agent.put('.gemini/settings.json', JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }));
    const given = ['--service', service.url, '--token', owner.client.token ?? '', '--yes'];
    const install = new CommandProcess(
      ['record', 'install', 'other', ...given],
      { ...agent.environment },
      agent.project,
    );
    expect((await install.ended).code).toBe(0);
    await agent.ensureRecorder();

    const client = new Client(agent, ['gemini', '--acp'], answer);
    const clientInfo = { name: 'probe', version: '1' };
    await client.ask('initialize', { protocolVersion: 1, clientInfo, clientCapabilities: {} });
    const { result } = await client.ask('session/new', { cwd: agent.project, mcpServers: [] });
    const sessionId = result?.sessionId ?? '';
    await client.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Do it.' }] });
    await client.close();
    await agent.sent();
    expect(models.errors).toEqual([]);

    const file = readAgentFile(agent.recorder, 'other');
    await until('the end of the session', async () =>
      (await ledgerOf(owner, file)).some(({ operation_type }) => operation_type === 'session.end'),
    );
    const lines = (await ledgerOf(owner, file)).map((row) => `${row.operation_type} ${row.subject} ${row.action}`);
    expect(lines.slice(0, 4)).toEqual([
      `session.start ${sessionId} session_started`,
      `prompt.submit ${sessionId} told`,
      'permission.ask execute asked',
      'permission.decide execute decided',
    ]);
    expect(lines).toEqual(expect.arrayContaining([...ends, `session.end ${sessionId} session_ended`]));
  });
});
