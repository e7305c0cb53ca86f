import type { Settings } from '../../src/service/index.ts';
import { type Account, signInAt, TestService } from '../support/service.ts';
import { Cast } from './cast.ts';
import { SetClock } from './clock.ts';
import { BEGINS, LOOKED_AT, story } from './story.ts';

export interface Corpus {
  readonly service: TestService;
  readonly owner: Account;
}

/**
 * Makes the hospital's ledger: a service whose clock stands at each moment of the story in turn, agents that sign and submit there. After
 * that its clock runs, from the Monday after the three weeks.
 */
export async function makeCorpus(settings: Partial<Settings> = {}): Promise<Corpus> {
  const clock = new SetClock(BEGINS);
  const service = await TestService.start({ epochIntervalSeconds: 86_400, ...settings });
  const owner = await service.signUp();
  const cast = new Cast(owner);
  await cast.begin(service.kid);
  for (const { at, act } of story()) {
    await cast.before(at);
    clock.set(Math.max(at, clock.now()));
    await act(cast);
  }
  await cast.sent();
  clock.set(LOOKED_AT);
  clock.run();
  // The session of three weeks ago has ended.
  const present = await signInAt(service.url, owner);
  await present.client.ok('closeEpoch');
  return { service, owner: present };
}
