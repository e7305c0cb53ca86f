import { formatTime } from '../../src/protocol/index.ts';
import { atEnd } from './cleanup.ts';
import { type Account, registerAgent, signInAt, submitNext, type TestService } from './service.ts';

const HOUR = 3_600_000;

/** Of which records the clock was right: the second and third were received two hours ahead. */
export const RIGHT_RECORDS = [1, 4] as const;
export const WRONG_RECORDS = [2, 3] as const;

/**
 * A ledger of four records whose service had a wrong clock for two of them, which an owner believed and then set back. The time
 * of this process is shifted meanwhile.
 * @returns the owner, signed in by the right clock, and when the clock was set back
 */
export async function correctedLedger(
  service: TestService,
  account: Account,
): Promise<{ readonly owner: Account; readonly correctedAt: string }> {
  const real = Date.now;
  let shift = 0;
  Date.now = () => real() + shift;
  atEnd(() => {
    Date.now = real;
  });
  const signer = await registerAgent(account, 'billing');
  const submit = (by: Account) => submitNext(by, signer, { issued_at: formatTime(real()), ttl_ms: 24 * HOUR });
  const answer = async (said: 'confirmClock' | 'correctClock'): Promise<Account> => {
    const by = await signInAt(service.url, account);
    const { id } = await by.client.ok('getClock', {});
    await by.client.ok(said, { body: { id: id ?? '', reason: 'for the test' } });
    return by;
  };
  await submit(account);
  await account.client.ok('closeEpoch');
  shift = 2 * HOUR;
  const ahead = await answer('confirmClock');
  await submit(ahead);
  await submit(ahead);
  await ahead.client.ok('closeEpoch');
  shift = 0;
  const owner = await answer('correctClock');
  await submit(owner);
  await owner.client.ok('closeEpoch');
  const [event] = (await owner.client.ok('listAdminEvents', { query: { action: 'ledger.clock_corrected' } })).events;
  if (event === undefined) throw new Error('the clock was not corrected');
  return { owner, correctedAt: formatTime(event.created_at) };
}
