// The verifier in one file that travels with the exports: the same verdicts as the one in src/protocol.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../src/cli/command.ts';
import { qualifyWith } from '../../src/cli/commands/qualify.ts';
import { judgeFile } from '../../src/cli/judge-bundles.ts';
import { CATALOGUE } from '../../src/cli/qualify/catalogue.ts';
import { type Judgement, type Qualification, type Question, qualify } from '../../src/cli/qualify/qualification.ts';
import { Terminal } from '../../src/cli/terminal.ts';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  type FindingCode,
  fingerprintDigits,
  type Json,
  orgFingerprint,
  publicKeyOf,
  type Receipt,
  sha256,
  thumbprint,
  toBase64Url,
  toHex,
  utf8,
  type Verdict,
} from '../../src/protocol/index.ts';
import {
  agentName,
  agentSeed,
  makeBundle,
  ORG_ID,
  otherDigest,
  otherSignature,
  type Plan,
  serviceKid,
  serviceSeed,
  signReceipt,
} from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { type Craft, craftSignature, honest, isStrict } from '../support/crafted-signatures.ts';
import {
  dishonestCases,
  OLD_EVENT_INSIDE,
  ONE_AGENT,
  RANGE,
  textOf,
  WHOLE,
  withholding,
} from '../support/dishonest.ts';
import { HONEST_NEIGHBOURS } from '../support/dishonest-neighbours.ts';
import { IS_NIGHTLY } from '../support/extent.ts';
import { temporaryFolder } from '../support/folders.ts';
import { hasPython } from '../support/fuzz/verifier-process.ts';
import { remembering } from '../support/hosts.ts';
import {
  compareEach,
  damagedCopies,
  inFile,
  type Subject,
  sample,
  TRUST_NAMED,
  TRUSTED,
} from '../support/two-verifiers.ts';
import {
  bundleNames,
  bundleTexts,
  earlierBundleText,
  ed25519Vectors,
  emptyBundleText,
  keptReceipts,
  serviceKids,
} from '../support/vectors.ts';
import { named, rootCauses, verifyFile } from '../support/verifying.ts';

const script = fileURLToPath(new URL('../../resources/verifier/verify-bundle.mjs', import.meta.url));
const inPython = fileURLToPath(new URL('verify_bundle.py', import.meta.url));
const crypto = remembering(nodeCrypto);

interface Answer {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Comparison {
  readonly what: string;
  readonly own: Verdict;
  readonly other: Verdict | string;
  /** Causes that only the verifier of src/protocol names. */
  readonly unnamed: readonly FindingCode[];
}

function runScript(...args: readonly string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });
}

/** @returns the path of a new pipe, and where there are none that of a folder */
function pipe(): string {
  const path = join(temporaryFolder(), 'pipe');
  if (process.platform === 'win32') return temporaryFolder();
  execFileSync('mkfifo', [path]);
  return path;
}

/** A bundle, and the others that it is held against. */
interface Compared extends Subject {
  readonly against?: readonly string[] | undefined;
}

/** What the script tells whoever imports it; starting it once for each of many files would take most of the time. */
interface Script {
  /** Of a bundle, a proof of records or a report of chosen records; and of these or a certificate of retention. */
  verifyBundleFile(path: string, options: Readonly<Record<string, readonly string[] | string>>): ScriptReport;
  verifyFile(
    path: string,
    options: Readonly<Record<string, readonly string[] | string>>,
  ): Pick<ScriptReport, 'verdict'>;
}

interface ScriptReport {
  readonly verdict: Verdict;
  readonly finding_counts: Readonly<Record<string, number>>;
}

const { verifyBundleFile, verifyFile: verifyAny } = (await import(pathToFileURL(script).href)) as Script;

/** The script's report, or the one sentence with which it refuses the file. */
const scriptReport = (...args: Parameters<Script['verifyBundleFile']>): ScriptReport | string =>
  unlessRefused(() => verifyBundleFile(...args));

function unlessRefused<T>(ask: () => T): T | string {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Error && error.constructor.name === 'Unusable') return error.message;
    throw error;
  }
}

