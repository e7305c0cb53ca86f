import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError, folderProblem } from './archive-error.ts';
import { type ArchivedLedger, ledgerPath, type RunKey, readRunPath } from './run-name.ts';
import { type ArchivedFile, type Created, type FilePart, RunStore, type StoreStep, sha256Of } from './run-store.ts';
import { S3Client, textOf } from './s3-client.ts';
import type { S3Target } from './s3-target.ts';

const TEMPORARY = /^\.archive-[0-9a-f-]{36}\.part$/;

/** An object that says nothing: whether a bucket keeps to `If-None-Match` is tried on it. */
const PROBE = '.create-once';

/** How often a read that broke off is continued without a further byte. */
const READ_ATTEMPTS = 5;

const MOST_PAGES = 100_000;

interface S3StoreMeans {
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: StoreStep) => void) | undefined;
}

/** An archive in a bucket. A run is written to a folder here first: a request has to say its length and digest before its bytes. */
export class S3Store extends RunStore {
  readonly #client: S3Client;
  readonly #target: S3Target;
  readonly #spool: string;
  #isTried = false;

  /** @param spool folder for runs in the making */
  constructor(target: S3Target, spool: string, { signal, onStep }: S3StoreMeans = {}) {
    super(onStep);
    this.#client = new S3Client(target, signal);
    this.#target = target;
    this.#spool = spool;
  }

  async list(ledger?: ArchivedLedger): Promise<ArchivedFile[]> {
    const { prefix: root, bucket } = this.#target;
    const prefix = ledger === undefined ? root : `${root}${ledgerPath(ledger)}/`;
    const files: ArchivedFile[] = [];
    let token: string | null = null;
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = { 'list-type': '2', 'encoding-type': 'url', prefix };
      const more: Record<string, string> = token === null ? {} : { 'continuation-token': token };
      const text = await textOf(await this.#client.send({ method: 'GET', key: '', query: { ...query, ...more } }));
      if (!/<ListBucketResult[\s>]/.test(text)) break;
      for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) {
        const path = keyOf(key).slice(root.length);
        if (path !== PROBE) files.push({ path, name: readRunPath(path) });
      }
      if (!/<IsTruncated>true<\/IsTruncated>/.test(text)) return files;
      const [, next] = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(text) ?? [];
      if (next === undefined) break;
      token = textOfXml(next);
    }
    throw new ArchiveError('ARCHIVE_UNUSABLE', `s3://${bucket} answers with no list of objects that could be read`);
  }

  /** What is read after a break is of the same object, or not read. */
  async *bytes(path: string, part?: FilePart): AsyncGenerator<Uint8Array> {
    const key = this.#target.prefix + path;
    let at = part?.start ?? 0;
    let tag: string | undefined;
    for (let attempt = 1; ; attempt++) {
      const isWhole = at === 0 && part === undefined;
      const headers = {
        ...(isWhole ? {} : { range: `bytes=${at}-${part?.end ?? ''}` }),
        ...(tag === undefined ? {} : { 'if-match': tag }),
      };
      const answer = await this.#client.send({ method: 'GET', key, headers, answers: [404] });
      if (answer.statusCode === 404) throw Object.assign(new Error(`${path} is not there`), { code: 'ENOENT' });
      if (!isWhole && answer.statusCode !== 206) {
        answer.destroy();
        throw new ArchiveError('ARCHIVE_UNUSABLE', `s3://${this.#target.bucket} cannot be read in parts`);
      }
      tag = answer.headers.etag;
      const begun = at;
      try {
        for await (const piece of answer as AsyncIterable<Uint8Array>) {
          at += piece.length;
          yield piece;
        }
        return;
      } catch (error) {
        if (at > begun) attempt = 1;
        if (tag === undefined || attempt >= READ_ATTEMPTS) {
          const message = `s3://${this.#target.bucket} broke off while it was read`;
          throw new ArchiveError('ARCHIVE_UNAVAILABLE', message, { cause: error });
        }
        await this.#client.pause(attempt);
      }
    }
  }

  /**
   * Writes the run here, and sends it under its name only if nothing has that. An answer that was lost is no second run: what is there has the
   * same content. A crash leaves before the request a `.part` file, and behind it a whole run.
   */
  async create(name: RunKey, write: (path: string) => Promise<boolean>): Promise<Created | null> {
    if (!this.#isTried) await this.#client.tryCreatingOnce(this.#target.prefix + PROBE);
    this.#isTried = true;
    const temporary = join(this.#spool, `.archive-${randomUUID()}.part`);
    try {
      if (!(await write(temporary))) return null;
      this.onStep('written');
      const own = () => createReadStream(temporary);
      const file = { path: temporary, bytes: (await stat(temporary)).size, sha256: await sha256Of(own()) };
      const created = await this.name(name, own, (path) => this.#client.create(this.#target.prefix + path, { file }));
      this.onStep('named');
      return created;
    } catch (error) {
      throw folderProblem(this.#spool, error, 'SPOOL_UNUSABLE');
    } finally {
      await rm(temporary, { force: true });
      this.onStep('removed');
    }
  }

  async keep(path: string, bytes: Uint8Array): Promise<void> {
    const answer = await this.#client.send({ method: 'PUT', key: this.#target.prefix + path, bytes });
    answer.resume();
  }

  async remove(path: string): Promise<void> {
    const answer = await this.#client.send({ method: 'DELETE', key: this.#target.prefix + path, answers: [404] });
    answer.resume();
    this.onStep('replaced');
  }

  async tidy(): Promise<void> {
    for (const name of await readdir(this.#spool)) {
      if (TEMPORARY.test(name)) await rm(join(this.#spool, name), { force: true });
    }
  }
}

/** A key as a listing has it that was asked to encode keys. */
function keyOf(text: string): string {
  try {
    return decodeURIComponent(textOfXml(text).replaceAll('+', ' '));
  } catch {
    return text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function textOfXml(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');
}
