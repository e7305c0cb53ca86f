import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { canonicalize, type Receipt, utf8 } from '../../src/protocol/index.ts';
import { AgentLoad } from '../support/agent-load.ts';
import { Client, expectError } from '../support/client.ts';
import { seedOf, share } from '../support/extent.ts';
import { temporaryFolder } from '../support/folders.ts';
import { serve } from '../support/processes.ts';
import { SeededRandom } from '../support/random.ts';
import { type Account, bundleOf, firstOwner, registerAgent, verifyWith } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Two ledgers at once, one for each core of a small machine. */
const LEDGERS = [1, 2];
/** Of each ledger's service. */
const KILLS = share(50);
/** How long after it listens, or after its first receipt, a service is killed at most, in milliseconds. */
const LATEST_MS = 200;
/** Every so many services one is killed at an instant after it listens, whatever it answered until then; others answered. */
const KILLED_UNHEARD = 4;
/** A start takes longer than this: a service killed so soon does not listen yet. */
const STARTING_MS = 400;
/** Every so many restarts one is killed before it listens. */
const KILLED_START = 8;

const SAMPLE = 60;

const SIZES = [
  ...Array.from({ length: 4 }, () => ({ batch: 1, characters: 60_000 })),
  ...Array.from({ length: 2 }, () => ({ batch: 40, characters: 20_000 })),
];

/** A ledger whose service is killed again and again, and the agents that send to it meanwhile. */
class KilledLedger {
  readonly #random: SeededRandom;
  readonly #dataDir = join(temporaryFolder(), 'data');
  #agents: AgentLoad[] = [];
  #owner: Account | null = null;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  #start() {
    return serve(this.#dataDir, '--epoch-max-leaves', '50', '--log-level', 'silent');
  }

  async #listening(service: ReturnType<typeof serve>): Promise<Account> {
    const url = await service.listening();
    if (this.#owner === null) {
      this.#owner = await firstOwner(url, this.#dataDir);
      for (const [n, size] of SIZES.entries()) {
        this.#agents.push(new AgentLoad(await registerAgent(this.#owner, `agent-${n}`), size, this.#random));
      }
    }
    this.#owner = { ...this.#owner, client: new Client(url, this.#owner.client.token) };
    return this.#owner;
  }

  async killAndStart(round: number): Promise<void> {
    if (round % KILLED_START === KILLED_START - 1) {
      const starting = this.#start();
      await pause(this.#random.below(STARTING_MS));
      expect(await starting.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    }
    const service = this.#start();
    const { client } = await this.#listening(service);
    let isGone = false;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const sending = Promise.all(this.#agents.map((agent) => agent.run(client, () => isGone, answer)));
    // However slow the machine is, receipts are given: without them there would be nothing that a kill could lose.
    if (round % KILLED_UNHEARD !== 0) await Promise.race([answered, sending]);
    // The instant of the fault, not a wait for anything. Where sending fails before it, that ends the test.
    await Promise.race([pause(this.#random.below(LATEST_MS)), sending]);
    isGone = true;
    expect(await service.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    await sending;
  }

  /** Lets every agent take up what it had no answer to, and verifies everything against what they were given. */
  async finish(): Promise<void> {
    const service = this.#start();
    const owner = await this.#listening(service);
    for (const agent of this.#agents) await agent.settle(owner.client);
    const receipts = this.#agents.flatMap((agent) => [...agent.receipts.values()]);
    const numbers = receipts.map(({ seq_no }) => seq_no).toSorted((a, b) => a - b);
    expect(receipts.length).toBeGreaterThan(KILLS / 2);
    // No number is used twice, and none is of a record that nobody sent.
    expect(numbers).toEqual(Array.from({ length: receipts.length }, (_, index) => index + 1));
    await this.#expectBundle(owner, receipts);
    await this.#expectWholeLedgerSound(owner);
    await this.#expectIndex(owner);
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 });
    const { heads } = JSON.parse(readFileSync(join(this.#dataDir, 'heads.json'), 'utf8'));
    expect(heads).toMatchObject([{ record: { seq_no: receipts.length } }]);
  }

  async #expectBundle(owner: Account, receipts: readonly Receipt[]): Promise<void> {
    const [kid = ''] = (await owner.client.ok('jwks')).keys.map((key) => key.kid);
    const bundle = await bundleOf(owner);
    const { records } = JSON.parse(bundle.toString('utf8')) as { records: { ear: Receipt }[] };
    const kept = new Map(records.map(({ ear }) => [ear.operation_id, canonicalize(ear)]));
    expect(kept.size).toBe(receipts.length);
    expect(receipts.filter((receipt) => kept.get(receipt.operation_id) !== canonicalize(receipt))).toEqual([]);
    const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    const report = await verifyWith(kid, bundle, [{ name: 'receipts', source: () => [utf8(text)] }]);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ verdict: 'verified', bundle: { records: receipts.length } });
  }

  async #expectWholeLedgerSound({ client }: Account): Promise<void> {
    await client.ok('verifyLedger');
    const state = await until('the verification', async () => {
      const asked = await client.ok('ledgerVerification');
      return asked.status !== 'running' && asked;
    });
    expect(state).toMatchObject({ status: 'completed', valid: true, findings: [] });
  }

  /** What the index answers of single records, old and new: found, given up, not to be used again. */
  async #expectIndex({ client }: Account): Promise<void> {
    for (const { accepted, receipts, givenUp, signer } of this.#agents) {
      for (let n = 0; n < SAMPLE && accepted.length > 0; n++) {
        const record = accepted[this.#random.below(accepted.length)] ?? signer.record();
        const { operation_id, nonce } = record;
        const found = await client.ok('getOperation', { params: { operation_id } });
        expect(found.ear).toEqual(receipts.get(operation_id));
        expect(found.epoch?.inclusion).not.toBeNull();
        const again = await client.call('submitOperation', { body: record });
        expect(again).toMatchObject({ status: 200, body: receipts.get(operation_id) });
        for (const used of [{ nonce }, { operation_id }]) {
          expectError(await client.call('submitOperation', { body: signer.record(used) }), 'REPLAY_DETECTED');
        }
      }
      for (const operation_id of givenUp.slice(0, SAMPLE)) {
        expectError(await client.call('getOperation', { params: { operation_id } }), 'NOT_FOUND');
      }
    }
  }
}

describe('a service that is killed under load, again and again', () => {
  const seed = seedOf(20_261);

  it(`has every record whose receipt it gave, once, and verifies (seed ${seed})`, {
    timeout: KILLS * 12_000,
  }, async () => {
    await Promise.all(
      LEDGERS.map(async (n) => {
        const ledger = new KilledLedger(seed + n);
        for (let round = 0; round < KILLS; round++) await ledger.killAndStart(round);
        await ledger.finish();
      }),
    );
  });
});
