import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/node/index.ts';
import { UNNAMED_WITNESSES } from '../../../src/protocol/index.ts';
import { openAttachedData } from '../../../src/reports/pdf/attached-bundle.ts';
import { ATTACHED_BUNDLE, type CaseStanding, chooseRecords, writeChosenPdf } from '../../../src/reports/pdf/index.ts';
import { makeBundle, ORG_ID, only, serviceKid } from '../../support/bundle-maker.ts';
import { CHECKPOINT_TRUST } from '../../support/checkpoints.ts';
import { chosenSentences, expectInOrder } from '../../support/chosen-sentences.ts';
import { run } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { sourceOf, textOf, verify, writeReport } from '../../support/reports.ts';
import { ALPHA, BETA, carriedCases } from '../../support/witnessed.ts';

const folder = temporaryFolder();
const kid = serviceKid(0);
const LONG = 'long-payload-'.repeat(400);
const text = makeBundle({
  agents: 2,
  epochs: [3, 2],
  redacted: [2],
  payload: { greeting: 'Ελένη, Анна, Łukasz, 中文, \u202Eevil', long: LONG, sum: '½ ≤ →' },
  signedRecord: only(3, (record) => ({ ...record, payload: { n: 'forged' } })),
}).text;
const pdf = join(folder, 'report.pdf');
const plain = join(folder, 'plain.pdf');
const carrying = join(folder, 'carrying.json');

