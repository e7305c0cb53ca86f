import { execFileSync } from 'node:child_process';
import {
  closeSync,
  createWriteStream,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, PATIENCE_MS } from '../support/processes.ts';

const folder = temporaryFolder();
const kid = serviceKid(0);
const text = makeBundle({ agents: 2, epochs: [3, 2] }).text;
/** Trusted with the key, so that the command ends with its findings and not with advice on trust. */
const orgId: string = JSON.parse(text).org.org_id;
const GIB = 2 ** 30;
const MIB = 2 ** 20;

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** A file that begins with some text and goes on with zeros, which the disk need not hold. */
function sparse(name: string, beginning: string, size: number): string {
  const path = join(folder, name);
  const descriptor = openSync(path, 'w');
  writeSync(descriptor, beginning);
  ftruncateSync(descriptor, size);
  closeSync(descriptor);
  return path;
}

/** So many bytes of white space after an opening brace, packed into a thousandth. */
async function bomb(name: string, beginning: string, size: number): Promise<string> {
  const path = join(folder, name);
  const chunk = Buffer.alloc(4 * 1024 * 1024, ' ');
  function* bytes(): Generator<Buffer> {
    yield Buffer.from(beginning);
    for (let sent = 0; sent < size; sent += chunk.length) yield chunk;
  }
  await pipeline(Readable.from(bytes()), createGzip({ level: 9 }), createWriteStream(path));
  return path;
}

/** 10 GiB of zeros after a beginning, as forty members of one gzip file (RFC 1952 §2.2). */
function zerosInMembers(name: string, beginning: string): string {
  const member = gzipSync(Buffer.alloc(256 * MIB));
  return file(name, Buffer.concat([gzipSync(beginning), ...new Array<Buffer>(40).fill(member)]));
}

const [bundle, pdf] = [file('bundle.json', text), join(folder, 'report.pdf')];
const packed = gzipSync(text);

/** Writes, when the process ends, the most memory it ever took, in KiB, and its time on processors, in microseconds. */
const meter = pathToFileURL(
  file(
    'meter.mjs',
    `import { readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  let { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  // Linux counts what the process that started this one had as well, where its own peak is another number.
  if (process.platform === 'linux') maxRSS = Number(/^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  writeFileSync(process.env.METER_OUT, JSON.stringify({ maxRSS, time: userCPUTime + systemCPUTime }));
});`,
  ),
).href;

/** Twice what the command takes for a bundle of five records. */
const MAX_RSS_KIB = 400 * 1024;
/** Reading 2 GB of white space is work; nothing else is. Other processes take none of this time. */
const MAX_TIME_US = 30_000_000;

/** Runs the command in a process of its own, and looks at what it leaves and takes. */
async function refused(path: string): Promise<{ code: number | null; sentence: string }> {
  const out = join(folder, 'rss');
  const { code, stdout, stderr } = await new CommandProcess(['verify', path, '--trust', `${kid}@${orgId}`], {
    NODE_OPTIONS: `--import ${meter}`,
    METER_OUT: out,
  }).ended;
  const took = JSON.parse(readFileSync(out, 'utf8')) as { readonly maxRSS: number; readonly time: number };
  expect(took.maxRSS).toBeLessThan(MAX_RSS_KIB);
  expect(took.time).toBeLessThan(MAX_TIME_US);
  const said = code === 1 ? (stdout.trimEnd().split('\n').at(-1) ?? '') : stderr.trim();
  expect(said.split('\n')).toHaveLength(1);
  expect(said).not.toContain('at file:');
  return { code, sentence: said };
}

