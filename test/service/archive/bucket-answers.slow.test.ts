// docs/decisions/0098-archive-buckets-and-erasure.md: answers that no real object store gives when it is asked to. The other side is a server of
// the test that keeps objects in memory and answers as told; a real store is in bucket.s3.test.ts.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RunKey } from '../../../src/service/archive/run-name.ts';
import { S3Store } from '../../../src/service/archive/s3-store.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { makeCertificate } from '../../support/tls.ts';

const NAME: RunKey = { kid: 'a'.repeat(43), orgId: 'org_1', first: 1, last: 1, erased: null, decided: null };
const ERROR = (code: string): string => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Objects in memory, as S3 keeps them. `before` answers first, where it returns true. */
class Objects {
  readonly stored = new Map<string, Buffer>();
  readonly asked: string[] = [];
  before: Answer = () => false;
  behind: Answer = () => false;

  readonly handler = (request: IncomingMessage, response: ServerResponse): void => {
    void this.#answer(request, response).catch(() => response.destroy());
  };

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const path = decodeURIComponent(url.split('?')[0] ?? '');
    this.asked.push(`${method} ${path.split('/').at(-1)} ${request.headers.range ?? ''}`.trim());
    const body = await buffer(request);
    if (this.before(request, response)) return;
    const there = this.stored.get(path);
    const answer = (status: number, content: string | Buffer = '', headers = {}): void => {
      response.writeHead(status, headers);
      response.end(content);
    };
    if (method === 'PUT') {
      if (there !== undefined && request.headers['if-none-match'] === '*')
        return answer(412, ERROR('PreconditionFailed'));
      this.stored.set(path, body);
      if (!this.behind(request, response)) answer(200);
    } else if (there === undefined) {
      answer(404, ERROR('NoSuchKey'));
    } else {
      const etag = `"${createHash('sha256').update(there).digest('hex')}"`;
      if ((request.headers['if-match'] ?? etag) !== etag) return answer(412, ERROR('PreconditionFailed'));
      const [, from = '0', to = String(there.length - 1)] =
        /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
      const part = there.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
      const headers = { etag, 'content-length': part.length };
      response.writeHead(request.headers.range === undefined ? 200 : 206, headers);
      if (!this.behind(request, response)) response.end(part);
      else response.write(part.subarray(0, part.length >> 1), () => response.destroy());
    }
  }
}

/** Answers so to the first requests for which `told` holds. */
const first = (times: number, told: (request: IncomingMessage) => boolean, answer: Answer): Answer => {
  let left = times;
  return (request, response) => left > 0 && told(request) && left-- > 0 && answer(request, response);
};
const status =
  (code: number, name: string): Answer =>
  (_, response) => {
    response.writeHead(code);
    response.end(ERROR(name));
    return true;
  };
const gone: Answer = (_, response) => {
  response.destroy();
  return true;
};
const isRun = ({ url = '' }: IncomingMessage): boolean => !url.includes('.create-once');
const isPut = (request: IncomingMessage): boolean => request.method === 'PUT' && isRun(request);

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

