import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  type BundleSource,
  BundleWriter,
  concatBytes,
  type Json,
  MAX_DEPTH,
  utf8,
  type VerificationReport,
  type VerifyOptions,
  type VerifyProgress,
  verifyBundle,
} from '../../src/protocol/index.ts';
import { makeBundle, serviceKid, writeBundle } from '../support/bundle-maker.ts';
import { at, hexBytes } from '../support/bytes.ts';
import { runs } from '../support/extent.ts';
import { remembering } from '../support/hosts.ts';
import { reordered, spaced } from '../support/json-values.ts';
import { hostCrypto } from '../support/signing.ts';
import { type BundleName, bundleNames, bundleTexts, serviceKids, vectorBundle } from '../support/vectors.ts';
import { chunkedSource, rootCauses, verifyFile } from '../support/verifying.ts';

vi.setConfig({ testTimeout: 60_000 });

const crypto = remembering(hostCrypto);
const vectorOptions: VerifyOptions = { crypto, trustedKids: serviceKids };
const options: VerifyOptions = { crypto, trustedKids: [serviceKid(0)] };

const small = makeBundle({ agents: 2, epochs: [1, 2], rotation: true, payload: { text: 'é\u{1f600}"\\ }],[{' } });
/** The same with a payload changed, so that a report has something to say. */
const altered = small.text.replace('"payload":{"n":2,', '"payload":{"n":7,');

/** What a report says but for the lines. */
function withoutLines(report: VerificationReport): unknown {
  return JSON.parse(JSON.stringify(report, (name, value: unknown) => (name === 'line' ? undefined : value)));
}

describe('protocol F151: a bundle is read in chunks of any size', () => {
  it.each(bundleNames)('%s: the same report', async (name) => {
    const text = bundleTexts[name];
    const whole = await verifyFile(text, vectorOptions);
    expect(whole.verdict).toBe('verified');
    for (const sizes of [[1], [2, 3, 5, 7], [61], [1021], [4096, 1], [text.length - 1]]) {
      expect(await verifyBundle(chunkedSource(text, sizes), vectorOptions)).toEqual(whole);
    }
  });

  it('at random boundaries, sound or not', async () => {
    for (const text of [small.text, altered, `${small.text}\n]`, small.text.slice(0, -700)]) {
      const whole = await verifyFile(text, options);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 9 }), async (sizes) => {
          expect(await verifyBundle(chunkedSource(text, sizes), options)).toEqual(whole);
        }),
        runs(25),
      );
    }
  });

  it('with empty chunks between, synchronously or not', async () => {
    const bytes = utf8(altered);
    const whole = await verifyFile(altered, options);
    const padded = async function* (): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(0);
      for (let from = 0; from < bytes.length; from += 100) {
        yield bytes.slice(from, from + 100);
        yield new Uint8Array(0);
      }
    };
    expect(await verifyBundle(padded, options)).toEqual(whole);
    expect(await verifyBundle(() => [bytes.subarray(0, 5), new Uint8Array(0), bytes.subarray(5)], options)).toEqual(
      whole,
    );
  });

  it('telling how far it is', async () => {
    const seen: VerifyProgress[] = [];
    await verifyBundle(chunkedSource(small.text, [500]), {
      ...options,
      onProgress: (progress) => void seen.push(progress),
    });
    expect(seen.length).toBeGreaterThan(5);
    expect(at(seen, -1).bytes).toBe(utf8(small.text).length);
    for (const [index, { bytes }] of seen.entries()) expect(bytes).toBeGreaterThan(seen[index - 1]?.bytes ?? 0);
  });

  it('once in the order of writers, twice where records stand first', async () => {
    const { records, ...rest } = small.bundle;
    let opened = 0;
    const counted = (text: string): BundleSource => {
      opened = 0;
      return () => {
        opened++;
        return [utf8(text)];
      };
    };
    expect((await verifyBundle(counted(small.text), options)).verdict).toBe('verified');
    expect(opened).toBe(1);
    expect((await verifyBundle(counted(JSON.stringify({ records, ...rest })), options)).verdict).toBe('verified');
    expect(opened).toBe(2);
  });

  it('and what goes wrong with the source itself is its own error', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield utf8(small.text.slice(0, 100));
      throw new Error('disk on fire');
    };
    await expect(verifyBundle(broken, options)).rejects.toThrow('disk on fire');
  });
});

const WITH_RETURNS =
  'Around what is signed the file has carriage returns, as programs add them that save a file again.';

