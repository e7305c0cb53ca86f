import type { Settings } from '../../src/service/index.ts';
import { at as nth } from '../support/bytes.ts';
import { type Account, signInAt, TestService } from '../support/service.ts';
import { Cast, type Host } from './cast.ts';
import { SetClock } from './clock.ts';
import { BEGINS, LOOKED_AT, story } from './story.ts';

export interface Corpus {
  readonly service: TestService;
  readonly owner: Account;
  /** All services of it, the first one among them. */
  readonly services: readonly TestService[];
}

/** Which of five hosts an agent is on, where there are as many. */
const PLACES: Readonly<Record<string, number>> = { apotheke: 0, post: 1, zahlung: 2, 'shell-ops': 3, labor: 4 };

/**
 * Makes the hospital's ledger: a service whose clock stands at each moment of the story in turn, agents that sign and submit there. After
 * that its clock runs, from the Monday after the three weeks.
 * @param hosts one for all agents, or five
 */
export async function makeCorpus(settings: Partial<Settings> = {}, hosts: 1 | 5 = 1): Promise<Corpus> {
  const clock = new SetClock(BEGINS);
  const services: TestService[] = [];
  const owners: Account[] = [];
  for (let n = 0; n < hosts; n++) {
    const service = await TestService.start({ epochIntervalSeconds: 86_400, ...settings });
    services.push(service);
    owners.push(await service.signUp());
  }
  const hostAt = (n: number): Host => ({ account: nth(owners, n), kid: nth(services, n).kid });
  const cast = new Cast((agentId) => hostAt((PLACES[agentId] ?? 0) % hosts));
  await cast.begin();
  for (const { at, act } of story()) {
    await cast.before(at);
    clock.set(Math.max(at, clock.now()));
    await act(cast);
  }
  await cast.sent();
  clock.set(LOOKED_AT);
  clock.run();
  // The session of three weeks ago has ended.
  const present: Account[] = [];
  for (const [n, { url }] of services.entries()) {
    const owner = await signInAt(url, nth(owners, n));
    await owner.client.ok('closeEpoch');
    present.push(owner);
  }
  return { service: nth(services, 0), owner: nth(present, 0), services };
}
