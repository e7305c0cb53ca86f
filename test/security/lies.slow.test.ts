/**
 * The lies of an operator who has the service key: for each the means that shows it, and where nothing does, that. Ledgers are made by
 * hand, everything in them signed again. docs/security.md has the same as a table.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addToken, makeRequest, stampedBytes } from '../../src/node/time-stamps/index.ts';
import {
  consistencyPath,
  findForks,
  formatConsistencyProof,
  formatStampFile,
  formatTime,
  judgeWitnessRequest,
  merkleRoot,
  parseTime,
  publicKeyOf,
  type ReceiptStatement,
  receiptLeafHash,
  receiptSignedBytes,
  stampFileOf,
  utf8,
  type VerificationReport,
} from '../../src/protocol/index.ts';
import { type HeadJudgement, judgeHead } from '../../src/protocol/witness/judge-head.ts';
import {
  later,
  type Made,
  makeBundle,
  ORG_ID,
  only,
  otherDigest,
  type Plan,
  START,
  serviceKid,
  serviceSeed,
} from '../support/bundle-maker.ts';
import { checkpointAt } from '../support/checkpoints.ts';
import { run } from '../support/command-line.ts';
import { WHOLE } from '../support/dishonest.ts';
import { temporaryFolder } from '../support/folders.ts';
import { hostCrypto } from '../support/signing.ts';
import { StampingAuthority } from '../support/stamping.ts';
import { named, verifyFile } from '../support/verifying.ts';

/** Two agents in turns, three epochs, one key. */
const TRUE: Plan = { ...WHOLE, rotation: false };
const honest = makeBundle(TRUE);
const trustedKids = [serviceKid(0)];

const linesOf = ({ receipts }: Made, from: number, to: number): string =>
  receipts
    .slice(from - 1, to)
    .map((receipt) => JSON.stringify(receipt))
    .join('\n');
const leavesOf = ({ receipts }: Made): Uint8Array[] =>
  receipts.map((receipt) => receiptLeafHash(receiptSignedBytes(receipt)));

/** What the service signs of the log of a ledger at a size. */
const checkpointOf = (made: Made, size: number): string =>
  checkpointAt(size, merkleRoot(leavesOf(made).slice(0, size)));

/** The consistency proof that the service makes of the log that it shows now. */
function proofOf(made: Made, from: number, to: number): string {
  const leaves = leavesOf(made);
  const path = consistencyPath(from, to, (height, n) =>
    merkleRoot(leaves.slice(n * 2 ** height, (n + 1) * 2 ** height)),
  );
  return formatConsistencyProof({ oldSize: from, path }, checkpointOf(made, to));
}

const codesOf = ({ verdict, findings }: VerificationReport): string =>
  `${verdict} ${[...new Set(findings.map(({ code }) => code))].toSorted().join(' ')}`.trim();

type Kept = Partial<Record<'receipts' | 'against' | 'checkpoints', readonly string[]>>;

/** What whoever verifies is told, with what they kept. */
async function told(shown: string, kept: Kept = {}): Promise<string> {
  const { receipts = [], against = [], checkpoints = [] } = kept;
  const files = (what: string, given: readonly string[]) => given.map((text, n) => named(`${what} ${n}`, text));
  return codesOf(
    await verifyFile(shown, {
      trustedKids,
      receipts: files('receipts', receipts),
      against: files('bundle', against),
      checkpoints: files('checkpoint', checkpoints),
    }),
  );
}

/** What an agent that kept a checkpoint finds at its next submission. */
async function exchanged(kept: string, text: string): Promise<HeadJudgement['kind']> {
  const keys = [{ kid: serviceKid(0), publicKey: publicKeyOf(serviceSeed(0)) }];
  return (await judgeHead({ orgId: ORG_ID, text, kept, shown: null, keys, crypto: hostCrypto })).kind;
}

/** What a witness that cosigned a checkpoint answers to the next request. */
async function witnessed(checkpoint: string, request: string): Promise<string> {
  const answer = await judgeWitnessRequest({
    request: utf8(request),
    known: () => ({ checkpoint, serviceKeys: honest.bundle.service_keys }),
    trustedKids: [`${serviceKid(0)}@${ORG_ID}`],
  });
  return answer.status === 200 ? 'cosigned' : `${answer.status} ${answer.contradiction?.kind ?? 'unproven'}`;
}

