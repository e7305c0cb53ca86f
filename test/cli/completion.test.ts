// Scripts that complete command lines, run by the shells themselves.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { vocabularyOf } from '../../src/cli/completion/vocabulary.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

const folder = temporaryFolder();
writeFileSync(join(folder, 'one export.csbundle'), '');
mkdirSync(join(folder, 'data'));

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await run('completion', shell);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const path = join(folder, `countersign.${shell}`);
  writeFileSync(path, stdout);
  return path;
}

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('of %s knows every command and every option', async (shell) => {
    await script(shell);
    const { stdout } = await run('completion', shell);
    const { branches, commands } = await vocabularyOf(COMMANDS);
    for (const { entries } of branches) for (const { name } of entries) expect(stdout).toContain(name);
    for (const { words, options } of commands) {
      for (const { flag } of options) expect(stdout, words.join(' ')).toContain(flag);
    }
  });

  it.skipIf(!has('bash'))('in bash offers commands, options, values, files and folders', async () => {
    const lines: [typed: string[], offered: string[]][] = [
      [['ver'], ['verify']],
      [['record', 'un'], ['uninstall']],
      [['record', 'install', 'cla'], ['claudecode']],
      [
        ['record', 'install', 'codex', '--on-failure', ''],
        ['allow', 'block'],
      ],
      [['serve', '--recorder', 'of'], ['off']],
      [
        ['serve', '--backup-every', ''],
        ['off', 'day', 'week'],
      ],
      [
        ['verify', '--trust-'],
        ['--trust-store', '--trust-agent'],
      ],
      [['verify', 'one'], ['one export.csbundle']],
      [['verify', '--data-dir', 'd'], ['data']],
      [['verify', '--made-not-before', ''], []],
      [['trust', 're'], ['remove']],
      [
        ['completion', ''],
        ['bash', 'zsh', 'fish'],
      ],
      [['nonsense', ''], []],
    ];
    const path = await script('bash');
    const program = [
      `source '${path}'`,
      // What a bash without a line editor says of compopt is of no interest here.
      'offered() { COMP_WORDS=(countersign "$@"); COMP_CWORD=$#; _countersign 2>/dev/null',
      `printf '%s\\n' "\${COMPREPLY[@]}"; echo .; }`,
      'complete -p countersign',
      ...lines.map(([typed]) => `offered ${typed.map((word) => `'${word}'`).join(' ')}`),
    ].join('\n');
    const printed = execFileSync('bash', ['-c', program], { cwd: folder, encoding: 'utf8' });
    const [registered = '', ...rest] = printed.split('\n');
    expect(registered).toBe('complete -F _countersign countersign');
    const offered = rest.join('\n').split('.\n').slice(0, -1);
    expect(lines.map(([typed], n) => [typed, (offered[n] ?? '').split('\n').filter((one) => one !== '')])).toEqual(
      lines,
    );
  });

  it.skipIf(!has('zsh'))('in zsh is a script that zsh accepts', async () => {
    const path = await script('zsh');
    execFileSync('zsh', ['-n', path]);
    const printed = execFileSync(
      'zsh',
      [
        '-f',
        '-c',
        `autoload -Uz compinit && compinit -u -d '${folder}/dump'; source '${path}'; print $_comps[countersign]`,
      ],
      { encoding: 'utf8' },
    );
    expect(printed.trim()).toBe('_countersign');
  });

  it.skipIf(!has('fish'))('in fish offers commands, options and values', async () => {
    const path = await script('fish');
    const ask = (typed: string): string =>
      execFileSync('fish', ['--no-config', '-c', `source '${path}'; complete -C '${typed}'`], { encoding: 'utf8' });
    expect(ask('countersign ver')).toMatch(/^verify\t/);
    expect(ask('countersign record install cla')).toMatch(/^claudecode/);
    expect(ask('countersign serve --recorder ')).toMatch(/^off\t.*\non\t/);
  });
});
