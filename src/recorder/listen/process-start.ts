import { readFileSync } from 'node:fs';

/**
 * When a process started, in ticks since the machine did (proc_pid_stat(5), starttime): tells it from a later one that got the same
 * id. The hook's script reads the same field.
 * @returns null where there is no such process, or the system does not say
 */
export function processStart(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The second field is the program's name in parentheses, with whatever characters it has; starttime is the 22nd.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