/** The kinds of the forks among files. */
async function forked(...texts: readonly string[]): Promise<string> {
  const files = texts.map((text, n) => named(`file ${n}`, text));
  const { verdict, ledgers } = await findForks(files, { crypto: hostCrypto, trustedKids });
  const found = ledgers.flatMap(({ forks, names }) => [
    ...forks.map(({ kind }) => kind ?? 'unproven'),
    ...names.map(() => 'names'),
  ]);
  return [verdict, ...found].join(' ');
}

/** Another receipt under one number, and everything after it signed again. */
const rewritten = (index: number): Made =>
  makeBundle({
    ...TRUE,
    receipt: only<ReceiptStatement>(index, (draft) => ({
      ...draft,
      server_received_at: later(draft.server_received_at, 1),
    })),
  });

describe('the newest records are left out', () => {
  // The first five records are the whole ledger, its service says.
  const shorter = makeBundle({ ...TRUE, epochs: [2, 3] });

  it('is shown by kept receipts, a later bundle and a later checkpoint, and by nothing else', async () => {
    expect(await told(shorter.text)).toBe('verified');
    expect(await told(shorter.text, { receipts: [linesOf(honest, 6, 7)] })).toMatch(/^failed .*RECORD_OMITTED/);
    expect(await told(shorter.text, { against: [honest.text] })).toMatch(/^failed .*RECORD_OMITTED/);
    expect(await told(shorter.text, { checkpoints: [checkpointOf(honest, 7)] })).toBe('incomplete NOT_COMPARED');
  });
});

describe('records of agents without receipts are rewritten before anyone looks', () => {
  const other = rewritten(2);

  it('is shown by a checkpoint that somebody kept, by the exchange and by a witness', async () => {
    expect(await told(other.text)).toBe('verified');
    expect(await told(other.text, { checkpoints: [checkpointOf(honest, 5)] })).toMatch(/^failed .*EQUIVOCATION/);
    expect(await exchanged(checkpointOf(honest, 5), proofOf(other, 5, 7))).toBe('contradicts');
    expect(await witnessed(checkpointOf(honest, 5), proofOf(other, 5, 7))).toBe('422 checkpoint');
  });

  it('is shown by nothing that is from before the records, or from after the rewriting', async () => {
    expect(await exchanged(checkpointOf(honest, 2), proofOf(other, 2, 7))).toBe('continues');
    expect(await exchanged(checkpointOf(other, 5), proofOf(other, 5, 7))).toBe('continues');
    expect(await told(other.text, { receipts: [linesOf(honest, 1, 2)] })).toBe('verified');
  });
});

describe('a fork by a raw copy of the folder', () => {
  const other = rewritten(5);

  // At the next submission, by processes: test/faults/forked-ledger.test.ts.
  it('is shown by a file from after the copy, by forks, by the exchange and by a witness', async () => {
    expect(await told(other.text, { receipts: [linesOf(honest, 6, 6)] })).toMatch(/^failed .*EQUIVOCATION/);
    expect(await forked(honest.text, other.text)).toBe('failed receipt');
    expect(await exchanged(checkpointOf(honest, 6), proofOf(other, 6, 7))).toBe('contradicts');
    expect(await witnessed(checkpointOf(honest, 6), proofOf(other, 6, 7))).toBe('422 checkpoint');
  });

  it('is shown by no file from before it', async () => {
    const before = { receipts: [linesOf(honest, 1, 5)], checkpoints: [checkpointOf(honest, 5)] };
    expect(await told(other.text, before)).toBe('verified');
  });
});

