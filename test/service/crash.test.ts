import { describe, expect, it } from 'vitest';
import type { Receipt, SubmittedRecord } from '../../src/protocol/index.ts';
import { utf8 } from '../../src/protocol/index.ts';
import { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { PATIENCE_MS, serve } from '../support/processes.ts';
import { type Account, bundleOf, registerAgent, verifyWith } from '../support/service.ts';
import { Signer } from '../support/signer.ts';
import { until } from '../support/until.ts';

const ROUNDS = 5;
const AGENTS = 6;
const dataDir = `${temporaryFolder()}/data`;
const start = () => serve(dataDir, '--epoch-max-leaves', '9', '--log-level', 'silent');

/** An agent, and what it last sent without having had an answer. */
interface Sender {
  readonly signer: Signer;
  unanswered: SubmittedRecord | null;
}

async function signUp(url: string): Promise<Account> {
  const given = { email: 'owner@example.org', password: 'correct horse battery' };
  const { token, user } = await new Client(url).ok('signUp', { body: { ...given, name: 'O', org_name: 'Org' } });
  return { ...given, userId: user.id, orgId: user.orgId ?? '', client: new Client(url, token) };
}

describe('a service that is killed in the middle of submissions', () => {
  it('has every record whose receipt it gave, and goes on', { timeout: 2 * PATIENCE_MS }, async () => {
    const receipts: Receipt[] = [];
    const senders: Sender[] = [];
    let owner: Account | undefined;
    let kid = '';

    for (let round = 0; round <= ROUNDS; round++) {
      const service = start();
      const url = await service.listening();
      owner = owner === undefined ? await signUp(url) : { ...owner, client: new Client(url, owner.client.token) };
      const { client, orgId } = owner;
      const { keys } = await client.ok('jwks');
      kid ||= keys[0]?.kid ?? '';
      expect(keys.map((key) => key.kid)).toEqual([kid]);
      if (round === 0) {
        for (let n = 0; n < AGENTS; n++) {
          senders.push({ signer: await registerAgent(owner, `agent-${n}`), unanswered: null });
        }
      }

      // Every receipt that was given is there, word for word.
      const found = await Promise.all(
        receipts.map(({ operation_id }) => client.ok('getOperation', { params: { operation_id } })),
      );
      expect(found.map(({ ear }) => ear)).toEqual(receipts);
      // What had no answer was either kept or left no trace; sent again it gets its one receipt.
      for (const sender of senders) {
        if (sender.unanswered === null) continue;
        const answer = await client.call('submitOperation', { body: sender.unanswered });
        expect([200, 201]).toContain(answer.status);
        receipts.push(answer.body);
        sender.unanswered = null;
      }
      if (round === ROUNDS) {
        await finish(owner, kid, receipts);
        expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 });
        break;
      }

      const enough = receipts.length + 10 + round * 17;
      let killed = false;
      const sending = senders.map(async (sender) => {
        while (!killed) {
          const record = sender.signer.next();
          sender.unanswered = record;
          try {
            receipts.push(await client.ok('submitOperation', { body: record }));
            sender.unanswered = null;
          } catch (error) {
            if (!killed) throw error;
          }
        }
      });
      await until('enough submissions', () => receipts.length >= enough);
      killed = true;
      expect(await service.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
      await Promise.all(sending);
      expect(orgId).not.toBe('');
    }
  });

  async function finish(owner: Account, kid: string, receipts: readonly Receipt[]): Promise<void> {
    const signer = new Signer(owner.orgId, 'late');
    await owner.client.ok('registerAgent', { body: signer.registration });
    const all = [...receipts, await owner.client.ok('submitOperation', { body: signer.next() })];
    const numbers = all.map(({ seq_no }) => seq_no).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: all.length }, (_, index) => index + 1));
    const text = all.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    const report = await verifyWith(kid, await bundleOf(owner), [{ name: 'receipts', source: () => [utf8(text)] }]);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ verdict: 'verified', bundle: { records: all.length } });
  }
});
