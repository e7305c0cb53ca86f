import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

export interface HandedOver {
  readonly argv: string[];
  readonly cwd: string;
}

export interface InstanceLock {
  readonly isFirst: boolean;
  release(): Promise<void>;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function take(file: string): boolean {
  try {
    const handle = openSync(file, 'wx');
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch {
    if (isAlive(Number(readFileSync(file, 'utf8')))) return false;
    rmSync(file, { force: true });
    return take(file);
  }
}

/** One instance for each folder of user data, decided synchronously as Electron does; a second hands its arguments over. */
export function lockInstance(folder: string, onSecond: (handed: HandedOver) => void): InstanceLock {
  mkdirSync(folder, { recursive: true });
  const [file, path] = [join(folder, 'singleton.pid'), join(folder, 'singleton.sock')];
  if (!take(file)) {
    const sent = new Promise<void>((resolve) => {
      const socket = connect(path, () => socket.end(JSON.stringify({ argv: process.argv, cwd: process.cwd() })));
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
    });
    return { isFirst: false, release: () => sent };
  }
  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('end', () => {
      socket.end();
      onSecond(JSON.parse(text) as HandedOver);
    });
  });
  server.listen(path);
  server.unref();
  return {
    isFirst: true,
    release: async () => {
      server.close();
      rmSync(file, { force: true });
    },
  };
}
