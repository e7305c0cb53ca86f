import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type Command, parseCommandLine } from '../../src/cli/command.ts';
import { COMMANDS as TABLE, TASKS } from '../../src/cli/command-table.ts';
import { environmentName, SETTINGS } from '../../src/service/index.ts';
import { run } from '../support/command-line.ts';
import { CommandProcess, PATIENCE_MS, SOURCES } from '../support/processes.ts';

const COMMANDS = [
  'serve',
  'verify',
  'report',
  'proof',
  'qualify',
  'keygen',
  'backup',
  'restore',
  'demo',
  'completion',
] as const;
/** The options that the protocol and the decisions name. */
const OPTIONS: Record<(typeof COMMANDS)[number], string[]> = {
  serve: ['data-dir', 'host', 'port', 'rate-limit', 'epoch-interval', 'epoch-max-leaves', 'insecure'],
  verify: ['trust', 'receipts', 'against', 'json', 'report', 'sign', 'bundle', 'examiner'],
  report: ['out', 'trust', 'receipts', 'against', 'force'],
  qualify: ['trust', 'seed', 'single-file', 'json'],
  keygen: ['out'],
  backup: ['data-dir', 'without-keys', 'verify', 'trust'],
  restore: ['data-dir', 'trust'],
  demo: ['from', 'out'],
  proof: ['records', 'out', 'tlog', 'checkpoint'],
  completion: [],
};

/** Every command of the table, those of groups too. */
async function everyCommand(): Promise<Command[]> {
  const found = await Promise.all(TABLE.map(({ load }) => load()));
  const all = found.map(async (one) => ('run' in one ? [one] : Promise.all(one.commands.map(({ load }) => load()))));
  return (await Promise.all(all)).flat();
}

/** One sentence for a person, and where to read more; nothing of the program's inside. */
function expectSentence(stderr: string, command?: string): void {
  expect(stderr).toMatch(command === undefined ? /^countersign: / : new RegExp(`^countersign ${command}: `));
  expect(stderr).not.toMatch(/\n\s+at |Error:|ERR_/);
}

describe('help', () => {
  it('names every command', async () => {
    for (const argument of ['--help', '-h', 'help']) {
      const { code, stdout, stderr } = await run(argument);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const command of COMMANDS) expect(stdout).toContain(command);
    }
  });

  it('is shown, and the exit code is 2, where nothing is asked for', async () => {
    const { code, stdout } = await run();
    expect(code).toBe(2);
    for (const command of COMMANDS) expect(stdout).toContain(command);
  });

  it.each(COMMANDS)('of %s names all its options', async (command) => {
    const { code, stdout, stderr } = await run(command, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage\n {2}countersign ${command}`, 'm'));
    for (const option of [...OPTIONS[command], 'help']) expect(stdout).toContain(`--${option}`);
  });

  it.each(COMMANDS)('of %s comes before anything is done', async (command) => {
    const { code, stdout } = await run(command, 'something', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage\n {2}countersign ${command}`, 'm'));
  });

  it('groups the commands by what people want to do, each with a sentence', async () => {
    const { stdout } = await run('--help');
    for (const { title, entries } of TASKS) {
      const section = stdout.split('\n\n').find((part) => part.startsWith(`${title}\n`)) ?? '';
      for (const { name, summary } of entries) {
        expect(section).toMatch(new RegExp(`^ {2}${name}[ \\n]+\\S`, 'm'));
        expect(summary).toMatch(/^[A-Z].*\.$/);
      }
    }
  });

  it('fits into 80 columns, but for command lines to paste', async () => {
    for (const { name } of await everyCommand()) {
      const { stdout } = await run(...name.split(' '), '--help');
      const [beforeExamples = '', examples = ''] = stdout.split('\nExamples\n');
      const others = examples.split('\n').filter((line) => !line.startsWith('    countersign '));
      const tooLong = [...beforeExamples.split('\n'), ...others].filter((line) => line.length > 80);
      expect(tooLong, name).toEqual([]);
    }
  });

  it('says for every command what its exit codes mean, and gives an example that can be run as it is', async () => {
    for (const command of await everyCommand()) {
      const { name, examples, exitCodes, synopsis } = command;
      expect(synopsis.length, name).toBeGreaterThan(0);
      expect(
        exitCodes.map(([code]) => code),
        name,
      ).toContain('2');
      expect(examples.length, name).toBeGreaterThan(0);
      for (const { args, what } of examples) {
        expect(what, name).toMatch(/^[A-Za-z].*:$/);
        const [line = ''] = args.split(/ [|>] /);
        const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
        expect(() => parseCommandLine(command, words), `${name} ${args}`).not.toThrow();
      }
    }
  });

  it('of a command is what help with its name shows too', async () => {
    const [one, other] = [await run('help', 'verify'), await run('verify', '-h')];
    expect(one).toEqual(other);
    expect((await run('help', 'nonsense')).stdout).toBe((await run('--help')).stdout);
  });

  it('of serve names every setting, by its option and in the environment, with its default', async () => {
    const { stdout } = await run('serve', '--help');
    for (const setting of SETTINGS) {
      expect(stdout).toContain(`--${setting.flag}`);
      expect(stdout).toContain(environmentName(setting));
      const { fallback } = setting;
      if (fallback !== null && fallback !== false) expect(stdout).toContain(`(${String(fallback)})`);
    }
  });
});

