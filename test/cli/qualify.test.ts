// countersign qualify: which mutations of a user's own bundle the verifier detects.
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Command, parseCommandLine } from '../../src/cli/command.ts';
import { qualifyWith } from '../../src/cli/commands/qualify.ts';
import { CATALOGUE } from '../../src/cli/qualify/catalogue.ts';
import { forge } from '../../src/cli/qualify/forge.ts';
import type { Mutation } from '../../src/cli/qualify/mutation.ts';
import { type Judgement, type Qualification, type Question, qualify } from '../../src/cli/qualify/qualification.ts';
import { Terminal } from '../../src/cli/terminal.ts';
import { nodeCrypto } from '../../src/node/index.ts';
import { makeBundle, serviceKid, writeBundle } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { run } from '../support/command-line.ts';
import { ONE_AGENT, RANGE, WHOLE } from '../support/dishonest.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Bundle, bundleTexts, serviceKids } from '../support/vectors.ts';
import { verifyFile } from '../support/verifying.ts';

const folder = temporaryFolder();
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const kid = serviceKid(0);
const small = makeBundle(RANGE);
const bundle = file('bundle.json', small.text);

async function matrixOf(path: string, trusted: string, ...args: string[]): Promise<Qualification> {
  const { stdout, stderr } = await run('qualify', path, '--trust', trusted, '--json', ...args);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Qualification;
}

/** Rows with a copy that was not as expected. */
const wrong = ({ rows }: Qualification): string[] =>
  rows.filter(({ copies }) => copies.some(({ detected, agreed }) => !detected || !agreed)).map(({ id }) => id);

function kindCalled(id: string): Mutation {
  const kind = CATALOGUE.find((one) => one.id === id);
  if (kind === undefined) throw new Error(`there is no kind ${id}`);
  return kind;
}

/** A mutation that changes nothing, and yet is to be detected. */
const nothing: Mutation = {
  id: 'nothing',
  title: 'nothing changed',
  attack: 'none',
  expected: 'failed',
  copies: (subject) => [{ at: 'nowhere', make: () => subject.text }],
};

/** Runs a command that the program does not have, as it would. */
async function runCommand(command: Command, ...args: string[]): Promise<{ code: number; stdout: string }> {
  let stdout = '';
  const terminal = new Terminal();
  terminal.line = (text = '') => {
    stdout += `${text}\n`;
  };
  return { code: await command.run(parseCommandLine(command, args), terminal), stdout };
}

