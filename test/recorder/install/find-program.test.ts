import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/recorder/install/find-program.ts';
import { temporaryFolder } from '../../support/folders.ts';

/** A folder with the program `tool`, a shell script. */
function withTool(text: string): NodeJS.ProcessEnv {
  const folder = temporaryFolder();
  const path = join(folder, 'tool');
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return { PATH: `${folder}:/usr/bin:/bin` };
}

describe.skipIf(process.platform === 'win32')('a program on the PATH', () => {
  it('says its version', async () => {
    expect((await findProgram('tool', withTool('echo tool 1.22.333 of today')))?.version).toBe('1.22.333');
    expect((await findProgram('tool', withTool('echo 1.2.3 >&2; exit 1')))?.version).toBe(null);
    expect(await findProgram('other', withTool('echo 1.2.3'))).toBe(null);
  });

  // Where root looks for it, it runs as the person: in root's session it could type into root's terminal.
  it('runs in a separate session, where no terminal is', async () => {
    const ofOwn = 'set -- $(ps -o sid= -p $$); [ "$1" = "$$" ] && ! (: </dev/tty) 2>/dev/null && echo 1.2.3';
    expect((await findProgram('tool', withTool(ofOwn)))?.version).toBe('1.2.3');
  });

  it('is not waited for longer than it may take, whatever it does to stay', async () => {
    const staying = 'trap "" TERM INT HUP; echo 1.2.3; while :; do sleep 1; done';
    expect((await findProgram('tool', withTool(staying), null, 200))?.version).toBe('1.2.3');
    const leaving = 'sleep 9 & echo 1.2.3';
    expect((await findProgram('tool', withTool(leaving), null, 200))?.version).toBe('1.2.3');
    const endless = 'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done';
    expect((await findProgram('tool', withTool(endless)))?.version).toBe(null);
  });
});
