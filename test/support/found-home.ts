import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURES = fileURLToPath(new URL('../fixtures/transcripts', import.meta.url));

/** The session of the fixture of Claude Code, and where its program has it below a home folder. */
export const SESSION = 'c2159485-ec23-4c5d-83a7-63bdc37e42bc';
const CLAUDE = join('.claude', 'projects', '-home-ada-project');

/** The lines of that session. */
export function sessionLines(): string[] {
  return readFileSync(join(FIXTURES, 'claudecode', '2.1.330', `${SESSION}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
}

/** Writes a file of a home folder, with the time that it would have. */
export function put(home: string, path: string, text: string, modified = new Date('2026-11-27T07:50:00Z')): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  utimesSync(whole, modified, modified);
  return whole;
}

/**
 * A home folder with the session of Claude Code, its sub-agent, and files that are none of it.
 * @param change what somebody did to the lines afterwards
 */
export function claudeHome(folder: string, change: (lines: string[]) => string[] = (lines) => lines): string {
  const home = join(folder, 'home', 'ada');
  put(home, join(CLAUDE, `${SESSION}.jsonl`), `${change(sessionLines()).join('\n')}\n`);
  cpSync(join(FIXTURES, 'claudecode', '2.1.330', SESSION), join(home, CLAUDE, SESSION), { recursive: true });
  put(home, 'notes.txt', 'nothing of it');
  put(home, 'data.json', '{"a": 1}');
  return home;
}

/** A record of the Linux audit log: a process that was started at a time. */
export function execve(at: number, serial: number, args: readonly string[], exe = `/usr/bin/${args[0]}`): string {
  const msg = `msg=audit(${Math.floor(at / 1000)}.${String(at % 1000).padStart(3, '0')}:${serial})`;
  const words = args.map((arg, index) => `a${index}=${Buffer.from(arg).toString('hex').toUpperCase()}`).join(' ');
  return [
    `type=SYSCALL ${msg}: arch=c000003e syscall=59 success=yes exit=0 ppid=1 pid=${serial} uid=1000 comm="x" exe="${exe}"`,
    `type=EXECVE ${msg}: argc=${args.length} ${words}`,
    `type=EOE ${msg}: `,
    '',
  ].join('\n');
}
