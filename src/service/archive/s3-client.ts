import { createHash } from 'node:crypto';
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
  /** What is short, in place of a file. */
  readonly bytes?: Uint8Array;
  /** Statuses that are an answer and no failure, besides 200, 204 and 206; 404 only where it is of the object. */
  readonly answers?: readonly number[];
}

/** How long somebody waits who asks a bucket. */
export interface S3Patience {
  readonly attempts: number;
  /** A connection on which nothing moves for this long is given up. */
  readonly quietMs: number;
}

const PATIENCE: S3Patience = { attempts: 5, quietMs: 30_000 };
const CREATE_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;
const MOST_PAUSE_MS = 10_000;
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
  readonly #patience: S3Patience;

  /** @param signal ends what is under way */
  constructor(target: S3Target, signal?: AbortSignal, patience: S3Patience = PATIENCE) {
    const { endpoint, bucket, region } = target;
    this.#target = target;
    this.#signal = signal;
    this.#patience = patience;
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
      if (failure.error.code !== 'ARCHIVE_UNAVAILABLE' || attempt >= this.#patience.attempts) throw failure.error;
      await this.pause(attempt);
    }
  }

  /**
   * Writes an object where there is none.
   * @returns false where something has the name: after an answer that was lost, perhaps this very object
   * @throws ArchiveError ARCHIVE_*
   */
  async create(key: string, content: Pick<S3Request, 'file' | 'bytes'>): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const headers = { 'if-none-match': '*' };
      // 409 says that another writer was at it at the same moment, who may have failed.
      const answer = await this.send({ method: 'PUT', key, headers, ...content, answers: [409, 412] });
      answer.resume();
      if (answer.statusCode === 200) return true;
      if (answer.statusCode === 412 || (await this.#isThere(key))) return false;
      if (attempt >= CREATE_ATTEMPTS) {
        const message = `s3://${this.#target.bucket}: others write ${key} at this moment`;
        throw new ArchiveError('ARCHIVE_UNAVAILABLE', message);
      }
      await this.pause(attempt);
    }
  }

  /**
   * Some stores take the condition and do not keep to it: there two writers could replace each other's objects unseen.
   * @param probe key of an object that says nothing
   * @throws ArchiveError ARCHIVE_*
   */
  async tryCreatingOnce(probe: string): Promise<void> {
    const content = { bytes: Buffer.from('.create-once') };
    if ((await this.create(probe, content)) && (await this.create(probe, content))) {
      const message = `s3://${this.#target.bucket} does not keep to If-None-Match, without which two writers could take one name`;
      throw new ArchiveError('ARCHIVE_UNUSABLE', message);
    }
  }

  async #isThere(key: string): Promise<boolean> {
    const answer = await this.send({ method: 'GET', key, headers: { range: 'bytes=0-0' }, answers: [404] });
    answer.resume();
    return answer.statusCode !== 404;
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

  async #exchange({ method, key, query = {}, headers = {}, file, bytes }: S3Request): Promise<IncomingMessage> {
    const { region, credentials } = this.#target;
    const path = key.split('/').map(encodeURIComponent).join('/');
    const url = new URL(`${this.#base}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const held = bytes ?? new Uint8Array();
    const sum = file?.sha256 ?? createHash('sha256').update(held).digest('hex');
    const size = file?.bytes ?? held.length;
    // Where objects are locked, a sum has to be given in this form.
    const given =
      method !== 'PUT' || key === '' ? {} : { 'x-amz-checksum-sha256': Buffer.from(sum, 'hex').toString('base64') };
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, ...given, 'x-amz-content-sha256': sum },
      service: 's3',
      region,
      ...credentials,
    });
    const signed = await signer.sign();
    const length = method === 'PUT' ? { 'content-length': String(size) } : {};
    const open = signed.url.protocol === 'https:' ? overHttps : overHttp;
    return await new Promise((resolve, reject) => {
      const options = { method, headers: { ...Object.fromEntries(signed.headers), ...length }, signal: this.#signal };
      const sent = open(signed.url, options);
      const end = (why: string): void => void sent.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }));
      const within = (bytes: number) => setTimeout(() => end('no end in time'), LIMIT_MS + bytes / BYTES_A_MS);
      let limit = within(size);
      sent.setTimeout(this.#patience.quietMs, () => end('nothing moved'));
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
      if (file === undefined) sent.end(bytes);
      else {
        const read = createReadStream(file.path);
        read.on('error', (error) => sent.destroy(error));
        sent.on('close', () => read.destroy());
        read.pipe(sent);
      }
    });
  }
}
