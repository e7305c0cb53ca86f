import { join } from 'node:path';
import { ROUTES, type Route, type RouteName } from '../../../src/api/index.ts';
import type { Settings } from '../../../src/service/index.ts';
import { atEnd } from '../cleanup.ts';
import { temporaryFolder } from '../folders.ts';
import { startGithubProvider } from '../github-provider.ts';
import { providerSettings, register } from '../oauth-service.ts';
import { startOidcProvider } from '../oidc-provider.ts';
import { SeededRandom } from '../random.ts';
import type { Account, TestService } from '../service.ts';
import { startSmtpServer } from '../smtp-server.ts';
import { LEDGER } from './ledger.ts';
import { PEOPLE } from './people.ts';
import { type Act, World } from './world.ts';

const AT_ONCE = 3;

/** What only changes something where the clock is in doubt or was wrong, which it is in test/faults/clock.test.ts. */
const OF_A_WRONG_CLOCK: readonly RouteName[] = ['confirmClock', 'correctClock'];

/** Routes that can change stored state: all but those that only ask, of which two leave a trace. */
export const CHANGING = (Object.entries(ROUTES) as [RouteName, Route][])
  .filter(([name]) => !OF_A_WRONG_CLOCK.includes(name))
  .filter(([name, { method }]) => method !== 'GET' || name === 'signInCallback' || name === 'downloadExport')
  .map(([name]) => name);

/** A new order, drawn. */
function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  const drawn = items.map((item) => ({ item, at: random.next() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

async function act(world: World, acts: readonly Act[]): Promise<void> {
  const waiting = [...acts];
  const one = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next(world);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** What is around a service that every route of it can be used. */
export async function surroundings() {
  const google = await startOidcProvider();
  const github = await startGithubProvider();
  const smtp = await startSmtpServer();
  atEnd(async () => {
    await Promise.all([google.close(), github.close(), smtp.close()]);
  });
  const settings: Partial<Settings> = {
    ...providerSettings(google, github),
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    smtpFrom: 'audit@example.org',
    webhookAllowPrivate: true,
    epochMaxLeaves: 50,
    trustStore: join(temporaryFolder(), 'trust.json'),
  };
  return { google, github, smtp, settings };
}

export interface Use {
  readonly seed: number;
  readonly rounds: number;
  /** Before each round but the first. */
  readonly between: () => Promise<void>;
  /** Owners of organizations that there are already, the home organization's first. */
  readonly owners?: readonly Account[];
}

/** Uses every route of a service, in an order that is drawn. */
export async function useEveryRoute(
  service: TestService,
  { google, github, smtp }: Awaited<ReturnType<typeof surroundings>>,
  { seed, rounds, between, owners = [] }: Use,
): Promise<World> {
  const world = new World(service, new SeededRandom(seed), smtp, github.url.replace('http:', 'https:'));
  world.owners.push(...owners.map((owner) => ({ ...owner, client: world.client(owner.client.token) })));
  while (world.owners.length < 3) world.owners.push(await world.signUp());
  for (let round = 1; round <= rounds; round++) {
    if (round > 1) await between();
    register(service, google, github);
    google.person = { sub: `google-${round}`, email: `google-${round}@example.org`, email_verified: true, name: 'G' };
    github.user = { id: round, login: `github-${round}`, name: null };
    github.emails = [{ email: `github-${round}@example.org`, primary: true, verified: true }];
    await act(world, shuffled([...PEOPLE, ...LEDGER], world.random));
  }
  return world;
}