describe('a hostile file ends in a sentence, in bounded memory and time', { timeout: 4 * PATIENCE_MS }, () => {
  it.each<[string, RegExp, () => string | Promise<string>]>([
    ['a string of 2 GB', /more than 1048576 bytes/, () => sparse('string.json', '{"format":"', 2100 * MIB)],
    ['a member name of 2 GB', /more than 1048576 bytes/, () => sparse('name.json', '{"', 2100 * MIB)],
    ['zeros', /not a bundle|not a complete/, () => sparse('zeros', '', 2100 * MIB)],
    [
      'a record of brackets within brackets',
      /more than 524288 values/,
      () => file('deep.json', `${text.slice(0, text.indexOf('"records":[') + 11)}${'['.repeat(20_000_000)}`),
    ],
    ['2 GB of white space, packed', /ends too early/, () => bomb('space.gz', '{', 2 * GIB)],
    ['10 GB of zeros in 10 MB', /more than 1048576 bytes/, () => zerosInMembers('zeros.gz', '{"format":"')],
    ['a packed file within a packed file', /not a complete JSON document/, () => file('twice.gz', gzipSync(packed))],
    [
      'random bytes',
      /./,
      () => file('random', Buffer.from(Array.from({ length: 100_000 }, (_, n) => (n * 7919) % 251))),
    ],
    ['a PDF that is none', /./, () => file('none.pdf', '%PDF-1.7\n'.repeat(1000))],
    [
      'a PDF of another program, with a file in it',
      /./,
      () =>
        file(
          'foreign.pdf',
          `%PDF-1.7\n1 0 obj<</Type/Catalog/Names<</EmbeddedFiles<</Names[(bundle.json) 2 0 R]>>>>>>endobj\n2 0 obj<</Type/Filespec/EF<</F 3 0 R>>>>endobj\n3 0 obj<</Length 2>>stream\n{}\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`,
        ),
    ],
    ['an empty file', /is empty/, () => file('empty', '')],
  ])('%s', async (_, sentence, make) => {
    const { code, sentence: said } = await refused(await make());
    expect([1, 2]).toContain(code);
    expect(said).toMatch(sentence);
  });

  it.each([200, 300, 5000, 100_000])('a payload nested %i deep', async (depth) => {
    const nested = text.replace('"payload":{', `"payload":{"deep":${'['.repeat(depth)}${']'.repeat(depth)},`);
    expect(nested).not.toBe(text);
    const { code, sentence } = await refused(file(`nested-${depth}.json`, nested));
    expect(code).toBe(1);
    expect(sentence).toMatch(depth < 256 ? /PAYLOAD_HASH_MISMATCH/ : /MALFORMED/);
  });

  it('a folder, a device, and a pipe that nobody writes into', async () => {
    mkdirSync(join(folder, 'a folder'));
    expect(await refused(join(folder, 'a folder'))).toMatchObject({
      code: 2,
      sentence: expect.stringContaining('is a folder'),
    });
    if (process.platform === 'win32') return;
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, '/dev/zero']) {
      expect(await refused(path)).toMatchObject({ code: 2, sentence: expect.stringContaining('not a regular file') });
    }
    for (const option of ['--receipts', '--against', '--trust', '--trust-store']) {
      expect((await run('verify', bundle, option, pipe)).code).toBe(2);
    }
  });
});

describe('a file whose name moves the cursor', () => {
  const name = join(folder, 'a\u001b[2J\u001b[32mb\r\u009b2J\u007f.csbundle');
  const trust = ['--trust', serviceKid(0)];

  it.each([
    ['verified', () => writeFileSync(name, makeBundle({ epochs: [1] }).text), ['verify', name, ...trust], 0],
    ['no case', () => writeFileSync(name, '{}'), ['case', name], 2],
    ['not there', () => rmSync(name), ['verify', name], 2],
  ] as const)('has it shown by its number: %s', async (_, prepare, args, code) => {
    prepare();
    const ended = await run(...args);
    const printed = ended.stdout + ended.stderr;
    expect([
      ended.code,
      printed.includes('⟨U+001B⟩[2J') && printed.includes('⟨U+009B⟩2J⟨U+007F⟩'),
      /[\p{Cc}--[\n\t]]/v.test(printed),
    ]).toEqual([code, true, false]);
  });
});

describe('a file cut off', { timeout: PATIENCE_MS }, () => {
  /** At every 1,000th byte, and just before the end; a PDF without the line break at its end still has all of its bundle. */
  function cuts(bytes: Uint8Array): Uint8Array[] {
    const places = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, n) => n * 1000);
    return [...places, bytes.length - 2].map((end) => bytes.subarray(0, end));
  }

  it.each<[string, () => Promise<Uint8Array>]>([
    ['a bundle', async () => Buffer.from(text)],
    ['a packed bundle', async () => packed],
    [
      'a PDF report',
      async () => {
        expect((await run('report', bundle, '-o', pdf, '--trust', kid, '--force')).code).toBe(0);
        return readFileSync(pdf);
      },
    ],
  ])('%s, at every 1,000th byte', async (_, bytes) => {
    const surprises: string[] = [];
    const whole = await bytes();
    expect((await run('verify', file('whole', whole), '--trust', kid)).code).toBe(0);
    for (const cut of cuts(whole)) {
      const { code, stdout, stderr } = await run('verify', file('cut', cut), '--trust', kid);
      if (
        (code !== 1 && code !== 2) ||
        (code === 2 && stderr.trim().split('\n').length !== 1) ||
        (code === 1 && !stdout.includes('Verdict: failed'))
      ) {
        surprises.push(`${cut.length}: ${code} ${stderr}`);
      }
    }
    expect(surprises).toEqual([]);
  });
});
