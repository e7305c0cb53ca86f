import { describe, expect, it } from 'vitest';
import { AGENT_PROGRAMS, versionOf } from '../../scripts/support/agent-programs.ts';
import { list, type ModelCall, record } from '../support/agents/conversation.ts';
import { joinedCalls, lostIn, recordsOfCalls } from '../support/agents/joined-calls.ts';
import { LIMIT_MS, testProgram } from '../support/agents/program-tests.ts';
import { finished, type ProgramUnderTest, start } from '../support/agents/started.ts';

const config = (models: string, model = 'gpt-5.5'): string => `
model = "${model}"
model_provider = "local"

[model_providers.local]
name = "local"
base_url = "${models}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
`;

/** The number of the process that a command was left running in. */
function runningIn(said: string): number {
  return Number(/running with session ID (\d+)/.exec(said)?.[1] ?? 0);
}

function patch(what: string, lines: string): string {
  return `*** Begin Patch\n*** ${what}\n${lines}\n*** End Patch`;
}

function patched(what: string, told: string): ModelCall {
  return { name: 'apply_patch', input: {}, text: patch(what, told) };
}

function lines(sign: string, text: string): string {
  return text.trimEnd().replaceAll(/^/gm, sign);
}

function shell(command: string): ModelCall {
  return { name: 'exec_command', input: { cmd: command } };
}

const CODEX: ProgramUnderTest = {
  id: 'codex',
  environment: () => ({ LOCAL_KEY: 'x' }),
  files: (models) => ({
    '.codex/config.toml': config(models),
    '.codex/rules/tests.rules': 'prefix_rule(pattern = ["rm"], decision = "forbidden")\n',
  }),
  run: (prompt) => ['exec', '--skip-git-repo-check', '-s', 'danger-full-access', prompt],
  spelling: {
    shell,
    read: (path) => shell(`cat ${path}`),
    write: (path, text) => patched(`Add File: ${path}`, lines('+', text)),
    edit: (path, from, to) => patched(`Update File: ${path}`, `@@\n-${from}\n+${to}`),
    badInput: (mark) => ({ name: 'exec_command', input: { x: mark } }),
    forbids: (file) => shell(`rm ${file}`),
    subAgent: (told) => ({ name: 'spawn_agent', group: 'multi_agent_v1', input: { message: told } }),
    typing: {
      open: (mark) => ({ name: 'exec_command', input: { cmd: `/bin/sh; : ${mark}`, tty: true, yield_time_ms: 300 } }),
      type: (said, text) => ({ name: 'write_stdin', input: { session_id: runningIn(said), chars: text } }),
    },
    heredoc: (path) => `apply_patch <<'EOF'\n${patch(`Add File: ${path}`, '+größe 数')}\nEOF`,
  },
  // Its hooks do not tell how a command ended, and its transcript does.
  calls: [
    'tool.shell echo | proposed, completed | ok 0',
    'tool.shell cat | proposed, completed | ok 0',
    'tool.shell ls | proposed, failed | error 2',
    'tool.agent spawn_agent | proposed, completed | ok',
    'tool.shell echo | proposed, completed | ok 0 | in a sub-agent',
    'tool.shell rm | proposed, refused | denied',
    'tool.shell date | proposed, completed | ok 0',
  ],
  saysEnd: true,
  findings: [],
};

testProgram(CODEX);

/** A model of those that write code: its one tool runs JavaScript, which calls the others. */
const CODE_MODE: ProgramUnderTest = {
  ...CODEX,
  files: (models, project) => ({ ...CODEX.files(models, project), '.codex/config.toml': config(models, 'gpt-6-sol') }),
};

/** What its code runs; a rule forbids the last. */
const COMMANDS = ['echo from-code', 'cat a.txt', 'ls /nonexistent; exit 3', '/bin/sh', 'rm a.txt'];
const CODES = [
  `text((await tools.exec_command({cmd: "${COMMANDS[0]}"})).output)`,
  `const cmds = ${JSON.stringify([COMMANDS[1], COMMANDS[2], COMMANDS[4]])};
   text(JSON.stringify(await Promise.allSettled(cmds.map((cmd) => tools.exec_command({cmd})))))`,
  `await tools.apply_patch(${JSON.stringify(patch('Add File: größe.txt', '+größe 数'))})`,
  `const {session_id} = await tools.exec_command({cmd: "${COMMANDS[3]}", tty: true, yield_time_ms: 300});
   await tools.write_stdin({session_id, chars: "echo typed größe\\n"});
   await tools.write_stdin({session_id, chars: "exit 0\\n"})`,
  'await tools.levitate({x: 1})',
  'not JavaScript (',
];

describe(`${AGENT_PROGRAMS.codex.name} ${versionOf('codex')} in Code Mode`, { timeout: LIMIT_MS }, () => {
  it('has the code and each call that it makes in the ledger once', async () => {
    const started = await start(CODE_MODE, ({ turn }) => {
      const text = CODES[turn];
      return text === undefined ? { text: 'All done.' } : { calls: [{ name: 'exec', input: {}, text }] };
    });
    await started.agent.startRecorder();
    const ledger = await finished(CODE_MODE, started);
    expect([...joinedCalls(ledger)].sort()).toEqual(
      [
        'tool.shell echo | proposed, completed | ok 0',
        'tool.shell cat | proposed, completed | ok 0',
        'tool.shell ls | proposed, failed | error 3',
        // What is typed into it is in the code, and in what it printed: neither hooks nor the transcript have a call of it.
        'tool.shell sh | proposed, completed | ok 0',
        // That a rule forbids a call is told to the code alone.
        'tool.shell rm | proposed, failed | unknown',
        'tool.file_write größe.txt | proposed, completed | ok',
        ...Array.from({ length: 4 }, () => 'tool.other exec | completed | ok'),
        ...Array.from({ length: 2 }, () => 'tool.other exec | failed | error'),
      ].sort(),
    );
    expect(lostIn(ledger)).toBe(0);
    const inputs = recordsOfCalls(ledger).map(([first]) => record(first?.shown['input'])['value'] ?? null);
    expect(inputs.filter((input) => typeof input === 'string')).toEqual(CODES);
    const commands = inputs.map((input) => record(input)['command']);
    for (const command of COMMANDS) expect(commands.filter((one) => one === command)).toEqual([command]);
    expect(JSON.stringify(ledger.filter(({ subject }) => subject === 'sh'))).toContain('typed größe');
    const [check] = ledger.filter(({ shown }) => record(shown['note'])['kind'] === 'session.check');
    const { missing, extra } = record(check?.shown['x_recorder']);
    expect([list(missing).map((one) => record(one)['about']), record(extra)['unread']]).toEqual([['rm'], 0]);
  });
});