function tool(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Text of a report without the line breaks of its pages. */
function words(path: string): string {
  return tool('pdftotext', '-enc', 'UTF-8', path, '-').replace(/\s+/g, ' ');
}

beforeAll(async () => {
  const [{ made } = {}] = carriedCases;
  if (made !== undefined) writeFileSync(carrying, makeBundle(made).text);
  await writeReport(pdf, text, [kid], {
    attachments: [
      { name: 'verify.mjs', type: 'text/javascript', description: 'A verifier', bytes: Buffer.from('//\n') },
    ],
  });
  await writeReport(plain, makeBundle({ epochs: [2] }).text, [kid]);
});

const SCRIPTS = {
  Arabic: 'محمد الأحمد',
  Hebrew: 'דוד כהן',
  Hindi: 'राजेश क्षत्रिय',
  Bengali: 'নির্মল চন্দ্র',
  Thai: 'สมชาย น้ำใจ',
  Chinese: '王小明',
  Japanese: '山田さくら',
  Korean: '김민준',
};

describe('names in other scripts', () => {
  it('are read back as they were written, in their order (pdftotext, qpdf, pdffonts)', async () => {
    const path = join(folder, 'scripts.pdf');
    const payload = { ...SCRIPTS, row: 'محمد الأحمد;1971-02-03', paid: 'دفع 500 ريال إلى محمد' };
    const bundle = makeBundle({ epochs: [1], payload }).text;
    const { missingScripts } = await writeReport(path, bundle, [kid]);
    expect(missingScripts).toEqual([]);
    // Readers put marks of direction around what they turned.
    const read = words(path).replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
    for (const name of Object.values(SCRIPTS)) expect(read).toContain(name);
    expect(read).not.toContain('⟨U+');
    expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors');
    const fonts = tool('pdffonts', path).trim().split('\n').slice(2);
    for (const font of fonts) expect(font).toMatch(/yes yes yes/);
    const again = join(folder, 'scripts-again.pdf');
    await writeReport(again, bundle, [kid]);
    expect(readFileSync(again).equals(readFileSync(path))).toBe(true);
  });

  it('that no font at hand has are named by number, and the report says which script it is and what helps', async () => {
    const path = join(folder, 'tibetan.pdf');
    const { missingScripts } = await writeReport(path, makeBundle({ epochs: [1], payload: { n: 'བོད' } }).text, [kid]);
    expect(missingScripts).toEqual(['Tibetan']);
    expect(words(path)).toMatch(
      /⟨U\+0F56 U\+0F7C U\+0F51⟩.*letters of this script: Tibetan\..*make the report as HTML/,
    );
  });
});

describe('other programs say of a report that', () => {
  it('it is sound (qpdf)', () => {
    for (const path of [pdf, plain])
      expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors');
  });

  it('an investigator’s notes stand apart, as no evidence (pdftotext, qpdf)', async () => {
    const path = join(folder, 'notes.pdf');
    const annotations = [{ operation_id: 'operation-1', tags: ['fraud', 'urgent'], note: 'Ask.\n\nCompare.' }];
    await writeReport(path, makeBundle({ epochs: [2] }).text, [kid], { annotations });
    const [before = '', notes = ''] = words(path).split('Investigator’s notes');
    expect(before).not.toContain('fraud');
    expect(notes).toMatch(/They are no evidence.*operation-1 fraud urgent Ask\..*Compare\..*Verify again/);
    expect(words(plain)).not.toContain('Investigator’s');
    expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors');
  });

  it('its first page names what contradicts the bundle, and says what is not checked yet (pdftotext, qpdf)', async () => {
    const path = join(folder, 'standing.pdf');
    const about = (standing: CaseStanding) => writeReport(path, makeBundle({ epochs: [2] }).text, [kid], { standing });
    const firstPage = () => tool('pdftotext', '-enc', 'UTF-8', '-l', '1', path, '-').replace(/\s+/g, ' ');
    const codes = { INPUT_CHANGED: 2, APPROVED_AFTER: 1 };
    const coherence = { status: 'incoherent', contradictions: 3, open: 0, codes } as const;
    await about({ contradicting: [{ item_no: 3, name: 'kept.checkpoint' }], unchecked: 2, coherence });
    expect(firstPage()).toMatch(
      /Verdict: failed – contradicted by an item Item 3 \(kept\.checkpoint\) contradicts the bundle.*2 items of this case were still being checked.*The bundle by itself: /,
    );
    expect(firstPage()).toContain(
      'Recorded actions: they do not fit together – 3 contradictions, 0 open questions. Found: APPROVED_AFTER (1), INPUT_CHANGED (2).',
    );
    expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors');
    await about({ contradicting: [], unchecked: 1, coherence: null });
    expect(firstPage()).toMatch(/Verdict: none yet – 1 item being checked 1 item of this case was still being checked/);
    expect(words(path)).not.toMatch(/Verdict: verified|report: verified|Recorded actions/);
  });

  it('every font is embedded, as a subset, with its way back to Unicode (pdffonts)', () => {
    const fonts = tool('pdffonts', pdf).trim().split('\n').slice(2);
    expect(fonts.length).toBe(4);
    for (const line of fonts) expect(line).toMatch(/NotoSans.*CID TrueType +Identity-H +yes yes yes/);
  });

  it('it is tagged, PDF/A-3 with conformance level A, has a title and a language (pdfinfo, qpdf)', () => {
    const info = tool('pdfinfo', pdf);
    expect(info).toMatch(/Tagged: +yes/);
    expect(info).toMatch(/Suspects: +no/);
    expect(info).toMatch(/Title: +Verification report of export [0-9a-f-]+: failed/);
    const metadata = tool('pdfinfo', '-meta', pdf);
    expect(metadata).toContain('<pdfaid:part>3</pdfaid:part>');
    expect(metadata).toContain('<pdfaid:conformance>A</pdfaid:conformance>');
    const all = tool('qpdf', '--json', pdf).replace(/\s+/g, ' ');
    expect(all).toMatch(/"\/Lang": "(u:)?en"/);
    expect(all).toContain('"/DisplayDocTitle": true');
    expect(all).toContain('"/Scope": "/Column"');
    expect(all).toContain('"/Scope": "/Row"');
    expect(all).toContain('"/AFRelationship": "/Source"');
    expect(all).toContain('"/S": "/GTS_PDFA1"');
  });

  it('its structure has headings, tables with titles, figures with a text, and lists (pdfinfo)', () => {
    const structure = tool('pdfinfo', '-struct', pdf);
    for (const type of ['Document', 'H1', 'H2', 'H3', 'Table', 'TR', 'TH', 'TD', 'Figure', 'L', 'LI', 'Code']) {
      expect(structure).toMatch(new RegExp(`^ *${type}\\b`, 'm'));
    }
    expect(tool('qpdf', '--qdf', '--object-streams=disable', pdf, '-')).toContain('QR code of the issuer');
  });

  it('it gives back the exact bundle, and what else is attached (pdfdetach)', () => {
    const into = join(folder, 'attachments');
    mkdirSync(into);
    tool('pdfdetach', '-saveall', '-o', into, pdf);
    expect(readFileSync(join(into, ATTACHED_BUNDLE), 'utf8')).toBe(text);
    expect(readFileSync(join(into, 'verify.mjs'), 'utf8')).toBe('//\n');
  });

  it('its text reads in order (pdftotext)', () => {
    const read = words(pdf);
    const order = [
      'Verification report Example',
      'Verdict: failed',
      'Scope Organization Example',
      'Issuer 81260 86661',
      'kid Ol2R AMAN',
      'Checks Check State What was looked at',
      'Issuer Are the service keys sound',
      'What was not checked',
      'Findings 1 error',
      'Summary of operations',
      'By agent',
      'Keys and agents',
      'Epochs An epoch seals',
      'Administrative log Time and act',
      'Operations Every operation',
      'No. 1 file.write write',
      'subject file 1 agent agent-1, key k1 issued',
      'No. 2 file.write write',
      'No. 5 file.write write',
      'Verify again',
      '1. Take the bundle out',
    ];
    let at = 0;
    for (const part of order) {
      const next = read.indexOf(part, at);
      expect(next, part).toBeGreaterThanOrEqual(at);
      at = next + part.length;
    }
  });
});

describe('what is to be read in it', () => {
  it('are the verdict, every check and its state', async () => {
    const read = words(pdf);
    const { summary } = await verify(text, [kid]);
    expect(read).toContain(summary.replace(/\.?$/, '.'));
    for (const title of [
      'Agent signatures',
      'Payloads',
      'Agent chains',
      'Receipts',
      'Epochs',
      'Completeness',
      'Times',
    ]) {
      expect(read).toContain(title);
    }
    expect(read).toContain('No kept receipts, no other bundle and no checkpoint were given');
    expect(read).toContain('Nothing to check');
    expect(words(plain)).toContain('Verdict: verified');
    expect(words(plain)).not.toContain('Failed');
  });

  it('are fingerprint, findings with their evidence, withheld payloads', () => {
    const read = words(pdf);
    expect(read).toContain((kid.match(/.{1,4}/g) ?? []).slice(0, 5).join(' '));
    expect(read).toContain('1. PAYLOAD_HASH_MISMATCH: error, Payloads');
    expect(read).toMatch(/expected sha256: [0-9a-f ]{71} found sha256: [0-9a-f ]{71} /);
    expect(read).toContain('Payload withheld');
  });

  it('are payloads, whole and in any script', () => {
    const read = words(pdf);
    expect(read).toContain('Ελένη, Анна, Łukasz, 中文, ⟨U+202E⟩evil');
    expect(read).toContain('½ ≤ →');
    const joined = read.replace(
      / |Verification report: failed Export [0-9a-f-]+|Bundle sha256 [0-9a-f]+…|Page \d+/g,
      '',
    );
    expect(joined).toContain(`"${LONG}"`);
  });
});

it("the issuer's own report says on its first page and on every other whose word it is", async () => {
  const path = join(folder, 'own.pdf');
  await writeReport(path, makeBundle({ epochs: [2] }).text, [kid], { maker: 'issuer' });
  const pages = tool('pdftotext', '-enc', 'UTF-8', path, '-').split('\f').slice(0, -1);
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages) expect(page).toContain('the issuer’s own word');
  expect(pages[0]).toContain('Verdict: incomplete');
  expect(words(path)).not.toMatch(/you trust the issuer|Verdict: verified/);
});

