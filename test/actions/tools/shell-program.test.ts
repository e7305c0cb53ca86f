import { describe, expect, it } from 'vitest';
import { programOf } from '../../../src/actions/tools/index.ts';

describe('the program that a command line is for', () => {
  it.each([
    ['git status', 'git'],
    ['cd /srv && git push', 'git'],
    ['cd a; export X=1; ./build.sh --fast', 'build.sh'],
    ['/usr/bin/python3 -m http.server', 'python3'],
    ['FOO=bar BAZ="a b" npm test', 'npm'],
    ['env -i PATH=/bin FOO=1 make', 'make'],
    ['sudo -E apt-get update', 'apt-get'],
    ['timeout 30 curl https://example.org', 'curl'],
    ['nohup nice -5 node server.js &', 'node'],
    ['bash -lc "cd x && cargo build"', 'cargo'],
    ["'my tool' --x", null],
    ['"C:\\\\Program Files\\\\Git\\\\bin\\\\git.exe" log', 'git.exe'],
    ['if test -f x; then rm x; fi', 'rm'],
    ['set -e\nterraform apply', 'terraform'],
    ['cat a.txt | grep x', 'cat'],
    ['echo hi > /dev/null', 'echo'],
    ['cd somewhere', 'cd'],
    ['$CMD run', null],
    ['', null],
    ['   ', null],
    ['\\\nls', 'ls'],
  ])('%j: %j', (line, program) => {
    expect(programOf(line)).toBe(program);
  });
});
