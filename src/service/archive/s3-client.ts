import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { request as overHttp } from '../../node/light.ts';
import { codeOf } from '../../protocol/light.ts';
import { ArchiveError } from './archive-error.ts';
import type { S3Target } from './s3-target.ts';

/** What is sent: a file, whose digest the other side holds it to. */
export interface S3File {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256, in hexadecimal. */
  readonly sha256: string;
}

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Within the bucket; empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly file?: S3File;
  /** Statuses that are an answer and no failure, besides 200, 204 and 206; 404 only where it is of the object. */
  readonly answers?: readonly number[];
}

/** SHA-256 of nothing: what a request without a body is signed with. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;
const MOST_PAUSE_MS = 10_000;
/** A connection on which nothing moves for this long is given up. */
const QUIET_MS = 30_000;
/** What an exchange may take in all: this, and the time for its bytes at the slowest rate that is of use. */
const LIMIT_MS = 60_000;
const BYTES_A_MS = 16;
/** An error's body and a page of a listing are text; more than this is neither. */
const MOST_TEXT = 8 * 1024 * 1024;

/** Failures that may be over by themselves. */
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

function refusal(bucket: string, answer: IncomingMessage, said: string): ArchiveError {
  const status = answer.statusCode ?? 0;
  const [, code = `HTTP ${status}`] = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(said) ?? [];
  const of = `s3://${bucket}`;
  if (code === 'QuotaExceeded' || status === 507)
    return new ArchiveError('ARCHIVE_FULL', `${of} takes no more: its quota is used up (${code})`);
  if (code === 'RequestTimeTooSkewed')
    return new ArchiveError('ARCHIVE_REFUSED', `${of}: this machine's clock differs from the bucket's (${code})`);
  if (status === 401 || status === 403) {
    const message = `${of} refuses these credentials, or they may not do this: check the key, its secret and the policy (${code})`;
    return new ArchiveError('ARCHIVE_REFUSED', message);
  }
  if (status === 301 || status === 307) {
    return new ArchiveError(
      'ARCHIVE_UNUSABLE',
      `${of} is in another region or at another address: set AWS_REGION (${code})`,
    );
  }
  if (PASSING.has(status)) return new ArchiveError('ARCHIVE_UNAVAILABLE', `${of} does not answer at present (${code})`);
  return new ArchiveError(
    'ARCHIVE_UNUSABLE',
    `${of} cannot be used: there is no such bucket, or it does not know the request (${code})`,
  );
}

/** The body of an answer that is short, as text. */
export async function textOf(answer: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer) {
    bytes += piece.length;
    if (bytes > MOST_TEXT) throw new Error('an answer of the bucket is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Signed requests to one bucket, tried again where a failure may pass. Files are streamed, never held. */
export class S3Client {
  readonly #target: S3Target;
  readonly #base: string;
  readonly #signal: AbortSignal | undefined;

  /** @param signal ends what is under way */
  constructor(target: S3Target, signal?: AbortSignal) {
    const { endpoint, bucket, region } = target;
    this.#target = target;
    this.#signal = signal;
    // Certificates of *.s3.REGION.amazonaws.com are of no name with a further dot.
    const isHost = endpoint === null && !bucket.includes('.');
    const address = endpoint ?? `https://${isHost ? `${bucket}.` : ''}s3.${region}.amazonaws.com`;
    this.#base = `${address.replace(/\/+$/, '')}${isHost ? '' : `/${bucket}`}`;
  }

  /** @throws ArchiveError ARCHIVE_* */
  async send(request: S3Request): Promise<IncomingMessage> {
    for (let attempt = 1; ; attempt++) {
      const failure = await this.#attempt(request);
      if ('answer' in failure) return failure.answer;
      if (failure.error.code !== 'ARCHIVE_UNAVAILABLE' || attempt === ATTEMPTS) throw failure.error;
      await this.pause(attempt);
    }
  }

  /** Waits before the next attempt: longer each time, and never as long as others that began at the same moment. */
  async pause(attempt: number): Promise<void> {
    const longest = Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
    await pause(Math.random() * longest, undefined, { signal: this.#signal });
  }

  async #attempt(request: S3Request): Promise<{ answer: IncomingMessage } | { error: ArchiveError }> {
    const { bucket } = this.#target;
    try {
      const answer = await this.#exchange(request);
      const status = answer.statusCode ?? 0;
      const isAnswer = [200, 204, 206, ...(request.answers ?? [])].includes(status);
      if (isAnswer && status !== 404) return { answer };
      const said = await textOf(answer);
      return isAnswer && !said.includes('<Code>NoSuchBucket<') ? { answer } : { error: refusal(bucket, answer, said) };
    } catch (error) {
      this.#signal?.throwIfAborted();
      const message = `s3://${bucket} cannot be reached (${codeOf(error) ?? 'no answer'})`;
      return { error: new ArchiveError('ARCHIVE_UNAVAILABLE', message, { cause: error }) };
    }
  }

  async #exchange({ method, key, query = {}, headers = {}, file }: S3Request): Promise<IncomingMessage> {
    const { region, credentials } = this.#target;
    const path = key.split('/').map(encodeURIComponent).join('/');
    const url = new URL(`${this.#base}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const sum = file?.sha256 ?? EMPTY;
    // Where objects are locked, a sum has to be given in this form.
    const given = file === undefined ? {} : { 'x-amz-checksum-sha256': Buffer.from(sum, 'hex').toString('base64') };
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, ...given, 'x-amz-content-sha256': sum },
      service: 's3',
      region,
      ...credentials,
    });
    const signed = await signer.sign();
    const length = file === undefined ? {} : { 'content-length': String(file.bytes) };
    const open = signed.url.protocol === 'https:' ? overHttps : overHttp;
    return await new Promise((resolve, reject) => {
      const options = { method, headers: { ...Object.fromEntries(signed.headers), ...length }, signal: this.#signal };
      const sent = open(signed.url, options);
      const end = (why: string): void => void sent.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }));
      const within = (bytes: number) => setTimeout(() => end('no end in time'), LIMIT_MS + bytes / BYTES_A_MS);
      let limit = within(file?.bytes ?? 0);
      sent.setTimeout(QUIET_MS, () => end('nothing moved'));
      sent.on('response', (answer) => {
        clearTimeout(limit);
        limit = within(Number(answer.headers['content-length'] ?? 0));
        resolve(answer);
      });
      sent.on('error', reject);
      sent.on('close', () => {
        clearTimeout(limit);
        reject(new Error('the connection ended without an answer'));
      });
      if (file === undefined) sent.end();
      else {
        const read = createReadStream(file.path);
        read.on('error', (error) => sent.destroy(error));
        sent.on('close', () => read.destroy());
        read.pipe(sent);
      }
    });
  }
}