describe('other programs say of a report of chosen records that', () => {
  const path = join(folder, 'chosen.pdf');
  beforeAll(async () => {
    const payload = { tool: 'read', input: 'x'.repeat(65_536) };
    const large = makeBundle({ agents: 1, epochs: [5], payload }).text;
    const entries = [{ seq_no: 4, comment: 'Διάβασε.' }, { seq_no: 2 }, { seq_no: 1 }, { seq_no: 3 }, { seq_no: 5 }];
    const said = { title: 'Five reads', question: 'What was read?', examiner: null, madeAt: '2026-11-23T00:00:00Z' };
    const { report } = await chooseRecords(sourceOf(large), { ...said, entries, trustedKids: [kid] }, nodeCrypto);
    await writeChosenPdf({ report, crypto: nodeCrypto, version: '1.0.0', out: createWriteStream(path) });
  });

  it('it is sound (qpdf), tagged, PDF/A-3, and at most 8 pages (pdfinfo)', () => {
    expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors');
    const info = tool('pdfinfo', path);
    expect(info).toMatch(/Tagged:\s+yes/);
    expect(Number(/Pages:\s+(\d+)/.exec(info)?.[1])).toBeLessThanOrEqual(8);
    expect(tool('pdfinfo', '-meta', path)).toContain('<pdfaid:part>3</pdfaid:part>');
  });

  it('its data are sound where it was linearized (qpdf), and its pages cannot be compared', async () => {
    const linear = join(folder, 'linear.pdf');
    tool('qpdf', '--linearize', path, linear);
    const { kind, source, change } = await openAttachedData(linear);
    expect([kind, change]).toEqual(['chosen_report', 'rewritten']);
    expect(await textOf(source)).toBe(await textOf((await openAttachedData(path)).source));
  });

  it('it says what was asked, each record in its order, and how much it leaves out (pdftotext)', () => {
    const text = words(path);
    expect(text).toContain('What was read?');
    expect(text).toMatch(/No\. 4 .*Διάβασε\..*No\. 2 .*No\. 1 .*No\. 3 .*No\. 5 /);
    expect(text).toMatch(/[\d,]+ characters of the contents are left out here\. .*payload_hash sha256:[0-9a-f]{64}/);
  });

  it('it says every sentence of its description, in its order (pdftotext)', async () => {
    const small = join(folder, 'small.pdf');
    const bundle = makeBundle({ agents: 2, epochs: [3, 2], redacted: [2] }).text;
    const entries = [{ seq_no: 4, comment: 'First this.' }, { seq_no: 2 }];
    const said = { title: 'Two records', question: 'What was read?', examiner: 'Ada', madeAt: '2026-11-23T00:00:00Z' };
    const { report } = await chooseRecords(sourceOf(bundle), { ...said, entries, trustedKids: [kid] }, nodeCrypto);
    await writeChosenPdf({ report, crypto: nodeCrypto, version: '1.0.0', out: createWriteStream(small) });
    expectInOrder(words(small), await chosenSentences(report, 'report.pdf'));
  });

  it('its data are attached whole (pdfdetach)', () => {
    const data = join(folder, 'chosen.json');
    tool('pdfdetach', '-savefile', 'countersign-report.json', '-o', data, path);
    expect(readFileSync(data, 'utf8')).toContain('x'.repeat(65_536));
  });
});

