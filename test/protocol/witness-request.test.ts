// What a witness makes of a request (protocol F118, F119), and what proves its refusal right (V107, V150).
import { describe, expect, it } from 'vitest';
import {
  consistencyPath,
  formatConsistencyProof,
  judgeWitnessRequest,
  utf8,
  verifyEquivocationProof,
} from '../../src/protocol/index.ts';
import { makeBundle, ORG_ID, serviceKid } from '../support/bundle-maker.ts';
import { checkpointAt } from '../support/checkpoints.ts';
import { leavesOf, noteOf, requestOf, serviceKeys, TRUSTED } from '../support/witness-requests.ts';

const judge = (request: string, kept: readonly Uint8Array[] | null, trustedKids: readonly string[] = [TRUSTED]) =>
  judgeWitnessRequest({
    request: utf8(request),
    known: () => ({ checkpoint: kept === null ? null : noteOf(kept), serviceKeys }),
    trustedKids,
  });

describe('a witness cosigns', () => {
  it.each([
    [0, 1],
    [0, 7],
    [1, 2],
    [3, 7],
    [4, 9],
    [7, 7],
    [8, 8],
  ])('what continues from size %i to %i', async (from, to) => {
    const log = leavesOf(to);
    const kept = from === 0 ? null : log.slice(0, from);
    expect(await judge(requestOf(from, log), kept)).toMatchObject({ status: 200, checkpoint: { size: to } });
  });
});

it.each([0, 1])('a witness keeps the line of key %i that it trusts, and no other keys', async (n) => {
  const strangers = makeBundle({ epochs: [1], serviceOffset: 7 }).bundle.service_keys;
  const { status, ...consent } = await judgeWitnessRequest({
    request: utf8(requestOf(0, leavesOf(3))),
    known: () => ({ checkpoint: null, serviceKeys: [...strangers, ...serviceKeys] }),
    trustedKids: [`${serviceKid(n)}@${ORG_ID}`],
  });
  expect([status, consent]).toMatchObject([200, { serviceKeys }]);
});

describe('a witness refuses, and proves nothing,', () => {
  const log = leavesOf(9);
  type Row = readonly [
    what: string,
    status: number,
    request: string,
    kept: readonly Uint8Array[] | null,
    trusted?: readonly string[],
  ];
  const rows: readonly Row[] = [
    ['what is no request', 400, noteOf(log), null],
    ['a proof from a size beyond the checkpoint', 400, requestOf(3, log).replace('old 3', 'old 10'), log.slice(0, 3)],
    ['a log whose key is not trusted', 404, requestOf(0, log), null, []],
    ['a key that is trusted for another organization', 404, requestOf(0, log), null, [`${serviceKid(0)}@another`]],
    ['a log of another name', 404, requestOf(0, log).replaceAll('countersign.v1/', 'example.org/'), null],
    ['a signature over something else', 403, requestOf(0, log).replace('\n9\n', '\n8\n'), null],
    ['a size that it has passed', 409, requestOf(3, log), log.slice(0, 5)],
    ['a size that it has not seen', 409, requestOf(5, log), log.slice(0, 3)],
    ['a first request from where it has nothing', 409, requestOf(3, log), null],
    ['hashes from the size 0', 422, requestOf(0, log).replace('old 0\n', `old 0\n${'A'.repeat(43)}=\n`), null],
    [
      'hashes that lead nowhere',
      422,
      requestOf(3, log).replace(/\n[^\n]+\n/, `\n${'A'.repeat(43)}=\n`),
      log.slice(0, 3),
    ],
    [
      'another beginning at a power of two, which no request proves',
      422,
      requestOf(4, leavesOf(9, 2)),
      log.slice(0, 4),
    ],
  ];
  it.each(rows.map((row) => ({ what: row[0], row })))('$what', async ({ row: [, status, request, kept, trusted] }) => {
    expect(await judge(request, kept, trusted)).toMatchObject({ status, contradiction: null });
  });
});

describe('a witness refuses a rewritten log, and the refusal is a proof:', () => {
  it.each([
    ['a later size', 422, 5, requestOf(5, leavesOf(9, 2)), 5],
    ['a later size, one record before the end', 422, 5, requestOf(5, leavesOf(9, 4)), 5],
    ['the same size', 422, 5, requestOf(5, leavesOf(5, 2)), 5],
    ['the same size, a power of two', 422, 4, requestOf(4, leavesOf(4, 2)), 4],
    ['the size that is kept, asked for from another', 409, 5, requestOf(3, leavesOf(5, 4)), 5],
  ])('%s', async (_, status, size, request, number) => {
    const refusal = await judge(request, leavesOf(size));
    expect(refusal).toMatchObject({ status, size, contradiction: { kind: 'checkpoint', number, org_id: ORG_ID } });
    const { contradiction } = refusal as Extract<typeof refusal, { contradiction: unknown }>;
    if (contradiction === null) throw new Error('there is no proof');
    expect(await verifyEquivocationProof(contradiction, { trustedKids: [TRUSTED] })).toMatchObject({
      verdict: 'verified',
      number,
    });
    // The hashes are not signed: changed ones prove nothing, and accuse nobody.
    const [a, b] = contradiction.statements;
    const changed = (text: string) => text.replace(/^(old \d+\n)[^\n]{43}/, `$1${'A'.repeat(43)}`);
    const statements = [a, b].map((one) =>
      'checkpoint' in one ? { ...one, checkpoint: changed(one.checkpoint) } : one,
    );
    const [first = a, second = b] = statements;
    const isChanged = JSON.stringify(statements) !== JSON.stringify([a, b]);
    const judged = await verifyEquivocationProof({ ...contradiction, statements: [first, second] });
    expect(judged.verdict === 'failed').toBe(isChanged);
  });
});

describe('a request', () => {
  it('to 10,000,000 records fits one QR code of level M', () => {
    const size = 10_000_000;
    // RFC 6962 section 2.1.2: no proof has more hashes.
    const most = Math.ceil(Math.log2(size)) + 1;
    const ones = new Uint8Array(32).fill(255);
    const lengths = [1, 3, 5_592_405, 6_666_667, 8_388_607, 9_999_999].map(
      (from) => consistencyPath(from, size, () => ones).length,
    );
    expect(Math.max(...lengths)).toBeLessThanOrEqual(most);
    const path = Array.from({ length: most }, () => ones);
    const request = formatConsistencyProof({ oldSize: size - 1, path }, checkpointAt(size, ones));
    // ISO/IEC 18004: the bytes that a code of version 40 holds at level M. The service's own ids have 36 characters, twice in a note.
    expect(utf8(request).length + 2 * (36 - ORG_ID.length)).toBeLessThanOrEqual(2331);
  });
});