describe('the catalogue', () => {
  it('has more than thirty kinds, each with its own name', () => {
    expect(CATALOGUE.length).toBeGreaterThan(30);
    expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
    for (const { title, attack } of CATALOGUE) expect([title, attack]).not.toContain('');
  });

  it('is detected, every kind of it, on what the service makes and on parts of ledgers', async () => {
    const made = join(folder, 'made.json');
    expect((await run('demo', '--out', made)).code).toBe(0);
    const { manifest } = JSON.parse(readFileSync(made, 'utf8')) as Bundle;
    const matrices = [
      await matrixOf(made, manifest.service_kid),
      await matrixOf(bundle, kid),
      await matrixOf(file('one.json', makeBundle(ONE_AGENT).text), kid),
      await matrixOf(file('vector.json', bundleTexts['bundle-redacted.json']), at(serviceKids, 0)),
      // The agent's newest record stands behind the range.
      await matrixOf(file('agent.json', bundleTexts['bundle-agent.json']), at(serviceKids, 0)),
    ];
    for (const matrix of matrices) expect(wrong(matrix)).toEqual([]);
    const applied = new Set(
      matrices.flatMap(({ rows }) => rows.filter(({ copies }) => copies.length > 0).map(({ id }) => id)),
    );
    expect(CATALOGUE.map(({ id }) => id).filter((id) => !applied.has(id))).toEqual([]);
  });

  // docs/security.md, "The operator lies, key in hand". The second list is found in the copy itself.
  it.each<[lie: string, byOthers: readonly string[], byItself?: readonly string[]]>([
    [
      'the newest records are left out',
      ['newest-left-out-receipts', 'newest-left-out-kept', 'witness-newest-left-out'],
    ],
    ['records of agents without receipts are rewritten', ['witness-rewritten', 'stamp-rewritten', 'two-roots']],
    ['continued from a raw copy of the folder', ['fork-against-receipts', 'two-kept-receipts']],
    ['an invented past under a range', ['invented-past']],
    ['the clock of the whole ledger is shifted', ['stamp-clock-ahead', 'stamp-dated-back', 'line-dated-back']],
    ['a decision is dated back', ['stamp-record-dated-back'], ['decided-before-asked']],
    ['another key takes over', ['two-heirs']],
    ['names and labels', ['two-names'], ['program-as-person', 'rename-agent-signed']],
    ['two values of one member', [], ['second-value']],
    ['two readers are shown two forks', ['fork-against-kept', 'two-kept-bundles']],
  ])('knows that %s, and tells it so that the copy alone does not show it', async (_, byOthers, byItself = []) => {
    const catalogue = [...byOthers, ...byItself].map(kindCalled);
    const judge = async (copy: string | Uint8Array): Promise<Judgement> => {
      const { manifest } = JSON.parse(String(copy)) as Bundle;
      const { verdict } = await verifyFile(String(copy), { crypto: nodeCrypto, trustedKids: [manifest.service_kid] });
      return { verdict, finding: null, codes: [] };
    };
    // Records of two agents in three epochs, a second apart.
    const { rows } = await qualify(makeBundle({ ...WHOLE, rotation: false }).bundle, { seed: '1', catalogue, judge });
    const alone = rows.flatMap(({ id, copies }) => copies.map(({ verdict }) => [id, verdict]));
    expect(alone.filter(([id]) => byOthers.includes(id ?? ''))).toEqual(byOthers.map((id) => [id, 'verified']));
  });

  it('is detected in a range over which the clock of the ledger jumped a year and was set right', async () => {
    const text = readFileSync(new URL('../vectors/bundle-clock-range.json', import.meta.url), 'utf8');
    const { manifest } = JSON.parse(text) as Bundle;
    const matrix = await matrixOf(file('clock.json', text), manifest.service_kid);
    expect(wrong(matrix)).toEqual([]);
    const backdated = matrix.rows.find(({ id }) => id === 'decided-before-asked');
    expect(backdated?.copies.map(({ at: where }) => where)).toEqual(['seq_no 4 and behind it']);
  });

  it('is applied to a ledger of one record as far as it goes', async () => {
    const one = makeBundle({ epochs: [1] }).text;
    const matrix = await matrixOf(file('single.json', one), kid);
    expect(wrong(matrix)).toEqual([]);
    const reordered = matrix.rows.find(({ id }) => id === 'reorder');
    expect(reordered).toMatchObject({ copies: [], not_applicable: expect.stringContaining('fewer than 2') });
  });

  it('says of a forgery that is sound in itself that its issuer is not trusted, and no more', async () => {
    for (const plan of [WHOLE, RANGE, ONE_AGENT]) {
      for (const agentsToo of [false, true]) {
        const forged = writeBundle(forge(makeBundle(plan).bundle, { label: 'a test', agentsToo }));
        const report = await verifyFile(forged, { crypto: nodeCrypto, trustedKids: [kid] });
        expect(report.findings.map(({ code }) => code)).toEqual(['ISSUER_NOT_PINNED']);
        const itself = await verifyFile(forged, { trustedKids: [report.issuer.kid ?? ''] });
        expect(itself.verdict).toBe('verified');
      }
    }
  });
});