describe('protocol V147, R45: other programs read of a ledger whose clock was set back that', () => {
  const clock = readFileSync(new URL('../../vectors/bundle-clock.json', import.meta.url), 'utf8');
  const { service_keys } = JSON.parse(clock) as { service_keys: readonly { kid: string }[] };
  const trustedKids = service_keys.map((key) => key.kid);
  const noted = (what: string) =>
    `${what} may be wrong: the service’s clock was set back later, at 2026-03-01T09:03:20.000Z`;

  it('times of records, epochs and events may be wrong, each next to the time (pdftotext)', async () => {
    const path = join(folder, 'clock.pdf');
    await writeReport(path, clock, trustedKids);
    const text = words(path);
    expect(text).toContain('the times of records 4 to 5, epoch 2, administrative events 4 to 5 may be wrong');
    expect(text).toContain('2 operations may stand at a wrong time');
    expect(text.split(noted('The time of receipt'))).toHaveLength(3);
    expect(text.split(noted('These times'))).toHaveLength(2);
    // Two events, and the agent and its key that one of them made.
    expect(text.split(noted('This time'))).toHaveLength(5);
    const [, four = '', five = '', six = ''] = text.split(/No\. [4-7] {1,3}/);
    expect([four, five, six].map((part) => part.includes(noted('The time of receipt')))).toEqual([true, true, false]);
  });

  it.each([
    ['with each record whole', true, 2],
    ['as a row for each record', false, 2],
  ])('its maker says so of each chosen record, %s (pdftotext)', async (_, details, times) => {
    const path = join(folder, `clock-chosen-${details}.pdf`);
    const request = {
      title: 'Clock',
      question: '',
      examiner: null,
      madeAt: '2026-04-01T00:00:00.000Z',
      trustedKids,
      entries: [{ seq_no: 4 }, { seq_no: 5 }],
    };
    const { report } = await chooseRecords(sourceOf(clock), request, nodeCrypto);
    await writeChosenPdf({ report, crypto: nodeCrypto, version: '1.2.3', out: createWriteStream(path), details });
    const note = `${noted('The time of receipt')}, as the maker of this report says`;
    expect(words(path).split(note)).toHaveLength(1 + times);
  });
});

describe('a report of a bundle that carries cosigned checkpoints', () => {
  it('prints who stands behind the records where its maker demands witnesses, and is made again with them', async () => {
    const [store, path] = [join(folder, 'trust.json'), join(folder, 'witnessed.pdf')];
    for (const key of CHECKPOINT_TRUST) await run('trust', 'add', `${key}@${ORG_ID}`, '--trust-store', store);
    for (const { vkey } of [ALPHA, BETA]) await run('trust', 'add', vkey, '--trust-store', store);
    expect(await run('report', carrying, '--trust-store', store, '-o', path)).toMatchObject({ code: 0 });
    expect(words(path)).toContain(
      `Witnessed (Passed): Records up to No. 7 are witnessed by 2 of 2 witnesses (${ALPHA.key.name}, ${BETA.key.name})`,
    );
    const again = await run('verify', path, '--trust-store', store);
    expect([again.code, again.stdout.includes('The pages of this PDF match its bundle')]).toEqual([0, true]);
  });

  it('says that nobody was named where its maker demands none', async () => {
    const path = join(folder, 'unnamed.pdf');
    await run('report', carrying, '--trust', kid, '-o', path);
    expect(words(path)).toContain(`Witnessed (Not checked): N${UNNAMED_WITNESSES.slice(1)}.`);
  });
});
