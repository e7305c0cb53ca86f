// countersign witness serve: C2SP tlog-witness over HTTP (protocol F118, F119), asked by a client that was written from the specifications alone.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { forgersKey, serviceKeyOf } from '../../src/cli/qualify/forge.ts';
import { WitnessFolder } from '../../src/node/witness/index.ts';
import {
  checkpointOrigin,
  parseEquivocationProof,
  type ServiceKey,
  serviceKeysBytes,
  sha256,
  toHex,
  utf8,
} from '../../src/protocol/index.ts';
import { ORG_ID, START } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, PATIENCE_MS } from '../support/processes.ts';
import { makeCertificate } from '../support/tls.ts';
import { leavesOf, noteOf, requestOf, serviceKeys, TRUSTED } from '../support/witness-requests.ts';

const python = spawnSync('python3', ['--version']).status === 0;
const folder = temporaryFolder();
const keys = join(folder, 'service.keys');
writeFileSync(keys, serviceKeysBytes(serviceKeys));
const NAME = 'w.example.org';
let witnesses = 0;

/** The folder of a new witness. */
async function newWitness(): Promise<string> {
  const dir = join(folder, `witness-${witnesses++}`);
  await run('witness', 'keys', '--dir', dir, '--name', NAME);
  return dir;
}

const serve = (dir: string, ...more: readonly string[]): CommandProcess => {
  const log = ['--keys', keys, '--trust', TRUSTED, '--no-trust-store'];
  return new CommandProcess(['witness', 'serve', '--dir', dir, '--port', '0', ...log, ...more]);
};