describe('protocol F130: readers accept any member order and any white space', () => {
  it.each<readonly [string, BundleName]>(bundleNames.map((name) => [name, name]))('%s', async (_, name) => {
    const bundle = vectorBundle(name) as unknown as Json;
    const own = await verifyFile(bundleTexts[name], vectorOptions);
    for (const text of [
      JSON.stringify(bundle),
      JSON.stringify(bundle, null, 2),
      JSON.stringify(bundle, null, '\t').replaceAll('\n', '\r\n'),
      spaced(reordered(bundle, 'a'), 'a'),
      `\n\n${spaced(reordered(bundle, 'b'), 'b')}\n\n`,
    ]) {
      // That there are bytes 0D is named (F2), and changes nothing else.
      const summary = text.includes('\r') ? `${own.summary} ${WITH_RETURNS}` : own.summary;
      expect(withoutLines(await verifyFile(text, vectorOptions))).toEqual(withoutLines({ ...own, summary }));
    }
  });

  it('in every order of the members, records before the directory as well', async () => {
    const members = Object.entries(small.bundle);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(members, { minLength: members.length }),
        fc.string(),
        async (order, salt) => {
          const text = spaced(Object.fromEntries(order) as unknown as Json, salt);
          expect((await verifyFile(text, options)).verdict).toBe('verified');
        },
      ),
      runs(60),
    );
  });

  it('with the same cause where it is not sound', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (salt) => {
        const report = await verifyFile(spaced(reordered(JSON.parse(altered), salt), salt), options);
        expect(report.verdict).toBe('failed');
        expect(rootCauses(report)).toEqual(['PAYLOAD_HASH_MISMATCH']);
      }),
      runs(40),
    );
  });

  it('and count lines from 1, however they break', async () => {
    const indented = JSON.stringify(JSON.parse(altered), null, 2);
    for (const [text, line] of [
      [altered, 10],
      [JSON.stringify(JSON.parse(altered)), 1],
      [`\n\n\n${altered}`, 13],
      [altered.replaceAll('\n', '\r\n'), 10],
      [indented, indented.slice(0, indented.indexOf('"eor"', indented.indexOf('"seq_no": 1,'))).split('\n').length - 1],
    ] as const) {
      const { findings } = await verifyFile(text, options);
      expect(findings.map(({ code, where }) => [code, where.line])).toEqual([['PAYLOAD_HASH_MISMATCH', line]]);
    }
  });
});

