import { describe, expect, it } from 'vitest';
import {
  addHooks,
  hookedEvents,
  type JsonHooks,
  removeHooks,
} from '../../../src/recorder/install/config/json-hooks.ts';
import { TextUnusable } from '../../../src/recorder/install/config/json-text.ts';
import { addTomlHooks, removeTomlHooks, type TomlHook } from '../../../src/recorder/install/config/toml-hooks.ts';
import { unifiedDiff } from '../../../src/recorder/install/config/unified-diff.ts';

const command = '/home/ada/hooks/claudecode';
const group = { matcher: '*', hooks: [{ type: 'command', command, timeout: 10 }] };
const hooks: JsonHooks = {
  entries: new Map([
    ['PreToolUse', group],
    ['SessionEnd', group],
  ]),
  command,
  top: {},
};

const THEIRS = `{
\t// what I changed
\t"env": { "A": "1" }, /* kept */
\t"hooks": {
\t\t"PreToolUse": [
\t\t\t{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] } // first
\t\t],
\t\t"Stop": []
\t}
}`;

describe('hooks in JSON', () => {
  const texts = {
    'with comments and tabs': THEIRS,
    'on one line': '{"model":"x","hooks":{"PreToolUse":[{"hooks":[]}]}}',
    'with Windows line ends': '{\r\n  "hooks": {\r\n    "PreToolUse": [\r\n      {}\r\n    ]\r\n  }\r\n}\r\n',
    'with trailing commas': '{\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [], },\n    ],\n  },\n}\n',
    'with a byte order mark': '\uFEFF{\n  "a": 1\n}\n',
    'without members': '{}\n',
  };
  for (const [name, text] of Object.entries(texts)) {
    it(`are added to a file ${name}, and taken out again to the byte`, () => {
      const added = addHooks(text, hooks);
      expect(hookedEvents(added, command)).toEqual(['PreToolUse', 'SessionEnd']);
      expect(removeHooks(added, command) ?? '{}\n').toBe(text);
      expect(addHooks(added, hooks)).toBe(added);
    });
  }

  it('leave every line of the file that was there, but for a comma', () => {
    const added = addHooks(THEIRS, hooks);
    const lines = added.split('\n').map((line) => line.replace(/,(?= \/\/|$)/, ''));
    for (const line of THEIRS.split('\n')) expect(lines).toContain(line.replace(/,(?= \/\/|$)/, ''));
  });

  it('are brought up to date, each once', () => {
    const slow = { matcher: '*', hooks: [{ type: 'command', command, timeout: 60 }] };
    const added = addHooks(addHooks(THEIRS, hooks), { ...hooks, entries: new Map([['PreToolUse', slow]]) });
    expect(hookedEvents(added, command)).toEqual(['PreToolUse']);
    expect(added).toContain('"timeout": 60');
    expect(removeHooks(added, command)).toBe(THEIRS);
  });

  it('are taken out of a group that somebody added to', () => {
    const shared = '{"hooks":{"Stop":[{"hooks":[{"command":"mine"},{"command":"/home/ada/hooks/claudecode"}]}]}}';
    expect(removeHooks(shared, command)).toBe('{"hooks":{"Stop":[{"hooks":[{"command":"mine"}]}]}}');
  });

  const unusable = {
    'a list': '[]',
    'no JSON': '{"a": }',
    'hooks that are a text': '{"hooks": "no"}',
    'an event that is no list': '{"hooks": {"PreToolUse": {}}}',
    'a member twice': '{"hooks": {}, "hooks": {"PreToolUse": []}}',
    'too many levels': `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  };
  for (const [name, text] of Object.entries(unusable)) {
    it(`are not added to ${name}`, () => {
      expect(() => addHooks(text, hooks)).toThrow(TextUnusable);
    });
  }
});

describe('hooks in TOML', () => {
  const tables: TomlHook[] = [
    { event: 'PreToolUse', command, timeout: 10 },
    { event: 'PostToolUse', command, timeout: 10 },
  ];
  const theirs = '# mine\ndefault_model = "k"\n\n[[hooks]]\nevent = "Stop"\ncommand = "mine"\n';

  it('are added at the end, and taken out again to the byte', () => {
    const added = addTomlHooks(theirs, tables, command);
    expect(added.startsWith(theirs)).toBe(true);
    expect(addTomlHooks(added, tables, command)).toBe(added);
    expect(removeTomlHooks(added, command)).toBe(theirs);
    expect(removeTomlHooks(addTomlHooks(null, tables, command), command)).toBeNull();
  });

  it('are found where the program wrote the file without comments', () => {
    const added = addTomlHooks(theirs, tables, command).replaceAll(/^# countersign.*\n/gm, '');
    expect(addTomlHooks(added, tables, command)).toBe(added);
    expect(removeTomlHooks(added, command)).toBe(`${theirs}\n`);
  });

  it('are not added to a file that has a list of another form, or is no TOML', () => {
    expect(() => addTomlHooks('hooks = []\n', tables, command)).toThrow(TextUnusable);
    expect(() => addTomlHooks('a = = 1\n', tables, command)).toThrow(TextUnusable);
  });
});

describe('a difference', () => {
  it('is shown in the unified format, with three lines around', () => {
    const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', ''].join('\n');
    const after = before.replace('e\n', 'E\nx\n');
    expect(unifiedDiff('file', before, after).split('\n')).toEqual([
      '--- file',
      '+++ file',
      '@@ -2,7 +2,8 @@',
      ' b',
      ' c',
      ' d',
      '-e',
      '+E',
      '+x',
      ' f',
      ' g',
      ' h',
    ]);
  });

  it('is nothing between equal texts, and all of a file that is new', () => {
    expect(unifiedDiff('file', 'a\n', 'a\n')).toBe('');
    expect(unifiedDiff('file', null, 'a\nb')).toBe(
      '--- /dev/null\n+++ file\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file',
    );
  });
});