describe('an invented past under a range', () => {
  const range: Plan = { ...TRUE, range: [6, 7] };
  const receipt = only<ReceiptStatement>(1, (draft) => ({ ...draft, chain_hash: otherDigest() }));
  const past = makeBundle({ ...TRUE, receipt });
  const invented = makeBundle({ ...range, receipt });

  it('is shown by a checkpoint at its edge, by a bundle, by the exchange, and by receipts that give the roots', async () => {
    expect(await told(invented.text)).toBe('verified');
    expect(await told(invented.text, { checkpoints: [checkpointOf(honest, 5)] })).toMatch(/^failed .*CONTRADICTION/);
    expect(await told(invented.text, { against: [honest.text] })).toMatch(/^failed .*EQUIVOCATION/);
    expect(await told(invented.text, { receipts: [linesOf(honest, 1, 7)] })).toMatch(/^failed .*CONTRADICTION/);
    expect(await exchanged(checkpointOf(honest, 3), proofOf(past, 3, 7))).toBe('contradicts');
  });

  it('is shown by no receipts of some agents alone', async () => {
    const ofOne = linesOf({ ...honest, receipts: honest.receipts.filter((_, n) => n % 2 === 0) }, 1, 4);
    expect(await told(invented.text, { receipts: [ofOne] })).not.toMatch(/^failed/);
  });
});

describe('two readers are each shown another fork', () => {
  it('is shown once their files meet, or where both logs have one witness', async () => {
    const [one, other] = [rewritten(5), rewritten(6)];
    expect([await told(one.text), await told(other.text)]).toEqual(['verified', 'verified']);
    expect(await forked(one.text, other.text)).toBe('failed receipt');
    expect(await witnessed(checkpointOf(one, 7), proofOf(other, 7, 7))).toBe('422 checkpoint');
  });
});

describe('another key takes over', () => {
  it('is shown by forks and another bundle, where both keys follow the same one', async () => {
    const rotated = makeBundle(WHOLE);
    expect(await told(rotated.text, { against: [honest.text] })).toMatch(/^failed .*(CONTRADICTION|EQUIVOCATION)/);
    expect(await forked(honest.text, rotated.text)).toMatch(/^failed/);
  });
});

describe('names and labels', () => {
  const renamed = makeBundle({ ...TRUE, contents: (all) => ({ ...all, org: { ...all.org, name: 'Other' } }) });

  it('have to follow from the administrative log, and of one log there is one list of them', async () => {
    expect(await told(renamed.text)).toBe('failed DIRECTORY_MISMATCH');
    expect(await forked(honest.text, renamed.text)).toBe('failed names');
  });
});

describe('two values of one member', () => {
  it('have no form: the names of a salted payload are in clear, each once', async () => {
    const twice = honest.text.replace('"n":', '"n":0,"n":');
    expect(twice).not.toBe(honest.text);
    await expect(told(twice)).resolves.not.toMatch(/^verified/);
  });
});

describe('the clock of the whole ledger is shifted', () => {
  const folder = temporaryFolder();
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('is shown by a time stamp where it is ahead, and by nothing where it is behind', async () => {
    const authority = new StampingAuthority('Good Time');
    const root = write('root', authority.rootPem);
    const checkpoint = write('checkpoint', checkpointOf(honest, 7));
    const bundle = write('bundle', honest.text);
    const [request, stamps] = [join(folder, 'request'), join(folder, 'stamps')];
    expect(await run('timestamp', 'request', checkpoint, '-o', request)).toMatchObject({ code: 0 });
    const trust = ['--trust', serviceKid(0), '--no-trust-store', '--timestamp', stamps, '--tsa', root];
    // The ledger is of May 2026. By the clock of the authority its checkpoint was there in April, or is only now.
    for (const [time, expected] of [
      [Date.UTC(2026, 3, 1), 1],
      [Date.now(), 0],
    ] as const) {
      const answer = join(folder, 'answer');
      writeFileSync(answer, authority.answer(readFileSync(request), time));
      const importing = ['--request', request, '--checkpoint', checkpoint, '--tsa', root, '-o', stamps, '--force'];
      expect(await run('timestamp', 'import', answer, ...importing)).toMatchObject({ code: 0 });
      const { code, stdout } = await run('verify', bundle, ...trust);
      expect([code, stdout.includes('TIME_AFTER_STAMP')]).toEqual([expected, expected === 1]);
    }
  });
});