describe('a bucket that answers', () => {
  let objects: Objects;
  let spool: string;
  let store: S3Store;
  const content = randomBytes(300_000);

  const storeAt = (endpoint: string): S3Store => {
    const credentials = { accessKeyId: 'somebody', secretAccessKey: 'secret' };
    return new S3Store({ bucket: 'archive', prefix: '', region: 'here', endpoint, credentials }, spool);
  };
  const create = (bytes = content) =>
    store.create(NAME, async (path) => {
      writeFileSync(path, bytes);
      return true;
    });
  const runs = (): string[] => [...objects.stored.keys()].filter((path) => path.endsWith('.gz'));

  beforeEach(async () => {
    objects = new Objects();
    spool = temporaryFolder();
    store = storeAt(`http://127.0.0.1:${await listening(createServer(objects.handler))}`);
  });

  it.each([
    [503, 'SlowDown'],
    [500, 'InternalError'],
    [429, 'TooManyRequests'],
    [408, 'RequestTimeout'],
  ])('%d %s a few times is asked again, and takes the run', async (code, name) => {
    objects.before = first(3, isPut, status(code, name));
    expect(await create()).toMatchObject({ path: expect.stringMatching(/1-1\.csbundle\.json\.gz$/) });
    expect(runs().map((path) => objects.stored.get(path))).toEqual([content]);
    expect(objects.asked.filter((line) => line.includes('.gz'))).toHaveLength(4);
  });

  it.each([
    [503, 'SlowDown', 'ARCHIVE_UNAVAILABLE', 5],
    [429, 'TooManyRequests', 'ARCHIVE_UNAVAILABLE', 5],
    [403, 'AccessDenied', 'ARCHIVE_REFUSED', 1],
    [403, 'QuotaExceeded', 'ARCHIVE_FULL', 1],
    [403, 'RequestTimeTooSkewed', 'ARCHIVE_REFUSED', 1],
    [301, 'PermanentRedirect', 'ARCHIVE_UNUSABLE', 1],
    [501, 'NotImplemented', 'ARCHIVE_UNUSABLE', 1],
  ])('%d %s always is %s after %d requests, and leaves no file here', async (code, name, expected, requests) => {
    objects.before = first(99, isPut, status(code, name));
    await expect(create()).rejects.toMatchObject({ code: expected });
    expect(objects.asked.filter((line) => line.includes('.gz'))).toHaveLength(requests);
    expect(readdirSync(spool)).toEqual([]);
  });

  it('that replaces what is there is refused before a run is written', async () => {
    objects.before = (request) => {
      delete request.headers['if-none-match'];
      return false;
    };
    await expect(create()).rejects.toMatchObject({
      code: 'ARCHIVE_UNUSABLE',
      message: expect.stringContaining('If-None-Match'),
    });
    expect(runs()).toEqual([]);
  });

  it('409 to two writers at one moment is asked again until one has the name', async () => {
    objects.before = first(2, isPut, status(409, 'ConditionalRequestConflict'));
    expect(await create()).toMatchObject({ path: expect.stringContaining('1-1') });
    expect(runs()).toHaveLength(1);
  });

  it('whose answer is lost behind the last byte has one run, and no second', async () => {
    objects.behind = first(1, isPut, gone);
    await create();
    expect(runs().map((path) => objects.stored.get(path))).toEqual([content]);
  });

  it('that breaks off is read on from there, and never from another object', async () => {
    await create();
    const path = runs()[0]?.replace('/archive/', '') ?? '';
    objects.behind = first(
      3,
      ({ method }) => method === 'GET',
      () => true,
    );
    expect(Buffer.compare(await buffer(store.bytes(path)), content)).toBe(0);
    expect(objects.asked.filter((line) => line.includes('bytes='))).toHaveLength(3);

    objects.behind = first(
      1,
      ({ method }) => method === 'GET',
      () => {
        objects.stored.set(`/archive/${path}`, randomBytes(300_000));
        return true;
      },
    );
    await expect(buffer(store.bytes(path))).rejects.toMatchObject({ code: 'ARCHIVE_UNUSABLE' });
  });

  it('goes away in the middle of a transfer: named, nothing is there, and the next shipping takes it', async () => {
    objects.before = first(99, isPut, gone);
    await expect(create()).rejects.toMatchObject({ code: 'ARCHIVE_UNAVAILABLE' });
    expect(runs()).toEqual([]);
    objects.before = () => false;
    await create();
    expect(runs()).toHaveLength(1);
  });

  it.each([
    ['no list', '<html>Welcome</html>'],
    [
      'a list that says it has more and not where',
      '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>',
    ],
  ])('with %s is unusable', async (_, body) => {
    objects.before = (_request, response) => {
      response.writeHead(200);
      response.end(body);
      return true;
    };
    await expect(store.list()).rejects.toMatchObject({ code: 'ARCHIVE_UNUSABLE' });
  });

  it('over TLS by a certificate that nobody vouches for is sent nothing', async () => {
    const port = await listening(createTlsServer(makeCertificate(), objects.handler));
    store = storeAt(`https://127.0.0.1:${port}`);
    await expect(create()).rejects.toMatchObject({
      code: 'ARCHIVE_UNAVAILABLE',
      message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    });
    expect(objects.asked).toEqual([]);
  });
});