describe('the command', () => {
  it('shows the matrix and exits with 0 where all was detected', async () => {
    const { code, stdout, stderr } = await run('qualify', bundle, '--trust', kid);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}edit-payload +seq_no \d+ +failed +PAYLOAD_HASH_MISMATCH +yes$/m);
    expect(stdout).toMatch(/^ {2}truncate +25 places +failed +MALFORMED +yes$/m);
    expect(stdout).toMatch(/^ {2}approved-after-backdated +the first records +incomplete +APPROVED_AFTER +yes$/m);
    expect(stdout).toMatch(/^ {2}resign-everything +everything +incomplete +ISSUER_NOT_PINNED +yes$/m);
    expect(stdout).toMatch(/^ {2}control-rewritten +the file +verified +– +accepted$/m);
    expect(stdout).toMatch(/\d+ of \d+ kinds applied, \d+ copies, 0 not as expected\n$/);
    expect(readFileSync(bundle, 'utf8')).toBe(small.text);
  });

  it('exits with 1 where a mutation was not detected, and names it', async () => {
    const { code, stdout } = await runCommand(qualifyWith([...CATALOGUE.slice(0, 5), nothing]), bundle, '--trust', kid);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}nothing +nowhere +verified +– +NO$/m);
    expect(stdout).toContain('1 not as expected');
  });

  it('exits with 1 where a control was refused', async () => {
    const spoiled: Mutation = {
      ...nothing,
      id: 'spoiled',
      expected: 'verified',
      copies: () => [{ at: 'x', make: () => '{' }],
    };
    const { code, stdout } = await runCommand(qualifyWith([spoiled]), bundle, '--trust', kid);
    expect(code).toBe(1);
    expect(stdout).toContain('REFUSED');
  });

  it('mutates the same places for the same seed, and others for another', async () => {
    const few = qualifyWith(CATALOGUE.filter(({ id }) => /^(edit-|flip-bit|truncate)/.test(id)));
    const places = async (...args: string[]): Promise<string> => {
      const { stdout } = await runCommand(few, bundle, '--trust', kid, '--json', ...args);
      return stdout;
    };
    const first = await places('--seed', 'a');
    expect(await places('--seed', 'a')).toBe(first);
    expect(await places('--seed', 'b')).not.toBe(first);
  });

  it('takes a compressed bundle', async () => {
    const few = qualifyWith(CATALOGUE.slice(0, 6));
    const { code } = await runCommand(few, file('bundle.gz', gzipSync(small.text)), '--trust', kid);
    expect(code).toBe(0);
  });

  it.each<[string, RegExp, () => string[]]>([
    ['no bundle', /name one bundle/, () => ['--trust', kid]],
    ['two bundles', /name one bundle/, () => [bundle, bundle, '--trust', kid]],
    ['nobody to trust', /--trust/, () => [bundle]],
    ['somebody else to trust', /incomplete \(ISSUER_NOT_PINNED\) before/, () => [bundle, '--trust', serviceKid(7)]],
    ['a missing file', /no such file/, () => [join(folder, 'missing'), '--trust', kid]],
    [
      'a damaged bundle',
      /failed \(SIGNATURE_INVALID\) before/,
      () => [file('damaged.json', small.text.replace('"file 4"', '"file 9"')), '--trust', kid],
    ],
    [
      'an empty ledger',
      /before any mutation/,
      () => [file('none.json', makeBundle({ epochs: [] }).text), '--trust', kid],
    ],
    [
      'a file that is too large',
      /holds more than/,
      () => {
        const path = file('large.json', '');
        truncateSync(path, 65 * 1024 * 1024);
        return [path, '--trust', kid];
      },
    ],
  ])('%s: exit code 2 and a sentence', async (_, sentence, args) => {
    const { code, stdout, stderr } = await run('qualify', ...args());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('two verifiers', () => {
  const options = { seed: '1', catalogue: [{ ...nothing, expected: 'failed' as const }] };
  const says = (verdict: Judgement['verdict'], singleFile: Judgement['verdict']) => (): Promise<Judgement> =>
    Promise.resolve({ verdict, finding: null, codes: [], singleFile });

  it('are demanded to agree', async () => {
    const disagreeing = await qualify(small.bundle, { ...options, judge: says('failed', 'verified') });
    expect(disagreeing.undetected).toBe(1);
    expect(at(disagreeing.rows, 0).copies).toMatchObject([{ detected: true, agreed: false }]);
  });

  it('are demanded to accuse no honest service of a damaged file', async () => {
    const accusing = (): Promise<Judgement> =>
      Promise.resolve({
        verdict: 'failed',
        finding: 'PAYLOAD_HASH_MISMATCH',
        codes: ['PAYLOAD_HASH_MISMATCH', 'CONTRADICTION'],
      });
    const honest = { ...nothing, isHonest: true } as const;
    expect((await qualify(small.bundle, { ...options, catalogue: [honest], judge: accusing })).undetected).toBe(1);
    expect((await qualify(small.bundle, { ...options, judge: accusing })).undetected).toBe(0);
  });

  it('are demanded to report the finding that a kind names', async () => {
    const found = (...codes: string[]) => ({
      catalogue: [{ ...nothing, finding: 'DIRECTORY_MISMATCH' }],
      seed: '1',
      judge: (): Promise<Judgement> => Promise.resolve({ verdict: 'failed', finding: 'MALFORMED', codes }),
    });
    expect((await qualify(small.bundle, found('MALFORMED'))).undetected).toBe(1);
    expect((await qualify(small.bundle, found('MALFORMED', 'DIRECTORY_MISMATCH'))).undetected).toBe(0);
  });

  it('are demanded to say of what is sound in itself whether its records contradict each other', async () => {
    const said = (verdict: Judgement['verdict'], coherent?: boolean) => ({
      ...options,
      catalogue: [{ ...nothing, expected: 'incoherent' as const }],
      judge: (_: unknown, { coherence }: Question): Promise<Judgement> =>
        Promise.resolve({
          verdict,
          finding: null,
          codes: [],
          ...(coherence && coherent !== undefined ? { coherent } : {}),
        }),
    });
    expect((await qualify(small.bundle, said('incomplete', false))).undetected).toBe(0);
    expect((await qualify(small.bundle, said('incomplete', true))).undetected).toBe(1);
    expect((await qualify(small.bundle, said('incomplete'))).undetected).toBe(1);
    expect((await qualify(small.bundle, said('failed', false))).undetected).toBe(1);
  });

  it('may call a file unreadable or failed', async () => {
    expect((await qualify(small.bundle, { ...options, judge: says('failed', 'unreadable') })).undetected).toBe(0);
    expect((await qualify(small.bundle, { ...options, judge: says('unreadable', 'failed') })).undetected).toBe(0);
  });
});
