import { once } from 'node:events';
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { codeOf } from '../../protocol/light.ts';
import { RecordError } from './record-error.ts';

/** The longest path of a Unix socket in bytes: sun_path of the systems that have less than others, and its end. */
const LONGEST_SOCKET = 103;

/**
 * Listens on a Unix socket whose file this user alone can open. One that lies there is taken for one that a crash left.
 * @param shorter where a shorter path is chosen
 * @throws RecordError FOLDER_UNUSABLE
 */
export async function listenOnOwnSocket(server: Server, path: string, shorter: string): Promise<void> {
  if (Buffer.byteLength(path) > LONGEST_SOCKET) {
    throw new RecordError('FOLDER_UNUSABLE', `${path} is too long for a socket: ${shorter}`);
  }
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry !== undefined && !entry.isSocket()) {
    throw new RecordError('FOLDER_UNUSABLE', `${path} is not a socket: remove it`);
  }
  rmSync(path, { force: true });
  const listening = once(server.listen({ path }), 'listening');
  // At once: until then those can connect whom the user's umask lets write.
  if (server.listening) chmodSync(path, 0o600);
  try {
    await listening;
  } catch (cause) {
    throw new RecordError('FOLDER_UNUSABLE', `no socket can be made at ${path}`, { cause });
  }
}

/** Whether somebody listens on a Unix socket; also where that cannot be told. */
export function isListenedOn(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => resolve(!['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(codeOf(error) ?? '')));
  });
}
