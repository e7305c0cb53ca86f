import { fstatSync } from 'node:fs';
import { RecordError } from '../base/record-error.ts';

/** The first descriptor that is handed on (sd_listen_fds(3)). */
const FIRST = 3;

/**
 * The socket that systemd, or whoever follows sd_listen_fds(3), opened for this process. The variables are taken out: they are not
 * meant for processes that this one starts.
 * @returns its descriptor; null where none was handed on to this process
 * @throws RecordError FOLDER_UNUSABLE where there is more than one, or it is no socket
 */
export function inheritedSocket(environment: NodeJS.ProcessEnv): number | null {
  const { LISTEN_PID: pid, LISTEN_FDS: count } = environment;
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete environment[name];
  if (count === undefined || pid !== String(process.pid)) return null;
  if (count !== '1') throw unusable(`LISTEN_FDS is ${count.slice(0, 20)}, and has to be 1`);
  let isSocket: boolean;
  try {
    isSocket = fstatSync(FIRST).isSocket();
  } catch (error) {
    throw unusable('the socket that was to be handed on is not there', error);
  }
  if (!isSocket) throw unusable('what was handed on is no socket');
  return FIRST;
}

function unusable(why: string, cause?: unknown): RecordError {
  return new RecordError('FOLDER_UNUSABLE', why, { cause });
}