async function compareOne({ what, file, trusted = TRUSTED, receipts, against = [] }: Compared): Promise<Comparison> {
  const kept = receipts === undefined ? [] : [receipts];
  const own = await verifyFile(file, {
    crypto,
    trustedKids: trusted,
    receipts: kept.map((text) => named('kept', text)),
    against: against.map((text, index) => named(`other ${index}`, text)),
  });
  const options = { trust: trusted, receipts: kept.map(inFile), against: against.map(inFile) };
  const report = scriptReport(inFile(file), options);
  if (typeof report === 'string') {
    // What is not a bundle at all, ours calls failed: MALFORMED.
    return { what, own: own.verdict, other: own.recognised ? report : 'failed', unnamed: [] };
  }
  const unnamed = rootCauses(own).filter((code) => !Object.hasOwn(report.finding_counts, code));
  return { what, own: own.verdict, other: own.recognised ? report.verdict : 'recognised', unnamed };
}

const compare = (subjects: readonly Compared[]): Promise<Comparison[]> => compareEach(subjects, compareOne);

const disagreements = (results: readonly Comparison[]): Comparison[] =>
  results.filter(({ own, other, unnamed }) => own !== other || unnamed.length > 0);

/** Every way to leave the path of an honest signature, and that path itself. */
const CRAFTS: readonly Craft[] = [
  honest,
  ...[1, 2, 4].flatMap((order) => [
    { ...honest, keyTorsion: order },
    { ...honest, nonceTorsion: order },
    { ...honest, noKey: true, keyTorsion: order },
    { ...honest, noNonce: true, nonceTorsion: order },
  ]),
  { ...honest, noNonce: true },
  { ...honest, noKey: true },
  { ...honest, noKey: true, noNonce: true },
  { ...honest, excess: 1 },
];

/** Bundles that look unusual and are sound. */
const SOUND: readonly Plan[] = [
  HONEST_NEIGHBOURS,
  WHOLE,
  RANGE,
  ONE_AGENT,
  { ...WHOLE, redacted: [2, 7] },
  { ...WHOLE, ...withholding(3) },
  { ...WHOLE, ...withholding(3, 4) },
  {},
  {
    payload: JSON.parse(
      '{"__proto__":{"x":1},"\\u20ac":"\\ud83d\\ude00\\u0000","1":1e21,"10":-0,"9":1e-7,"toString":null,"":[[],{}]}',
    ) as Plan['payload'] & object,
  },
  // More than a chunk of reading, its records and their characters cut anywhere.
  { epochs: [12], payload: { text: 'ü→📄'.repeat(20_000) } },
  { payload: { deep: JSON.parse(`${'['.repeat(255)}${']'.repeat(255)}`) as Json } },
  { record: (record) => ({ ...record, issued_at: record.issued_at.replace('Z', '456789-00:00').toLowerCase() }) },
];