describe('protocol V10: MALFORMED, and where', () => {
  const lines = small.text.split('\n');
  /** The bundle with one line replaced; lines count from 1. */
  const withLine = (line: number, change: (text: string) => string): string =>
    lines.with(line - 1, change(at(lines, line - 1))).join('\n');
  const lastLine = lines.length;

  it('knows the lines of a written bundle', () => {
    expect(lines.map((line) => /^\{?"(\w+)"/.exec(line)?.[1] ?? line[0])).toEqual([
      ...['format', 'service_keys', 'org', 'agents', 'epochs', 'edges', 'admin_events', 'records'],
      ...['eor', 'eor', 'eor', ']', 'manifest', 'manifest_signature'],
    ]);
  });

  it.each<readonly [string, string | Uint8Array, number | undefined]>([
    ['nothing', '', 1],
    ['white space', '\n\n ', 3],
    ['a text that is not JSON', 'hello', 1],
    ['a number', '17', 1],
    ['an array', '[]', 1],
    ['null', '\nnull', 2],
    ['two byte order marks', `\ufeff\ufeff${small.text}`, 1],
    ['a byte order mark behind a blank', ` \ufeff${small.text}`, 1],
    ['half a byte order mark', concatBytes(Uint8Array.of(0xef, 0xbb), utf8(small.text)), 1],
    ['an object that does not end', '{', 1],
    ['a member without value', '{"format"}', 1],
    ['a member without colon', '{"format" "x"}', 1],
    ['a member that is not a string', '{format:1}', 1],
    ['a comma too many', small.text.replace(/}$/, ',}'), lastLine],
    ['a comma too few', withLine(3, (line) => line.slice(0, -1)), 4],
    ['a comma after the last record', withLine(11, (line) => `${line},`), 12],
    ['a comma before the first record', withLine(9, (line) => `,${line}`), 9],
    ['two commas between records', withLine(10, (line) => `${line},`), 10],
    ['a record within an array', withLine(9, (line) => `[${line.slice(0, -1)}],`), 9],
    ['a record that is a number', withLine(9, (line) => `1,${line}`), 9],
    ['a record that is null', withLine(10, (line) => `null,${line}`), 10],
    ['a record without receipt', withLine(10, (line) => line.replace(/,"ear":.*\}\}/, '}')), 10],
    ['a member of a record twice', withLine(10, (line) => line.replace('"seq_no":2', '"seq_no":2,"seq_no":2')), 10],
    [
      'a member of a record twice, spelled differently',
      withLine(10, (line) => line.replace('"seq_no":2', '"seq_no":2,"\\u0073eq_no":2')),
      10,
    ],
    ['a line break within a string', withLine(10, (line) => line.replace('file 2', 'file\n2')), 10],
    ['a number spelled in capitals', withLine(10, (line) => line.replace('"n":2', '"n":2E0')), 10],
    ['an escape spelled in capitals', withLine(3, (line) => line.replace('Example', '\\u00C9xample')), 3],
    ['an unknown member', withLine(3, (line) => `"extra":1,\n${line}`), 3],
    ['an unknown member that holds a signature', withLine(3, (line) => `"extra":"${'A'.repeat(86)}",\n${line}`), 3],
    ['an unknown array', withLine(3, (line) => `"extra":[],\n${line}`), 3],
    ['a member twice', withLine(4, (line) => `${at(lines, 2)}\n${line}`), 4],
    ['an array twice', withLine(8, (line) => `"epochs":[],\n${line}`), 8],
    ['a member twice, spelled differently', withLine(4, (line) => `"\\u006frg":{},\n${line}`), 4],
    ['an object in place of an array', withLine(4, () => '"agents":{},'), 4],
    ['null in place of an array', withLine(5, () => '"epochs":null,'), 5],
    ['an array in place of an object', withLine(3, () => '"org":[1],'), 3],
    ['an empty array in place of an object', withLine(3, () => '"org":[],'), 3],
    ['a string in place of an object', withLine(3, () => '"org":"x",'), 3],
    ['something after the end', `${small.text}\n\n{}`, lastLine + 2],
    ['a bracket after the end', `${small.text}}`, lastLine],
    ['a NUL after the end', `${small.text}\u0000`, lastLine],
    ['a format that is none of ours', withLine(1, () => '{"format":"geojson",'), 1],
    ['a format that is no string', withLine(1, () => '{"format":1,'), 1],
    ['a cut within the third record', lines.slice(0, 10).join('\n') + at(lines, 10).slice(0, 40), 10],
    ['a cut between records', `${lines.slice(0, 10).join('\n')}\n`, 11],
    ['a cut of the last character', small.text.slice(0, -1), lastLine],
    ['a member left out', withLine(6, () => '').replace('\n\n', '\n'), undefined],
    ['no members at all', '{}', undefined],
  ])('%s', async (_, text, line) => {
    const report = await verifyFile(text, options);
    expect(report.verdict).toBe('failed');
    expect([...new Set(rootCauses(report))]).toEqual(['MALFORMED']);
    expect(report.findings.find(({ code }) => code === 'MALFORMED')?.where.line).toBe(line);
  });

  it.each([
    ['a stray continuation byte', '80'],
    ['an encoded surrogate', 'eda080'],
  ])('bytes that are not UTF-8: %s', async (_, hex) => {
    const marked = small.text.replace('file 2', 'file @');
    const [before = '', after = ''] = marked.split('@');
    const report = await verifyFile(concatBytes(utf8(before), hexBytes(hex), utf8(after)), options);
    expect(rootCauses(report)).toEqual(['MALFORMED']);
    expect(report.findings[0]?.where.line).toBe(10);
    const inName = concatBytes(utf8('{"for'), hexBytes(hex), utf8('mat":1}'));
    expect(rootCauses(await verifyFile(inName, options))).toEqual(['MALFORMED']);
  });

  it('stops at a piece larger than any record, instead of growing', async () => {
    let pieces = 0;
    const endless: BundleSource = function* () {
      yield utf8('{"format":"countersign.bundle.v1",\n"org":"');
      for (; pieces < 1000; pieces++) yield new Uint8Array(1024 * 1024).fill(0x61);
    };
    const report = await verifyBundle(endless, options);
    expect(rootCauses(report)).toEqual(['MALFORMED']);
    expect(report.findings[0]?.where.line).toBe(2);
    expect(pieces).toBeLessThan(20);
  });

  it('stops at a record of more values than any has, before it parses them', async () => {
    const many = `[${'0,'.repeat(1_000_000)}0]`;
    const report = await verifyFile(small.text.replace('"n":2', `"n":${many}`), options);
    expect(rootCauses(report)).toEqual(['MALFORMED']);
    expect(report.findings[0]?.message).toContain('524288 values');
    const few = small.text.replace('"n":2', `"n":[${'0,'.repeat(524_000)}0]`);
    expect((await verifyFile(few, options)).findings.map(({ code }) => code)).toContain('PAYLOAD_HASH_MISMATCH');
  });

  it('counts the line breaks within a string that should not hold any', async () => {
    const text = altered.replace('file 1', 'file\n\n1');
    const { findings } = await verifyFile(text, options);
    const lineOf = (code: string): number | undefined => findings.find((finding) => finding.code === code)?.where.line;
    expect([lineOf('MALFORMED'), lineOf('PAYLOAD_HASH_MISMATCH')]).toEqual([9, 12]);
  });

  it('is no payload nested as deep as a canonical form may be, though the bundle around it is deeper', async () => {
    const nested = (depth: number): Json => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as Json;
    const deepest = makeBundle({ payload: { nested: nested(MAX_DEPTH - 1) } }).text;
    expect((await verifyFile(deepest, options)).verdict).toBe('verified');
    const deeper = deepest.replace('"nested":[', '"nested":[[').replace(']},"payload_hash"', ']]},"payload_hash"');
    expect(rootCauses(await verifyFile(deeper, options))).toEqual(['MALFORMED']);
  });

  it('shows nothing as passed where reading stopped', async () => {
    const { checks } = await verifyFile(small.text.slice(0, -1), options);
    expect(new Set(Object.values(checks).map(({ status }) => status))).toEqual(
      new Set(['fail', 'not_checked', 'not_applicable']),
    );
  });

  it('gives the findings before the break as well', async () => {
    const report = await verifyFile(altered.slice(0, -100), options);
    expect([...rootCauses(report)].sort()).toEqual(['MALFORMED', 'PAYLOAD_HASH_MISMATCH']);
  });

  it('tells a bundle from any other file', async () => {
    for (const [text, recognised] of [
      [small.text, true],
      [small.text.slice(0, 500), true],
      [small.text.replace('bundle.v1', 'bundle.v9'), true],
      ['', false],
      ['hello', false],
      ['[1,2,3]', false],
      ['{}', false],
      ['{"name":"x"}', false],
      ['{"format":"geojson","records":[]}', false],
      [small.text.replace('countersign.bundle.v1', '?'), false],
      [`{"records":[],"agents":[],"epochs":[],${small.text.slice(1).replace('countersign.bundle.v1', '?')}`, true],
    ] as const) {
      expect((await verifyFile(text, options)).recognised).toBe(recognised);
    }
  });
});

