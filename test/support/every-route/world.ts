import { ROUTES, type Route, type RouteName } from '../../../src/api/index.ts';
import { type Answer, Client, type RawRequest, send } from '../client.ts';
import type { SeededRandom } from '../random.ts';
import type { Account, TestService } from '../service.ts';
import type { SmtpServer } from '../smtp-server.ts';

const PATTERNS = (Object.entries(ROUTES) as [RouteName, Route][])
  .map(([name, { method, path }]) => ({ name, method, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) }))
  // Those without parameters first: a fixed segment comes before one that takes anything.
  .sort((a, b) => Number(a.pattern.source.includes('[')) - Number(b.pattern.source.includes('[')));

function routeOf({ method = 'GET', path }: RawRequest): RouteName | null {
  const [place = ''] = path.split('?');
  return PATTERNS.find((one) => one.method === method && one.pattern.test(place))?.name ?? null;
}

/** A client that goes on where the service was restarted, and tells which routes have answered with success. */
class WatchedClient extends Client {
  readonly #world: World;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(world: World, headers: Readonly<Record<string, string>>) {
    super(world.service.url);
    this.#world = world;
    this.#headers = headers;
  }

  override async send(given: RawRequest): Promise<Answer<unknown>> {
    const answer = await send(this.#world.service.url, { ...given, headers: { ...this.#headers, ...given.headers } });
    const route = routeOf(given);
    if (route !== null && answer.status < 400) this.#world.succeeded.add(route);
    return answer;
  }
}

/** A service and who uses it by chance: what acts of every route share. */
export class World {
  readonly service: TestService;
  readonly random: SeededRandom;
  readonly smtp: SmtpServer;
  /** Where webhooks go: a port that speaks no TLS, so that every attempt fails at once. */
  readonly webhookUrl: string;
  readonly succeeded = new Set<RouteName>();
  /** Owners of organizations, the home organization's first. */
  readonly owners: Account[] = [];
  readonly #met = new Map<string, string[]>();
  #count = 0;

  constructor(service: TestService, random: SeededRandom, smtp: SmtpServer, webhookUrl: string) {
    this.service = service;
    this.random = random;
    this.smtp = smtp;
    this.webhookUrl = webhookUrl;
  }

  client(token?: string): Client {
    return new WatchedClient(this, token === undefined ? {} : { authorization: `Bearer ${token}` });
  }

  clientWith(headers: Readonly<Record<string, string>>): Client {
    return new WatchedClient(this, headers);
  }

  /** A name that nothing else has. */
  name(what: string): string {
    return `${what}-${++this.#count}-${this.random.below(1e9)}`;
  }

  pick<T>(among: readonly T[]): T {
    const found = among[this.random.below(among.length)];
    if (found === undefined) throw new Error('there is nothing to choose from');
    return found;
  }

  chance(share: number): boolean {
    return this.random.next() < share;
  }

  home(): Account {
    const [owner] = this.owners;
    if (owner === undefined) throw new Error('nobody has signed up yet');
    return owner;
  }

  /** Keeps an id for whoever asks for a parameter of this name. */
  meet(parameter: string, id: string): void {
    const ids = this.#met.get(parameter) ?? [];
    ids.push(id);
    this.#met.set(parameter, ids);
  }

  met(parameter: string): string | undefined {
    const ids = this.#met.get(parameter);
    return ids === undefined ? undefined : this.pick(ids);
  }

  /** Signs an owner of a new organization up; the first has the home organization. */
  async signUp(): Promise<Account> {
    const given = { email: `${this.name('owner')}@example.org`, password: 'correct horse battery' };
    const code = this.service.setUpCode();
    const body = { ...given, name: 'An owner', org_name: this.name('Organization') };
    const { token, user } = await this.client().ok('signUp', {
      body: code === null ? body : { ...body, setup_code: code },
    });
    this.meet('user_id', user.id);
    return { ...given, userId: user.id, orgId: user.orgId ?? '', client: this.client(token) };
  }

  /** The value in a line of the newest mail to an address. */
  mailed(address: string, label: string): string {
    const mail = this.smtp.mails.filter(({ to }) => to.includes(address)).at(-1);
    const text = mail?.data.replace(/=\r?\n/g, '').replaceAll('\r', '') ?? '';
    return new RegExp(`^${label}: (\\S+)$`, 'm').exec(text)?.[1] ?? '';
  }
}

/** Something that somebody does at a service: a call, or several that belong together. */
export type Act = (world: World) => Promise<void>;
