/** The thread that sends records to a syslog server: it words and encrypts them, while the service keeps serving. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { HandedRecord } from '../../../actions/index.ts';
import { serveRequests, untilStopped } from '../../../node/index.ts';
import { messageOf } from '../../../protocol/light.ts';
import { type RecordsOf, TEXT_FORMS } from '../../evidence/record-files/text-forms.ts';

/** A page of records for a receiver. */
export interface SyslogBatch {
  /** HOST:PORT. */
  readonly to: string;
  /** Paths of PEM files: the authorities that the receiver's certificate is from, and what this side shows; null for none. */
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
  readonly of: RecordsOf;
  /** Records as JSON, one a line. */
  readonly lines: Uint8Array;
}

export type SyslogErrorCode = 'SYSLOG_SETTINGS' | 'SYSLOG_UNREACHABLE' | 'SYSLOG_UNTRUSTED' | 'SYSLOG_NOT_TAKEN';

/** Why a page was not taken: a code, and a sentence for the operator's log, which may name paths and addresses. */
export interface SyslogRefusal {
  readonly code: SyslogErrorCode;
  readonly message: string;
}

class SyslogError extends Error {
  override readonly name = 'SyslogError';
  readonly code: SyslogErrorCode;

  constructor(code: SyslogErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** How long nothing may be heard of the receiver, in milliseconds. */
const SILENCE_MS = 20_000;

/** Messages with their lengths in bytes before them (RFC 5425 §4.3). */
function framed(lines: Uint8Array, of: RecordsOf): Buffer {
  const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString().split('\n').slice(0, -1);
  const frames = texts.map((text) => {
    const message = TEXT_FORMS.syslog.line(JSON.parse(text) as HandedRecord, of).trimEnd();
    return `${Buffer.byteLength(message)} ${message}`;
  });
  return Buffer.from(frames.join(''));
}

function fileOf(what: string, path: string | null): Buffer | undefined {
  if (path === null) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new SyslogError('SYSLOG_SETTINGS', `${what} ${path}: ${messageOf(error)}`);
  }
}

async function connected({ to, ...files }: SyslogBatch, signal: AbortSignal): Promise<TLSSocket> {
  const [ca, cert, key] = [
    fileOf('syslog-ca', files.ca),
    fileOf('syslog-cert', files.cert),
    fileOf('syslog-key', files.key),
  ];
  const { hostname, port } = new URL(`tls://${to}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  let socket: TLSSocket;
  try {
    socket = connect({ host, port: Number(port), ca, cert, key, ...(isIP(host) === 0 ? { servername: host } : {}) });
  } catch (error) {
    // What is no certificate or no key is found before anything is sent.
    throw new SyslogError('SYSLOG_SETTINGS', messageOf(error));
  }
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`nothing was heard for ${SILENCE_MS / 1000} s`)));
  try {
    await once(socket, 'secureConnect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    const isUntrusted = socket.authorizationError !== null && socket.authorizationError !== undefined;
    throw new SyslogError(isUntrusted ? 'SYSLOG_UNTRUSTED' : 'SYSLOG_UNREACHABLE', `${to}: ${messageOf(error)}`);
  }
}

/**
 * Syslog has no answer that says what was taken (RFC 5425 §6.3). Next to it is a receiver that closes the connection
 * after this side did: it has read all. One that ends before leaves something unread, which resets the connection, but for what was on
 * its way in that moment: `seq_no` tells a receiver what it lacks.
 */
async function send(batch: SyslogBatch, signal: AbortSignal): Promise<void> {
  const messages = framed(batch.lines, batch.of);
  const socket = await connected(batch, signal);
  try {
    const closed = once(socket, 'end', { signal });
    socket.resume();
    socket.end(messages);
    await closed;
    if (!socket.writableFinished) throw new Error('the receiver closed before it had everything');
  } catch (error) {
    signal.throwIfAborted();
    throw new SyslogError('SYSLOG_NOT_TAKEN', `${batch.to}: ${messageOf(error)}`);
  } finally {
    socket.destroy();
  }
}

serveRequests<SyslogBatch, void, never, SyslogRefusal>(
  (batch, { signal }) => untilStopped(signal, (abort) => send(batch, abort)),
  {
    refusalOf: (error) => (error instanceof SyslogError ? { code: error.code, message: error.message } : undefined),
  },
);
