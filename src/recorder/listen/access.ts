import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { writeDurablyNow } from '../../node/light.ts';
import { readOwnFile } from '../base/own-files.ts';
import { RecordError } from '../base/record-error.ts';
import { RequestRefused } from './answers.ts';

/** Lets a request through. @throws RequestRefused UNAUTHORIZED */
export type Guard = (request: IncomingMessage) => void;

/** The socket's file can be opened by its user alone. */
export const anyone: Guard = () => undefined;

/**
 * Every user of the machine, and every page in a browser, can reach a TCP port: a request has to show the token, and must have been
 * sent to this address. A page that was led here by its own name (DNS rebinding) has that name in its Host header.
 */
export function tokenGuard(token: string, port: () => number): Guard {
  const expected = Buffer.from(`Bearer ${token}`);
  return ({ headers }) => {
    const given = Buffer.from(headers.authorization ?? '');
    const isShown = given.length === expected.length && timingSafeEqual(given, expected);
    const isHere = headers.host === `127.0.0.1:${port()}` || headers.host === `localhost:${port()}`;
    if (!isShown || !isHere) throw new RequestRefused('UNAUTHORIZED', 'show the token of the recorder, at its address');
  };
}

/**
 * The token of this user's recorder: made at the first start, and kept, so that configurations may hold it.
 * @throws RecordError FOLDER_UNUSABLE
 */
export function keptToken(path: string): string {
  if (!existsSync(path)) writeDurablyNow(path, `${randomBytes(32).toString('base64url')}\n`);
  const token = readOwnFile(path).trim();
  if (/^[A-Za-z0-9_-]{43}$/.test(token)) return token;
  throw new RecordError('FOLDER_UNUSABLE', `${path} holds no token: remove the file, and the next start makes one`);
}