describe('the verifier in one file', () => {
  it.each(bundleNames)('agrees on %s, whatever is trusted', async (name) => {
    const file = bundleTexts[name];
    const results = await compare([
      ...serviceKids.map((kid) => ({ what: 'verified', file, trusted: [kid] })),
      { what: 'verified', file, trusted: serviceKids, receipts: keptReceipts },
      { what: 'incomplete', file, trusted: serviceKids, receipts: 'my notes\n' },
      { what: 'incomplete', file, trusted: [] },
      { what: 'incomplete', file, trusted: TRUSTED },
    ]);
    expect(results).toHaveLength(6);
    for (const { what, own, other } of results) expect([own, other]).toEqual([what, what]);
    const packed = await runScript(inFile(gzipSync(file)), ...serviceKids.flatMap((kid) => ['--trust', kid]));
    expect(packed).toMatchObject({ status: 0, stderr: '' });
  });

  it('agrees on what the writer here writes', async () => {
    const results = await compare(SOUND.map((plan, n) => ({ what: `plan ${n}`, file: makeBundle(plan).text })));
    expect(results.map(({ what, own, other }) => `${what} ${own} ${other}`).sort()).toEqual(
      SOUND.map((_, n) => `plan ${n} verified verified`).sort(),
    );
  });

  it.each(TRUST_NAMED)('agrees where trust is named by %s', async (_, trusted, verdict) => {
    const results = await compare([{ what: verdict, file: makeBundle(WHOLE).text, trusted }]);
    expect(results).toEqual([{ what: verdict, own: verdict, other: verdict, unnamed: [] }]);
  });

  it('says that a trusted key was confirmed for other organizations only, and shows fingerprints in digits', async () => {
    const path = inFile(makeBundle(WHOLE).text);
    const { status, stdout } = await runScript(path, '--trust', `${serviceKid(0)}@org_other`);
    expect(status).toBe(3);
    expect(stdout).toContain('ORGANIZATION_NOT_CONFIRMED');
    expect(stdout).not.toContain('ISSUER_NOT_PINNED');
    expect(stdout).toContain(fingerprintDigits(serviceKid(1)).join(' '));
    expect(stdout).toContain(orgFingerprint(ORG_ID));
  });

  it('takes members in any order, and any white space', async () => {
    const { bundle } = makeBundle(RANGE);
    const file = `\n${JSON.stringify(Object.fromEntries(Object.entries(bundle).reverse()), null, '\t ')}\r\n`;
    expect(await compare([{ what: 'reversed', file }])).toMatchObject([{ own: 'verified', other: 'verified' }]);
  });

  it('agrees on damaged copies, and on their causes', async () => {
    const copies = damagedCopies({ edits: 40, structural: 40, bits: 24 });
    expect(copies.length).toBeGreaterThan(90);
    const results = await compare(copies);
    expect(disagreements(results)).toEqual([]);
    expect(results.filter(({ own }) => own !== 'failed')).toEqual([]);
  });

  it('agrees on what a dishonest service makes, and on the causes', async () => {
    const subjects = dishonestCases.map((damage) => ({
      what: `${damage.code}: ${damage.what}`,
      file: textOf(damage),
      receipts: damage.receipts?.map((receipt) => JSON.stringify(receipt)).join('\n'),
      ...(damage.against !== undefined && { against: [damage.against] }),
    }));
    expect(disagreements(await compare(subjects))).toEqual([]);
  }, 240_000);

  it('agrees on any two files of one ledger, and on two of different ones', async () => {
    const texts = [...Object.values(bundleTexts), earlierBundleText, emptyBundleText];
    const pairs = texts.flatMap((file, one) =>
      texts.map((other, two) => ({ what: `${one} ${two}`, file, trusted: serviceKids, against: [other] })),
    );
    const stranger = { what: 'another ledger', file: at(texts, 0), trusted: serviceKids };
    const results = await compare([...pairs, { ...stranger, against: [makeBundle(WHOLE).text] }]);
    expect(disagreements(results)).toEqual([]);
    const empty = texts.indexOf(emptyBundleText);
    const notVerified = results.filter(({ own }) => own !== 'verified').map(({ what, own }) => `${what} ${own}`);
    expect(notVerified.sort()).toEqual(
      [...texts.map((_, two) => `${empty} ${two} incomplete`), 'another ledger incomplete'].sort(),
    );
  }, 240_000);

  it('takes keys of agents and a time from its reader', async () => {
    const path = inFile(makeBundle(WHOLE).text);
    const answer = (...args: readonly string[]) => runScript(path, '--trust', serviceKid(0), ...args);
    const publicKey = publicKeyOf(agentSeed(0));
    for (const key of [toBase64Url(publicKey), thumbprint(publicKey)]) {
      expect(await answer('--trust-agent', `${agentName(0)}=${key}`)).toMatchObject({ status: 0 });
      // Copied with a space at either end, as the other verifiers take it.
      expect(await answer('--trust-agent', `${agentName(0)}= ${key} `)).toMatchObject({ status: 0 });
    }
    const other = await answer('--trust-agent', `${agentName(0)}=${serviceKid(0)}`);
    expect(other).toMatchObject({ status: 1, stdout: expect.stringContaining('AGENT_KEY_NOT_TRUSTED') });
    expect(await answer('--made-not-before', '2026-05-01T00:00:00Z')).toMatchObject({ status: 0 });
    const late = await answer('--made-not-before', '2036-05-01T00:00:00Z');
    expect(late).toMatchObject({ status: 3, stdout: expect.stringContaining('MADE_EARLIER') });
  });

  it('comes to a verdict on events that nest too deep, and stops at too many values', async () => {
    const nested = (levels: number): Json => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as Json;
    const withDetails = (details: string): string => makeBundle(WHOLE).text.replace(/"details":\{/, `$&${details},`);
    const files = {
      'nested 254 levels': withDetails(`"deep":${JSON.stringify(nested(254))}`),
      'nested 255 levels': withDetails(`"deep":${JSON.stringify(nested(255))}`),
      'a million values in a record': makeBundle({
        ...WHOLE,
        payload: { many: Array.from({ length: 1_000_000 }, () => 0) },
      }).text,
    };
    const reports = Object.entries(files).map(async ([what, file]) => {
      const { status, stdout } = await runScript(inFile(file), '--json', '--trust', serviceKid(0));
      const report = JSON.parse(stdout) as { findings: { code: string }[] };
      return [what, status, report.findings.some(({ code }) => code === 'MALFORMED')];
    });
    expect(await Promise.all(reports)).toEqual([
      ['nested 254 levels', 1, false],
      ['nested 255 levels', 1, true],
      ['a million values in a record', 1, true],
    ]);
  });

  it.each([
    ['a range', RANGE] as const,
    // The same damages of another selection.
    ...(IS_NIGHTLY ? [['one agent', ONE_AGENT] as const] : []),
  ])('agrees on the whole qualification set, made of %s', async (_, plan) => {
    const judge = async (copy: string | Uint8Array, question: Question): Promise<Judgement> => {
      const { against = [], receipts, checkpoints = [], trusted = [], examiners = [] } = question;
      const { witnesses: policy, lines = [], stamps = null, coherence } = question;
      const path = inFile(copy);
      const files = { against: against.map(inFile), receipts: receipts === undefined ? [] : [inFile(receipts)] };
      const witnesses = policy === undefined ? null : inFile(policy);
      const given = { ...files, checkpoints: checkpoints.map(inFile), examiners, witnesses, lines, stamps };
      const trust = [...TRUSTED, ...trusted];
      // Cases, lines and time stamps are not for the verifier in one file.
      if (examiners.length > 0 || lines.length > 0 || stamps !== null)
        return judgeFile(path, trust, { given, coherence });
      const report = unlessRefused(() =>
        verifyAny(path, {
          trust,
          ...files,
          checkpoint: given.checkpoints,
          ...(witnesses === null ? {} : { witnesses }),
        }),
      );
      const singleFile = typeof report === 'string' ? 'unreadable' : report.verdict;
      return { ...(await judgeFile(path, trust, { given, coherence })), singleFile };
    };
    const { rows, undetected } = await qualify(makeBundle(plan).bundle, { seed: '1', catalogue: CATALOGUE, judge });
    const copies = rows.flatMap((row) => row.copies);
    expect(copies.length).toBeGreaterThan(100);
    expect(copies.filter(({ agreed }) => !agreed)).toEqual([]);
    expect(undetected).toBe(0);
  });

  it('is asked in a separate process by countersign qualify, for each copy', async () => {
    // A process for every copy of the whole set would show no more, and take a minute.
    const command = qualifyWith(sample(CATALOGUE, 12));
    let stdout = '';
    const terminal = new Terminal();
    terminal.line = (text = '') => {
      stdout += text;
    };
    const path = inFile(makeBundle(RANGE).text);
    const args = parseCommandLine(command, [path, '--trust', at(TRUSTED, 0), '--single-file', '--json']);
    expect(await command.run(args, terminal)).toBe(0);
    // Cases and lines are not for the verifier in one file.
    const rows = (JSON.parse(stdout) as Qualification).rows.filter(({ id }) => !/^(case|line)-/.test(id));
    const copies = rows.flatMap((row) => row.copies);
    expect(copies.length).toBeGreaterThan(5);
    expect(copies.filter(({ singleFile }) => singleFile === undefined)).toEqual([]);
  });

  it('agrees on kept receipts, whatever they are', async () => {
    const { receipts } = makeBundle(WHOLE);
    const [first, , third] = [at(receipts, 0), at(receipts, 1), at(receipts, 2)];
    const resigned = (members: Partial<Receipt>): Receipt => signReceipt({ ...third, ...members });
    const sets: Readonly<Record<string, readonly (object | string)[]>> = {
      all: receipts,
      'none within the range': [first],
      'one twice': [third, third],
      'one that is not signed, but agrees': [{ ...third, service_signature: otherSignature() }],
      'one that is not signed, and contradicts': [{ ...third, chain_hash: otherDigest() }],
      'one that contradicts': [resigned({ chain_hash: otherDigest() })],
      'one of another organization': [resigned({ org_id: 'org_other' }), third],
      'one beyond the head, received before': [resigned({ seq_no: 99 })],
      'one beyond the head, received after': [resigned({ seq_no: 99, server_received_at: '2030-01-01T00:00:00Z' })],
      'one of a key that is not there': [resigned({ service_kid: serviceKid(7) })],
      'a line that is none': [third, 'my notes'],
      'a line with a member twice': [third, JSON.stringify(third).replace('{', '{"seq_no":3,')],
      'a line in another spelling': [JSON.stringify(third).replace('"seq_no":3', '"seq_no":3E0')],
      'blank lines and others ends': ['', `${JSON.stringify(third)}\r`, '  \t'],
      'a line too long for a receipt': [third, `${JSON.stringify(first)}${' '.repeat(66_000)}`],
      'a byte order mark': [`\ufeff${JSON.stringify(third)}`],
    };
    const subjects = [WHOLE, RANGE, ONE_AGENT].flatMap((plan, n) =>
      Object.entries(sets).map(([what, lines]) => ({
        what: `${what}, plan ${n}`,
        file: makeBundle(plan).text,
        receipts: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
      })),
    );
    const results = await compare(subjects);
    expect(disagreements(results)).toEqual([]);
    expect(new Set(results.map(({ own }) => own))).toEqual(new Set(['verified', 'failed', 'incomplete']));
  });

  it('refuses contents that no range has, as the other one does', async () => {
    const { epochs } = makeBundle(WHOLE).bundle;
    const plans: Plan[] = [
      { ...WHOLE, range: [1, 3], contents: (contents) => ({ ...contents, epochs }) },
      OLD_EVENT_INSIDE,
    ];
    const results = await compare(plans.map((plan, n) => ({ what: `plan ${n}`, file: makeBundle(plan).text })));
    for (const result of results) expect(result).toMatchObject({ own: 'failed', other: 'failed', unnamed: [] });
  });

  it('takes and refuses the same signatures at the edges of Ed25519', async () => {
    const crafted = CRAFTS.map((craft, n) => ({
      ...craftSignature(sha256(utf8(`seed ${n}`)), utf8(`message ${n}`), craft),
      valid: isStrict(craft),
    }));
    const cases = [
      ...ed25519Vectors,
      ...crafted.map(({ publicKey, message, signature, valid }) => ({
        public_key: toHex(publicKey),
        message: toHex(message),
        signature: toHex(signature),
        valid,
      })),
    ];
    const code = `import { verifyEd25519 } from ${JSON.stringify(pathToFileURL(script).href)};
      const from = (hex) => Buffer.from(hex, 'hex');
      const answer = (v) => verifyEd25519(from(v.public_key), from(v.message), from(v.signature));
      process.stdout.write(JSON.stringify(JSON.parse(process.argv[1]).map(answer)));`;
    const args = ['--input-type=module', '-e', code, JSON.stringify(cases)];
    const stdout = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, args, (error, output) => (error === null ? resolve(output) : reject(error)));
    });
    expect(JSON.parse(stdout)).toEqual(cases.map(({ valid }) => valid));
    expect(crafted.filter(({ valid }) => valid)).toHaveLength(1);
  });

  it.each<[string, () => Promise<string[]>]>([
    ['nothing', async () => []],
    ['two bundles', async () => ['one', 'two']],
    ['an unknown option', async () => ['bundle', '--proof', 'other']],
    ['an agent without a key', async () => ['bundle', '--trust-agent', 'agent-1']],
    ['a day for a time', async () => ['bundle', '--made-not-before', '2026-05-01']],
    ['a missing file to compare with', async () => [inFile(makeBundle(WHOLE).text), '--against', 'missing']],
    ['a kid cut short', async () => ['bundle', '--trust', 'short']],
    ['a missing file', async () => [join(temporaryFolder(), 'missing')]],
    ['a folder', async () => [temporaryFolder()]],
    ['a pipe that nobody writes into', async () => [pipe()]],
    ['a pipe to compare with', async () => [inFile(makeBundle(WHOLE).text), '--against', pipe()]],
    ['a device without end', async () => [process.platform === 'win32' ? temporaryFolder() : '/dev/zero']],
    ['a PDF', async () => [inFile('%PDF-1.7\n')]],
    ['an empty file', async () => [inFile('')]],
    ['notes', async () => [inFile('my notes\n')]],
    ['other JSON', async () => [inFile('{"name":1}')]],
    ['a gzip cut short', async () => [inFile(gzipSync(bundleTexts['bundle-whole.json']).subarray(0, 900))]],
  ])('%s: exit code 2 and one sentence', async (_, args) => {
    const { status, stdout, stderr } = await runScript(...(await args()));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).not.toContain('defect');
    expect(stderr.trim().split('\n').length).toBeLessThan(3);
  });

  it.each(['', '\ufeff'])(
    'takes a key set of the service for a trusted key, also behind a byte order mark: "%s"',
    async (mark) => {
      const [x, bundle] = [toBase64Url(publicKeyOf(serviceSeed(0))), inFile(makeBundle(WHOLE).text)];
      const keySet = (key: object) =>
        inFile(`${mark}${JSON.stringify({ keys: [{ kty: 'OKP', crv: 'Ed25519', x, ...key }] })}`);
      for (const key of [{}, { kid: serviceKid(0), use: 'sig' }]) {
        expect((await runScript(bundle, '--trust', keySet(key))).status).toBe(0);
      }
      const foreign = toBase64Url(publicKeyOf(serviceSeed(7)));
      expect((await runScript(bundle, '--trust', keySet({ x: foreign }))).status).toBe(3);
      for (const key of [
        { kid: serviceKid(7) },
        { crv: 'X25519' },
        { x: 'AA' },
        { x: toBase64Url(new Uint8Array(32)) },
      ]) {
        const { status, stderr } = await runScript(bundle, '--trust', keySet(key));
        expect([status, stderr]).toEqual([2, expect.stringContaining('is not a key set')]);
      }
    },
  );

  it('takes a kid that begins with a hyphen behind --trust, and so does the one in Python', async () => {
    const kid = Array.from({ length: 1000 }, (_, n) => serviceKid(n)).find((one) => one.startsWith('-'));
    const args = [inFile(makeBundle(WHOLE).text), '--trust', kid ?? expect.fail('no such kid')];
    expect((await runScript(...args)).status).toBe(3);
    const ended = hasPython() ? spawnSync('python3', [inPython, ...args]).status : 3;
    expect(ended).toBe(3);
  });

  it('has no terminal obey the name of a file, whether there is one or not', async () => {
    const [bundle, missing] = [inFile(makeBundle(WHOLE).text), join(temporaryFolder(), 'a\u001b[8mb\u009b2J')];
    const there = `${missing}.csbundle`;
    copyFileSync(bundle, there);
    for (const args of [[there], [missing], [bundle, '--receipts', missing], [bundle, '--trust', missing]]) {
      const { stdout, stderr } = await runScript(...args);
      expect(stdout + stderr).toContain('\ufffd[8mb\ufffd2J');
      expect(stdout + stderr).not.toMatch(/[\p{Cc}--[\n\t]]/v);
    }
  });

  it('leaves no file open, also where it stops reading in the middle of one', async () => {
    const whole = inFile(bundleTexts['bundle-whole.json']);
    const broken = inFile(bundleTexts['bundle-whole.json'].replace('"epochs"', '!"epochs"'));
    const program = `
      import { closeSync, openSync } from 'node:fs';
      const [script, whole, broken] = process.argv.slice(1);
      const { verifyBundleFile } = await import(script);
      const free = () => { const file = openSync(whole); closeSync(file); return file; };
      const judge = (path, against) => {
        try { return verifyBundleFile(path, { against }).verdict; } catch (error) { return error.constructor.name; }
      };
      judge(whole, []);
      const before = free();
      const judged = [judge(broken, []), judge(whole, [broken, broken])];
      console.log(JSON.stringify({ judged, opened: free() - before }));`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--input-type=module', '--eval', program],
      ...[pathToFileURL(script).href, whole, broken],
    ]);
    expect(JSON.parse(stdout)).toEqual({ judged: ['failed', 'incomplete'], opened: 0 });
  });

  it('shows checks, findings and the verdict to a person', async () => {
    const altered = bundleTexts['bundle-whole.json'].replace('"action":"write"', '"action":"wrote"');
    const { status, stdout } = await runScript(inFile(altered), `--trust=${at(serviceKids, 0)}`);
    expect(status).toBe(1);
    expect(stdout).toContain('Verdict: failed');
    expect(stdout).toMatch(/fail +agent_signatures/);
    expect(stdout).toContain('SIGNATURE_INVALID');
  });
});