async function ask(url: string, body: string | Uint8Array<ArrayBuffer>, path = '/add-checkpoint', method = 'POST') {
  const response = await fetch(`${url}${path}`, { method, ...(method === 'POST' ? { body } : {}) });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

const TEXT = 'text/plain; charset=utf-8';
const SIZE = 'text/x.tlog.size';

describe('a witness that listens', { timeout: PATIENCE_MS }, () => {
  it('answers as tlog-witness says', async () => {
    const url = await serve(await newWitness()).listening();
    const log = leavesOf(9);
    const first = await ask(url, requestOf(0, log.slice(0, 5)));
    expect(first).toMatchObject({ status: 200, type: TEXT });
    expect(first.text).toMatch(/^— w\.example\.org [A-Za-z0-9+/=]+\n— w\.example\.org [A-Za-z0-9+/=]+\n$/);
    expect(await ask(url, requestOf(0, log))).toEqual({ status: 409, type: SIZE, text: '5\n' });
    expect(await ask(url, requestOf(5, log))).toMatchObject({ status: 200 });
    // The same request again: its size was passed.
    expect(await ask(url, requestOf(5, log))).toEqual({ status: 409, type: SIZE, text: '9\n' });
    expect(await ask(url, requestOf(9, log))).toMatchObject({ status: 200 });
    const unknown = requestOf(9, log).replaceAll('countersign.v1/', 'example.org/');
    expect(await ask(url, unknown)).toMatchObject({ status: 404, type: TEXT });
    expect(await ask(url, requestOf(9, log).replace('\n9\n', '\n8\n').replace('old 9', 'old 8'))).toMatchObject({
      status: 403,
    });
    const elsewhere = requestOf(9, leavesOf(12)).replace(/\n[^\n]+\n/, `\n${'A'.repeat(43)}=\n`);
    expect(await ask(url, elsewhere)).toMatchObject({ status: 422, type: TEXT });
    expect(await ask(url, 'old 9\n')).toMatchObject({ status: 400 });
    expect(await ask(url, new Uint8Array(131_073))).toMatchObject({ status: 413 });
    expect(await ask(url, '', '/add-checkpoint', 'GET')).toMatchObject({ status: 405 });
    expect(await ask(url, requestOf(9, log), '/')).toMatchObject({ status: 404 });
  });

  it('shows monitors the newest checkpoint that it cosigned of a log, by the hash of its origin', async () => {
    const url = await serve(await newWitness()).listening();
    const log = leavesOf(9);
    const at = `/${toHex(sha256(utf8(checkpointOrigin(ORG_ID))))}/checkpoint`;
    expect(await ask(url, '', at, 'GET')).toMatchObject({ status: 404, type: TEXT });
    for (const [from, to] of [
      [0, 5],
      [5, 9],
    ] as const) {
      const { text: lines } = await ask(url, requestOf(from, log.slice(0, to)));
      expect(await ask(url, '', at, 'GET')).toEqual({
        status: 200,
        type: TEXT,
        text: `${noteOf(log.slice(0, to))}${lines}`,
      });
    }
    expect(await ask(url, '', at.toUpperCase(), 'GET')).toMatchObject({ status: 404 });
    expect(await ask(url, '', at, 'POST')).toMatchObject({ status: 405 });
  });

  it('answers as many requests of an address in a minute as it is told, and says when the next is answered', async () => {
    const witness = serve(await newWitness(), '--per-minute', '2');
    const url = await witness.listening();
    const log = leavesOf(3);
    expect(await ask(url, requestOf(0, log))).toMatchObject({ status: 200 });
    expect(await ask(url, requestOf(3, log))).toMatchObject({ status: 200 });
    const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body: requestOf(3, log) });
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await run('witness', 'serve', '--dir', join(folder, 'none'), '--per-minute', '0')).code).toBe(2);
  });

  it('answers a rewritten log with the proof, and keeps it as a file', async () => {
    const dir = await newWitness();
    const url = await serve(dir).listening();
    expect(await ask(url, requestOf(0, leavesOf(5)))).toMatchObject({ status: 200 });
    const { status, type, text } = await ask(url, requestOf(5, leavesOf(9, 2)));
    expect([status, type]).toEqual([422, 'application/json']);
    const [file = '', ...more] = readdirSync(join(dir, 'refusals'));
    expect(more).toEqual([]);
    const path = join(dir, 'refusals', file);
    expect(readFileSync(path, 'utf8')).toBe(text);
    const judged = await run('verify', path, '--trust', TRUSTED, '--no-trust-store');
    expect([judged.code, judged.stdout]).toEqual([0, expect.stringContaining('Proof: verified')]);
    // So does another root of the size that was cosigned, and an old size that is another tells the size alone.
    const sameSize = await ask(url, requestOf(5, leavesOf(5, 2)));
    expect([sameSize.status, parseEquivocationProof(utf8(sameSize.text))]).toMatchObject([422, { number: 5 }]);
    expect(await ask(url, requestOf(3, leavesOf(5, 2)))).toEqual({ status: 409, type: SIZE, text: '5\n' });
    expect(await ask(url, requestOf(5, leavesOf(9)))).toMatchObject({ status: 200 });
  });

  it('keeps of the keys that were handed over those of the log, however many others came with them', async () => {
    const witness = WitnessFolder.open(await newWitness(), null);
    const strangers = (of: string) =>
      Array.from({ length: 900 }, (_, n) => serviceKeyOf(forgersKey(`${of} ${n}`), START));
    const answered = async (from: number, to: number, given: readonly ServiceKey[]) => {
      const options = { trustedKids: [TRUSTED], serviceKeys: given, now: Date.now };
      return (await witness.answer(utf8(requestOf(from, leavesOf(to))), options)).status;
    };
    expect(await answered(0, 3, [...strangers('first'), ...serviceKeys])).toBe(200);
    expect(await answered(3, 5, strangers('second'))).toBe(200);
    expect(await answered(5, 6, [])).toBe(200);
    witness.close();
  });

  it('keeps as many proofs of one log as are enough, however often that rewrites itself', async () => {
    const dir = await newWitness();
    const url = await serve(dir).listening();
    for (let size = 0; size < 80; size += 2) {
      expect(await ask(url, requestOf(size, leavesOf(size + 2)))).toMatchObject({ status: 200 });
      expect(await ask(url, requestOf(size + 2, leavesOf(size + 5, 1)))).toMatchObject({ status: 422 });
    }
    expect(readdirSync(join(dir, 'refusals'))).toHaveLength(16);
  });

  it('cosigns one of two futures where two processes of a folder are asked at once, and each of many requests', async () => {
    const dir = await newWitness();
    const urls = await Promise.all([serve(dir).listening(), serve(dir).listening()]);
    const futures = Array.from({ length: 20 }, (_, n) =>
      ask(at(urls, n % 2), requestOf(0, leavesOf(5, n < 10 ? 3 : 9))),
    );
    const answered = await Promise.all(futures);
    const [one, other] = [answered.slice(0, 10), answered.slice(10)].map((some) =>
      some.filter(({ status }) => status === 200),
    );
    expect([one, other].filter((some) => some !== undefined && some.length > 0)).toHaveLength(1);
    expect(answered.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const kept = one?.length ? 3 : 9;
    const again = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ask(at(urls, n % 2), requestOf(5, leavesOf(5, kept)))),
    );
    expect(again.map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  it('never forgets what it cosigned, killed in the middle of requests', async () => {
    const dir = await newWitness();
    const log = leavesOf(60);
    let [cosigned, sent] = [0, 0];
    for (let kills = 0; kills < 4; kills++) {
      const witness = serve(dir);
      const url = await witness.listening();
      const { text } = await ask(url, requestOf(0, log.slice(0, 1)));
      // What an answer named is not forgotten; what was sent before the kill may be kept without its answer having left.
      let size = cosigned === 0 ? 1 : Number(text);
      expect(size).toBeGreaterThanOrEqual(Math.max(1, cosigned));
      expect(size).toBeLessThanOrEqual(Math.max(1, sent));
      const asking = (async () => {
        for (;;) {
          sent = size + 1;
          const answer = await ask(url, requestOf(size, log.slice(0, sent)));
          expect(answer.status).toBe(200);
          cosigned = sent;
          size = sent;
          if (size === 5 + 10 * kills) void witness.kill('SIGKILL');
        }
      })();
      await expect(asking).rejects.toThrow('fetch failed');
      await witness.kill('SIGKILL');
    }
    expect(cosigned).toBeGreaterThanOrEqual(35);
  });

  it('ends with SIGTERM, listens with a certificate, and names what it cannot use', async () => {
    const dir = await newWitness();
    const certificate = makeCertificate();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, certificate.cert);
    writeFileSync(key, certificate.key);
    const witness = serve(dir, '--tls-cert', cert, '--tls-key', key);
    expect(await witness.listening()).toMatch(/^https:/);
    expect(await witness.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    const asked = async (...args: readonly string[]) => (await run('witness', 'serve', ...args)).code;
    expect(await asked('--dir', join(folder, 'nothing'), '--no-trust-store')).toBe(2);
    expect(await asked('--dir', dir, '--no-trust-store', '--port', 'x')).toBe(2);
    expect(await asked('--dir', dir, '--no-trust-store', '--tls-cert', cert)).toBe(2);
    expect(await asked('--dir', dir, '--no-trust-store', '--keys', cert)).toBe(2);
  });

  it.skipIf(!python)(
    'cosigns for a log written in Python from the specifications (skipped where python3 is missing)',
    async () => {
      const dir = await newWitness();
      const url = await serve(dir).listening();
      const vkey = (await run('witness', 'keys', '--dir', dir)).stdout.split('\n')[0] ?? '';
      const client = fileURLToPath(new URL('../interop/tlog_witness_client.py', import.meta.url));
      const [checkpoint, leaves] = [join(folder, 'checkpoint'), join(folder, 'leaves')];
      const asking = (size: number, differs?: number) => {
        const log = leavesOf(size, differs);
        writeFileSync(checkpoint, noteOf(log));
        writeFileSync(leaves, log.map((leaf) => `${toHex(leaf)}\n`).join(''));
        return JSON.parse(
          execFileSync('python3', [client, url, checkpoint, leaves, vkey], { encoding: 'utf8' }),
        ) as unknown;
      };
      const time = expect.any(Number) as unknown;
      expect(asking(3)).toEqual({ answers: [[200, TEXT]], time });
      for (const size of [4, 7, 8, 21, 100]) {
        expect(asking(size)).toEqual({
          answers: [
            [409, SIZE],
            [200, TEXT],
          ],
          time,
        });
      }
      expect(asking(120, 50)).toEqual({
        answers: [
          [409, SIZE],
          [422, 'application/json'],
        ],
        time: null,
      });
    },
  );
});