describe('protocol F130: writers', () => {
  const plans = [
    {},
    { agents: 2, epochs: [2, 3], range: [2, 4], redacted: [3] },
    { agents: 2, epochs: [2, 2], onlyAgent: 1 },
  ] as const;

  it.each(plans)('give one record a line, and no line break at the end: %j', (plan) => {
    const { bundle, text } = makeBundle(plan);
    expect(JSON.parse(text)).toEqual(bundle);
    const written = text.split('\n');
    expect(written.filter((line) => line.startsWith('{"eor":')).length).toBe(bundle.records.length);
    expect(text.endsWith('}')).toBe(true);
  });

  it('give the members in the order of the protocol', () => {
    expect(Object.keys(JSON.parse(small.text))).toEqual([
      ...[
        'format',
        'service_keys',
        'org',
        'agents',
        'epochs',
        'edges',
        'admin_events',
        'records',
        'manifest',
        'manifest_signature',
      ],
    ]);
  });

  it('give the same bytes for the same ledger', () => {
    expect(makeBundle({ agents: 2, epochs: [1, 2] }).text).toBe(makeBundle({ agents: 2, epochs: [1, 2] }).text);
  });

  it('give a document without records, too', () => {
    const writer = new BundleWriter();
    const { manifest, manifest_signature } = small.bundle;
    expect(JSON.parse(writer.head(small.bundle) + writer.tail(manifest, manifest_signature))).toEqual({
      ...small.bundle,
      records: [],
    });
    expect(writeBundle({ ...small.bundle, records: [] })).toBe(
      writer.head(small.bundle) + writer.tail(manifest, manifest_signature),
    );
  });
});
