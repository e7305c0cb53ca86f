import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:http';
import { request } from '../../node/light.ts';
import type { RecorderHome } from '../base/home.ts';
import { readOwnFile } from '../base/own-files.ts';
import { RecordError } from '../base/record-error.ts';

/** How long a running recorder may take to answer, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Asks the running recorder of this user, over its socket, or its port where there are no sockets.
 * @param body posted as JSON; without one the path is read
 * @returns the answer, parsed
 * @throws RecordError RECORDER_AWAY
 */
export function askRecorder(home: RecorderHome, path: string, body?: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void =>
      reject(new RecordError('RECORDER_AWAY', 'no recorder of this user answers', { cause }));
    let options: RequestOptions;
    try {
      options = addressOf(home);
    } catch (error) {
      fail(error);
      return;
    }
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const asked = request({ ...options, path, signal, method: body === undefined ? 'GET' : 'POST' }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', fail);
      answer.once('end', () => {
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString()));
        } catch (error) {
          fail(error);
        }
      });
    });
    asked.once('error', fail);
    if (body === undefined) asked.end();
    else asked.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
}

function addressOf(home: RecorderHome): RequestOptions {
  if (process.platform !== 'win32') return { socketPath: home.socket };
  const { port } = JSON.parse(readFileSync(home.address, 'utf8'));
  const authorization = `Bearer ${readOwnFile(home.token).trim()}`;
  return { host: '127.0.0.1', port: Number(port), headers: { authorization } };
}