describe('the clock is set ahead for an event of the log, such as a correction of the clock', () => {
  it('is shown by a time stamp over the epoch that seals the event', async () => {
    const folder = temporaryFolder();
    const at = (name: string): string => join(folder, name);
    const authority = new StampingAuthority('Good Time');
    writeFileSync(at('root'), authority.rootPem);
    // The fifth record is of 4.4 s, and an event that its epoch seals of 5.2 s.
    const ahead = makeBundle({
      ...TRUE,
      receipt: (draft, index) =>
        index === 4 ? { ...draft, server_received_at: formatTime(parseTime(draft.server_received_at) - 600) } : draft,
      adminEvent: (event) =>
        event.created_at === START + 5800 ? { ...event, created_at: event.created_at - 600 } : event,
    });
    writeFileSync(at('checkpoint'), checkpointOf(ahead, 5));
    writeFileSync(at('bundle'), ahead.text);
    await run('timestamp', 'request', at('checkpoint'), '-o', at('request'));
    const judged = async (second: number) => {
      writeFileSync(at('answer'), authority.answer(readFileSync(at('request')), Date.UTC(2026, 4, 1, 10, 0, second)));
      const files = ['--request', at('request'), '--checkpoint', at('checkpoint'), '--tsa', at('root')];
      await run('timestamp', 'import', at('answer'), ...files, '-o', at('stamps'), '--force');
      const trust = ['--trust', serviceKid(0), '--no-trust-store', '--tsa', at('root')];
      const { code, stdout } = await run('verify', at('bundle'), ...trust, '--timestamp', at('stamps'));
      return [code, /event \d+ of the administrative log says that it was made at/.test(stdout)];
    };
    // The authority adds 2 s, as which its accuracy is stated.
    expect(await judged(3)).toEqual([1, true]);
    expect(await judged(4)).toEqual([0, false]);
  });
});

describe('the clock of the whole ledger is behind', () => {
  it('is shown by a line that the ledger notes, to whoever knows when it came out', async () => {
    const at = join(temporaryFolder(), 'bundle');
    const line = 'a headline of June';
    // The ledger is of May 2026, its event of 5.8 s with it.
    const noting = makeBundle({
      ...TRUE,
      adminEvent: (event) =>
        event.created_at === START + 5800 ? { ...event, action: 'ledger.line_noted', details: { line } } : event,
    });
    writeFileSync(at, noting.text);
    const judged = async (time: string, known = line) => {
      const trust = ['--trust', serviceKid(0), '--no-trust-store'];
      const { code, stdout } = await run('verify', at, ...trust, '--known-line', `${time}=${known}`);
      return [code, stdout.includes('TIME_BEFORE_STAMP')];
    };
    expect(await judged('2026-06-01T00:00:00Z')).toEqual([1, true]);
    expect(await judged('2026-05-01T09:00:00Z')).toEqual([0, false]);
    expect(await judged('2026-06-01T00:00:00Z', 'another headline')).toEqual([3, false]);
  });
});

describe('a decision is dated back', () => {
  it('is shown by a stamp over a checkpoint of the log without it', async () => {
    const folder = temporaryFolder();
    const at = (name: string): string => join(folder, name);
    const authority = new StampingAuthority('Good Time');
    const file = stampFileOf(utf8(checkpointOf(honest, 5)));
    const request = makeRequest(stampedBytes(file), 'sha256');
    const stamped = addToken(file, request, authority.answer(request, Date.UTC(2026, 4, 2)));
    writeFileSync(at('stamps'), formatStampFile(stamped));
    writeFileSync(at('root'), authority.root);
    const judged = async ({ text }: Made) => {
      writeFileSync(at('bundle'), text);
      const trust = ['--trust', serviceKid(0), '--no-trust-store', '--tsa', at('root'), '--timestamp', at('stamps')];
      const { code, stdout } = await run('verify', at('bundle'), ...trust);
      return [code, stdout.includes('EQUIVOCATION')];
    };
    expect(await judged(honest)).toEqual([0, false]);
    // The third record says that it came earlier than it did, and all that follows is signed again.
    expect(await judged(rewritten(2))).toEqual([1, true]);
  });
});

it('no lie is told by the honest ledger', async () => {
  const kept = { receipts: [linesOf(honest, 1, 7)], against: [honest.text], checkpoints: [checkpointOf(honest, 5)] };
  expect(await told(honest.text, kept)).toBe('verified');
  expect(await forked(honest.text, linesOf(honest, 2, 6), checkpointOf(honest, 5))).toBe('verified');
  expect(await exchanged(checkpointOf(honest, 5), proofOf(honest, 5, 7))).toBe('continues');
  expect(await witnessed(checkpointOf(honest, 5), proofOf(honest, 5, 7))).toBe('cosigned');
});
