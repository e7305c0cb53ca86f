import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { environmentName, SETTINGS } from '../../src/service/index.ts';
import { run } from '../support/command-line.ts';
import { CommandProcess, PATIENCE_MS } from '../support/processes.ts';

const COMMANDS = [
  'serve',
  'verify',
  'verify-report',
  'report',
  'qualify',
  'keygen',
  'backup',
  'restore',
  'demo',
] as const;
/** The options that the protocol and the decisions name. */
const OPTIONS: Record<(typeof COMMANDS)[number], string[]> = {
  serve: ['data-dir', 'host', 'port', 'rate-limit', 'epoch-interval', 'epoch-max-leaves', 'insecure'],
  verify: ['trust', 'receipts', 'against', 'json', 'report', 'sign'],
  report: ['out', 'trust', 'receipts', 'against', 'force'],
  'verify-report': ['trust-key', 'bundle', 'receipts', 'against', 'json'],
  qualify: ['trust', 'seed', 'single-file', 'json'],
  keygen: ['out'],
  backup: ['data-dir', 'without-keys', 'verify', 'trust'],
  restore: ['data-dir', 'trust'],
  demo: ['from', 'out'],
};

/** One sentence for a person, and where to read more; nothing of the program's inside. */
function expectSentence(stderr: string, command?: string): void {
  expect(stderr).toMatch(command === undefined ? /^countersign: / : new RegExp(`^countersign ${command}: `));
  expect(stderr).not.toMatch(/\n\s+at |Error:|ERR_/);
}

describe('help', () => {
  it('names every command', async () => {
    for (const argument of ['--help', 'help']) {
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
    expect(stdout).toMatch(new RegExp(`^countersign ${command} `));
    for (const option of [...OPTIONS[command], 'help']) expect(stdout).toContain(`--${option}`);
  });

  it.each(COMMANDS)('of %s comes before anything is done', async (command) => {
    const { code, stdout } = await run(command, 'something', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^countersign ${command} `));
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
  it.each(['nonsense', 'Serve', '--nonsense', '-h', '', 'constructor'])('no such command: "%s"', async (command) => {
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
  ])('%s %j', async (command, args) => {
    const { code, stdout, stderr } = await run(command, ...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expectSentence(stderr, command);
  });
});

describe('the program itself', { timeout: PATIENCE_MS }, () => {
  it('ends with the exit code of its command', async () => {
    const [version, unknown] = await Promise.all([
      new CommandProcess(['--version']).ended,
      new CommandProcess(['nonsense']).ended,
    ]);
    expect(version).toEqual({ code: 0, signal: null, stdout: `${packageJson.version}\n`, stderr: '' });
    expect(unknown.code).toBe(2);
    expectSentence(unknown.stderr);
  });
});