describe('the version', () => {
  it('is that of the package', async () => {
    expect(await run('--version')).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });
});

describe('wrong usage', () => {
  it.each(['nonsense', 'Serve', '--nonsense', '', 'constructor'])('no such command: "%s"', async (command) => {
    const { code, stdout, stderr } = await run(command);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expectSentence(stderr);
  });

  it.each(COMMANDS)('%s: an unknown option', async (command) => {
    for (const args of [['--nonsense'], ['-x'], ['--nonsense=1'], ['--help=yes']]) {
      const { code, stdout, stderr } = await run(command, ...args);
      expect(code).toBe(2);
      expect(stdout).toBe('');
      expectSentence(stderr, command);
      expect(stderr).toContain(`countersign ${command} --help`);
    }
  });

  it.each<[string, string[]]>([
    ['serve', ['--port']],
    ['serve', ['--insecure=on']],
    ['serve', ['something']],
    ['serve', ['--port', '--host', 'x']],
    ['verify', []],
    ['verify', ['--trust']],
    ['verify', ['--json']],
    ['keygen', ['something']],
    ['keygen', ['--out']],
    ['backup', []],
    ['backup', ['one', 'two']],
    ['backup', ['one', '--verify', 'two']],
    ['backup', ['one', '--trust', 'A'.repeat(43)]],
    ['restore', []],
    ['restore', ['one']],
    ['restore', ['one', 'two', '--data-dir', 'three']],
    ['demo', ['something']],
    ['demo', ['--from', '--out', 'x']],
    ['completion', []],
    ['completion', ['powershell']],
    ['completion', ['bash', 'zsh']],
    ['trust', []],
    ['trust', ['add']],
  ])('%s %j', async (command, args) => {
    const { code, stdout, stderr } = await run(command, ...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expectSentence(stderr, command);
  });
});

describe('what somebody most likely meant', () => {
  it.each([
    [['veify', 'x'], 'verify'],
    [['Serve'], 'serve'],
    [['key'], 'keygen'],
    [['record', 'instal'], 'install'],
    [['verify', 'x', '--trsut', 'y'], '--trust'],
    [['report', 'x', '--recieps', 'y'], '--receipts'],
    [['serve', '--recorder', 'onn'], 'on'],
    [['serve', '--backup-every', 'days'], 'day'],
    [['record', 'install', 'claudcode'], 'claudecode'],
    [['record', 'install', 'codex', '--on-failure', 'blok'], 'block'],
    [['trust', 'ad', 'x'], 'add'],
    [['completion', 'fisch'], 'fish'],
  ])('is asked for %j', async (argv, meant) => {
    const { code, stderr } = await run(...argv);
    expect(code).toBe(2);
    expect(stderr).toContain(`Did you mean ${meant}?`);
  });

  it.each([
    [['verify', 'x', '--trust'], '--trust needs a value: --trust KEY[@ORG_ID]|JWKS-FILE'],
    [['verify', 'x', '--trust', '--json'], '--trust needs a value: --trust KEY[@ORG_ID]|JWKS-FILE'],
    [['report', 'x', '-o'], '--out needs a value: --out FILE'],
    [['verify', 'x', '--json=yes'], '--json takes no value'],
  ])('comes with what an option takes: %j', async (argv, sentence) => {
    const { code, stderr } = await run(...argv);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `countersign ${argv[0]}: ${sentence}\nTry: countersign ${argv[0]} --help\n`,
    });
  });

  it('is not guessed where nothing is near', async () => {
    for (const argv of [
      ['nonsense'],
      ['x'],
      ['verify', '--q', 'y'],
      ['x'.repeat(5000)],
      ['verify', `--${'x'.repeat(5000)}`],
    ]) {
      const { code, stderr } = await run(...argv);
      expect(code).toBe(2);
      expect(stderr).not.toContain('Did you mean');
    }
  });
});

describe('the program itself', { timeout: PATIENCE_MS }, () => {
  it('ends with the exit code of its command', async () => {
    const [version, unknown] = await Promise.all([
      new CommandProcess(['--version'], {}, undefined, SOURCES).ended,
      new CommandProcess(['nonsense'], {}, undefined, SOURCES).ended,
    ]);
    expect(version).toEqual({ code: 0, signal: null, stdout: `${packageJson.version}\n`, stderr: '' });
    expect(unknown.code).toBe(2);
    expectSentence(unknown.stderr);
  });
});
