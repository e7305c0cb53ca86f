import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openAttachedBundle, ReportError, writePdfReport } from '../../../src/reports/pdf/index.ts';
import { asIssuersWord } from '../../../src/reports/pdf/issuers-word.ts';
import { parseRecipe, type ReportRecipe, recipeBytes } from '../../../src/reports/pdf/made-with.ts';
import { surveyBundle } from '../../../src/reports/pdf/survey.ts';
import { makeBundle, serviceKid } from '../../support/bundle-maker.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { sourceOf, textOf, verify, writeReport } from '../../support/reports.ts';

const folder = temporaryFolder();
const kid = serviceKid(0);
const sound = makeBundle({ agents: 2, epochs: [3, 2] }).text;

/** Takes everything and keeps nothing. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

async function attachedTo(path: string): Promise<string> {
  const { source } = await openAttachedBundle(path);
  return textOf(source);
}

describe('a report', () => {
  it('carries its bundle byte for byte', async () => {
    const path = join(folder, 'whole.pdf');
    await writeReport(path, sound, [kid]);
    expect(await attachedTo(path)).toBe(sound);
  });

  it('carries a bundle of several chunks, and other files besides', async () => {
    const path = join(folder, 'large.pdf');
    const large = makeBundle({ epochs: [12], payload: { text: 'Grüße, Ελένη! '.repeat(9000) } }).text;
    const verifier = {
      name: 'verify.mjs',
      type: 'text/javascript',
      description: 'a verifier',
      bytes: Buffer.from('//'),
    };
    await writeReport(path, large, [kid], {
      attachments: [verifier],
      source: function* () {
        const bytes = Buffer.from(large);
        for (let from = 0; from < bytes.length; from += 4096) yield bytes.subarray(from, from + 4096);
      },
    });
    expect(await attachedTo(path)).toBe(large);
  });

  it.each([
    ['of no records', makeBundle({ epochs: [] }).text],
    ['of withheld payloads', makeBundle({ epochs: [3], redacted: [1, 2, 3] }).text],
    ['of one agent', makeBundle({ agents: 2, epochs: [3, 3], onlyAgent: 1 }).text],
    ['of a bundle that is cut off', sound.slice(0, sound.length - 900)],
    [
      'of a bundle with damaged parts',
      sound.replace('"op_version":1', '"op_version":7').replace('"display_name"', '"x"'),
    ],
    ['of a bundle of another version', sound.replace('countersign.bundle.v1', 'countersign.bundle.v9')],
  ])('can be made %s', async (name, text) => {
    const path = join(folder, `${name}.pdf`);
    const { pages } = await writeReport(path, text, [kid]);
    expect(pages).toBeGreaterThan(2);
    expect(await attachedTo(path)).toBe(text);
  });

  it('is the same bytes each time', async () => {
    const paths = [join(folder, 'first.pdf'), join(folder, 'second.pdf')];
    for (const path of paths) await writeReport(path, sound, [kid]);
    const [first, second] = paths.map((path) => readFileSync(path));
    expect(first?.equals(second as Buffer)).toBe(true);
  });

  it('is not made of a bundle that changes meanwhile', async () => {
    let readings = 0;
    const source = () => [Buffer.from(++readings < 2 ? sound : sound.replace('"file 4"', '"file 9"'))];
    const making = writePdfReport({
      source,
      report: await verify(sound),
      maker: 'reader',
      version: '1',
      out: nowhere(),
    });
    await expect(making).rejects.toMatchObject({ name: 'ReportError', code: 'BUNDLE_CHANGED' });
  });

  it('is not made of more than it can show', async () => {
    const report = await verify(sound);
    await expect(surveyBundle(sourceOf(sound), report, 18)).rejects.toThrow(ReportError);
    await expect(surveyBundle(sourceOf(sound), report, 18)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect((await surveyBundle(sourceOf(sound), report, 19)).records).toBe(5);
  });

  it('fails where its output fails', async () => {
    const out = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')) });
    const making = writePdfReport({
      source: sourceOf(sound),
      report: await verify(sound),
      maker: 'reader',
      version: '1',
      out,
    });
    await expect(making).rejects.toThrow('disk full');
  });

  it('goes at the pace of a slow output', async () => {
    let most = 0;
    const out = new Writable({
      highWaterMark: 64 * 1024,
      write: (_chunk, _encoding, done) => {
        most = Math.max(most, out.writableLength);
        // Each piece takes many turns of the event loop: a writer that does not wait is far ahead by then.
        const wait = (turns: number): void => {
          if (turns === 0) done();
          else setImmediate(wait, turns - 1);
        };
        wait(20);
      },
    });
    const text = makeBundle({ epochs: [60], payload: { text: 'x'.repeat(20_000) } }).text;
    await writePdfReport({ source: sourceOf(text), report: await verify(text), maker: 'reader', version: '1', out });
    // Of some hundred pages, not more than a few wait at a time.
    expect(most).toBeLessThan(400 * 1024);
  });
});

describe("the issuer's own word", () => {
  it('never comes to verified, even where its key was named', async () => {
    const verified = await verify(sound, [kid]);
    expect(verified.verdict).toBe('verified');
    const own = asIssuersWord(verified);
    expect(own.verdict).toBe('incomplete');
    expect(own.checks.issuer).toMatchObject({ status: 'not_checked' });
    expect(own.issuer.pinned).toBe(false);
    expect(own.issuer.service_keys.some(({ trusted }) => trusted)).toBe(false);
    expect(own.summary).not.toContain('you trust');
  });

  it('names what else was not checked', async () => {
    const own = asIssuersWord(await verify(makeBundle({ epochs: [] }).text));
    expect(own.summary).toContain('Issuer (this report was made by the issuer');
    expect(own.summary).toContain('Completeness (the bundle holds no records)');
  });

  it('stays failed where it failed', async () => {
    const failed = await verify(sound.replace('"file 4"', '"file 9"'), [kid]);
    expect(asIssuersWord(failed)).toMatchObject({ verdict: 'failed', summary: failed.summary });
  });
});

describe('what a report says of its case', () => {
  const coherence = { status: 'incoherent', contradictions: 1, open: 0, codes: { INPUT_CHANGED: 1 } } as const;
  const standing = { contradicting: [{ item_no: 3, name: 'kept.checkpoint' }], unchecked: 2, coherence };
  const recipe: ReportRecipe = {
    version: '1.2.3',
    maker: 'reader',
    details: false,
    deflate: 'zlib',
    pages: null,
    fonts: [],
    standing,
    attachments: [],
    annotations: [],
    trustedKeys: [],
    receiptFiles: 0,
    otherFiles: 0,
  };
  const written = Buffer.from(recipeBytes(recipe)).toString();
  const read = (from: string, to: string) => parseRecipe(Buffer.from(written.replace(from, to)));

  it('is read back from the attached options, and is in none of a bundle alone', () => {
    expect(read('', '')).toEqual(recipe);
    expect(Buffer.from(recipeBytes({ ...recipe, standing: null })).toString()).not.toContain('standing');
  });

  it.each([
    ['a name longer than items have', '"kept.checkpoint"', `"${'a'.repeat(256)}"`],
    ['a number that is none', '"unchecked":2', '"unchecked":-1'],
    ['a state that is none', '"incoherent"', '"constructor"'],
    ['codes that are none', '{"INPUT_CHANGED":1}', '{"INPUT_CHANGED":"1"}'],
    ['no codes', '{"INPUT_CHANGED":1}', 'null'],
  ])('makes options unreadable with %s', (_, from, to) => {
    expect(written).toContain(from);
    expect(read(from, to)).toBeNull();
  });
});
