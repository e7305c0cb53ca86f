// docs/crashes.md: a record counts once it is on disk. The thread does not stand still meanwhile, and nobody is told of what a power cut
// may still take away.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LogFlush } from '../../src/service/store/writer.ts';
import { atEnd } from '../support/cleanup.ts';
import { registerAgent, signInAt, submitNext, TestService } from '../support/service.ts';

/** A disk that keeps what was written once it is let, or fails. */
class SlowDisk implements LogFlush {
  /** How often it was asked to keep something. */
  asked = 0;
  #now = Promise.withResolvers<void>();
  #isAsked = Promise.withResolvers<void>();

  constructor() {
    this.#now.resolve();
    atEnd(() => this.release());
  }

  flushed(): Promise<void> {
    this.asked++;
    this.#isAsked.resolve();
    return this.#now.promise;
  }

  async close(): Promise<void> {}

  /** From now on it keeps nothing until then. @returns kept once it is asked to */
  hold(): Promise<void> {
    // What a test held that failed before it let go would keep the next one waiting for ever.
    this.release();
    this.#now = Promise.withResolvers();
    this.#isAsked = Promise.withResolvers();
    return this.#isAsked.promise;
  }

  release(): void {
    this.#now.resolve();
  }

  fail(error: Error): void {
    this.#now.reject(error);
  }

  /** Keeps again whatever comes. */
  repair(): void {
    this.#now = Promise.withResolvers();
    this.release();
  }
}

/** Whether something has happened by now, as far as one who waits for it knows. */
function watched(promise: Promise<unknown>) {
  const seen = { happened: false };
  const note = (): void => {
    seen.happened = true;
  };
  promise.then(note, note);
  return seen;
}

describe('while the disk has not kept a record', async () => {
  const disk = new SlowDisk();
  const service = await TestService.start({}, { logFlush: disk });
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  await submitNext(owner, signer);

  it('its agent gets no receipt, nobody else learns of it, and the service does all else', async () => {
    const asked = disk.hold();
    const record = signer.next();
    const submission = owner.client.call('submitOperation', { body: record });
    const receipt = watched(submission);
    await asked;
    const params = { operation_id: record.operation_id };
    // It is not there, or, once the index has it, nobody is told yet.
    let told: number | null = null;
    const asking = owner.client.call('getOperation', { params });
    const answered = asking.then(({ status }) => {
      told = status;
    });
    const listing = owner.client.call('auditQuery');
    const listed = watched(listing);
    // What tells nothing of it comes all the same, and takes as long as the others would have.
    const nothing = { operation_id: randomUUID() };
    for (let n = 0; n < 20; n++) {
      expect((await owner.client.call('getOperation', { params: nothing })).status).toBe(404);
    }
    expect([receipt, listed]).toEqual([{ happened: false }, { happened: false }]);
    expect([null, 404]).toContain(told);
    disk.release();
    await answered;
    expect((await submission).status).toBe(201);
    expect((await listing).body.data.map(({ operation_id: id }) => id)).toContain(record.operation_id);
    expect((await owner.client.call('getOperation', { params })).status).toBe(200);
  });

  it('nothing else is written', async () => {
    const asked = disk.hold();
    const submission = owner.client.call('submitOperation', { body: signer.next() });
    await asked;
    const before = service.sql.prepare('SELECT count(*) AS n FROM agents').get();
    const registering = registerAgent(owner, 'other');
    for (let n = 0; n < 20; n++) await fetch(`${service.url}/v1/nothing`);
    expect(service.sql.prepare('SELECT count(*) AS n FROM agents').get()).toEqual(before);
    disk.release();
    await Promise.all([submission, registering]);
  });

  it('many records share one wait for it', async () => {
    const agents = await Promise.all(Array.from({ length: 20 }, (_, n) => registerAgent(owner, `agent-${n}`)));
    const asked = disk.hold();
    const first = owner.client.call('submitOperation', { body: signer.next() });
    await asked;
    const before = disk.asked;
    const others = agents.map((agent) => owner.client.call('submitOperation', { body: agent.next() }));
    for (let n = 0; n < 20; n++) await fetch(`${service.url}/v1/nothing`);
    disk.release();
    expect((await Promise.all([first, ...others])).map(({ status }) => status)).toEqual(Array(21).fill(201));
    expect(disk.asked - before).toBeLessThan(10);
  });
});

describe('once the disk has failed to keep a record', async () => {
  const disk = new SlowDisk();
  const service = await TestService.start({}, { logFlush: disk });
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  const record = signer.next();

  it('its agent gets no receipt, and nothing is written or told any more', async () => {
    const asked = disk.hold();
    const submission = owner.client.call('submitOperation', { body: record });
    await asked;
    disk.fail(new Error('the disk is gone'));
    const submitted = await submission;
    const read = await owner.client.call('getOperation', { params: { operation_id: record.operation_id } });
    const again = await owner.client.call('submitOperation', { body: record });
    expect([submitted, read, again].map(({ status }) => status)).toEqual([500, 500, 500]);
  });

  it('the next start answers with the one receipt that it ever had', async () => {
    disk.repair();
    await expect(service.stop()).rejects.toThrow('the service did not stop cleanly');
    await service.restart();
    const { client } = await signInAt(service.url, owner);
    const [receipt, again] = [
      await client.call('submitOperation', { body: record }),
      await client.call('submitOperation', { body: record }),
    ];
    expect([receipt.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(receipt.body);
    const { eor } = await client.ok('getOperation', { params: { operation_id: record.operation_id } });
    expect(eor).toMatchObject(record);
  });
});
