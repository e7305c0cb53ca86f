// docs/witnesses.md, Demand witnesses: the case room holds evidence to the reader's policy as countersign verify does (protocol V182 to V188).
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ORG_ID } from '../../support/bundle-maker.ts';
import { BUNDLE, CHECKPOINT, HEAD, ISSUER, PROOF_AHEAD, proofOf, RECEIPTS } from '../../support/case-evidence.ts';
import { addItem, itemsOf, openCase, saveCase } from '../../support/case-items.ts';
import { importCase, settled } from '../../support/cases.ts';
import { run } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { ALPHA, ALPHA_PQ, BETA, cosigned, T } from '../../support/witnessed.ts';

const folder = temporaryFolder();
const store = join(folder, 'trust.json');
const at = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const trust = (...args: string[]) => run('trust', ...args, '--trust-store', store);
await trust('add', `${ISSUER}@${ORG_ID}`);
await trust('add', at('alpha.vkeys', `${ALPHA.vkey}\n${ALPHA_PQ.vkey}\n`), '--label', 'Alpha Ltd');
await trust('add', BETA.vkey, '--label', 'Beta');
await trust('witnesses', '1');

const service = await TestService.start({ trustStore: store });
const { client } = await service.signUp();
const byAlpha = Buffer.from(cosigned(HEAD, [ALPHA_PQ, T]));
const UNTIL = new Date(T * 1000).toISOString();
const begun = () => importCase(client, { name: 'first.csbundle', bytes: BUNDLE });
const reportOf = (case_id: string) => client.ok('caseReport', { params: { case_id } });
const codesOf = async (case_id: string) =>
  (await client.ok('caseFindings', { params: { case_id } })).data.map(({ code }: { code: string }) => code);

/** Once the file of a case was verified with what came or went, and everything else was looked at. */
async function settledAs(case_id: string, verdict: string) {
  const found = await until('the verdict', async () => {
    const one = await settled(client, case_id);
    return one.verdict === verdict && one;
  });
  await itemsOf(client, case_id);
  return found;
}

describe('a case whose reader demands one of two witnesses', async () => {
  const { case_id, verdict } = await begun();

  it('is incomplete as long as none stands behind its bundle', async () => {
    expect(verdict).toBe('incomplete');
    expect(await codesOf(case_id)).toEqual(['NOT_WITNESSED']);
    expect((await reportOf(case_id)).witnessed).toMatchObject({ threshold: 1, organizations: 2, size: 0, until: null });
  });

  it('is verified once a checkpoint that one cosigned is an item, as by countersign verify --checkpoint', async () => {
    await addItem(client, case_id, { name: 'cosigned.txt', bytes: byAlpha });
    await settledAs(case_id, 'verified');
    const { stdout } = await run(
      'verify',
      at('b', BUNDLE),
      '--checkpoint',
      at('cosigned.txt', byAlpha),
      '--json',
      '--trust-store',
      store,
    );
    const byCommand = JSON.parse(stdout) as { witnessed: { checkpoints: { file: string }[] } };
    for (const one of byCommand.witnessed.checkpoints) one.file = 'cosigned.txt';
    expect((await reportOf(case_id)).witnessed).toEqual(byCommand.witnessed);
  });

  it('says of the checkpoint who stands behind it, and until when they saw no other log', async () => {
    const [, checkpoint] = await itemsOf(client, case_id);
    expect(checkpoint).toMatchObject({ kind: 'checkpoint', verdict: 'verified' });
    expect(checkpoint?.summary).toContain(
      `1 of 2 stand behind its size 7 (Alpha Ltd): who saw no other log until ${UNTIL}`,
    );
  });

  it('holds a further bundle to them with the same checkpoint, and a proof that carries none to nobody', async () => {
    await addItem(client, case_id, { name: 'again.csbundle', bytes: BUNDLE });
    await addItem(client, case_id, { name: 'proof.json', bytes: await proofOf(2, 5) });
    const items = await itemsOf(client, case_id);
    expect(items.slice(2).map(({ verdict, summary }) => [verdict, summary.includes('witnessed by 1 of 2')])).toEqual([
      ['verified', false],
      ['incomplete', true],
    ]);
  });

  it('is verified again with the same witnesses where it is opened', async () => {
    const moved = await openCase(client, await saveCase(client, case_id, null));
    const opened = (moved.body as { case_id: string }).case_id;
    await settled(client, opened);
    const items = await itemsOf(client, opened);
    expect(items.map(({ verdict, stated }) => [verdict, stated?.reproduced])).toEqual([
      ['verified', true],
      ['verified', true],
      ['verified', true],
      ['incomplete', true],
    ]);
  });

  it('is checked as a file by countersign case with the witnesses of whoever reads it', async () => {
    const path = at('moved.cscase', await saveCase(client, case_id, null));
    const { stdout } = await run('case', path, '--json', '--trust-store', store);
    const { items } = JSON.parse(stdout) as { items: { verdict: string }[] };
    expect(items.map(({ verdict }) => verdict)).toEqual(['verified', 'verified', 'verified', 'incomplete']);
  });

  it('is incomplete again once the checkpoint is taken out', async () => {
    await client.ok('removeItem', { params: { case_id, item_no: '2' } });
    await settledAs(case_id, 'incomplete');
    expect(await codesOf(case_id)).toContain('NOT_WITNESSED');
    const again = (await itemsOf(client, case_id)).find(({ name }) => name === 'again.csbundle');
    expect(again?.verdict).toBe('incomplete');
  });
});

it.each([
  ['a witness whom the reader did not name', Buffer.from(HEAD), 0],
  ['fewer records than the bundle has', Buffer.from(cosigned(CHECKPOINT.toString(), [ALPHA, T])), 3],
  ['a log that a consistency proof leads to', Buffer.from(cosigned(PROOF_AHEAD.toString(), [BETA, T])), 7],
])('counts %s up to the records that it reaches', async (_, bytes, size) => {
  const { case_id } = await begun();
  await addItem(client, case_id, { name: 'given.txt', bytes });
  await settledAs(case_id, size === 7 ? 'verified' : 'incomplete');
  await until('the checkpoint counts', async () => (await reportOf(case_id)).witnessed?.size === size);
});

/** The other end of a pipe, once somebody reads there. */
function writerOf(path: string): number | false {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENXIO' });
    return false;
  }
}

it.skipIf(process.platform === 'win32')(
  'is verified once more with a checkpoint that came while it was being verified',
  async () => {
    const { case_id } = await importCase(
      client,
      { name: 'first.csbundle', bytes: BUNDLE },
      { receipts: [{ name: 'kept.jsonl', bytes: RECEIPTS }] },
    );
    // A pipe that nobody writes to holds the verification up where it has looked for checkpoints already.
    const kept = join(service.dataDir, 'cases', case_id, 'receipts-1');
    renameSync(kept, `${kept}.kept`);
    execFileSync('mkfifo', [kept]);
    await client.ok('verifyCase', { params: { case_id }, body: {} });
    const pipe = await until('the verification to read receipts', () => writerOf(kept));
    await addItem(client, case_id, { name: 'cosigned.txt', bytes: byAlpha });
    renameSync(`${kept}.kept`, kept);
    writeFileSync(pipe, RECEIPTS);
    closeSync(pipe);
    await settledAs(case_id, 'verified');
    expect(await codesOf(case_id)).toEqual([]);
  },
);
