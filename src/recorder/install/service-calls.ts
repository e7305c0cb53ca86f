import { AgentError, ServiceClient } from '../../agent/index.ts';
import { addressesIn } from '../../agent/light.ts';
import { type AnswerOf, ROUTES, type Route, type RouteName } from '../../api/index.ts';
import { fromBase64Url, thumbprint } from '../../protocol/light.ts';
import type { AgentFile } from '../base/agent-file.ts';
import { RecordError } from '../base/record-error.ts';

/** Somebody waits at the terminal. */
const RETRY_FOR_MS = 3_000;
const TIMEOUT_MS = 10_000;

interface Arguments {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The calls of installation and examination: each answer is checked against the interface. */
export class ServiceCalls {
  readonly url: string;
  readonly #client: ServiceClient;

  constructor(url: string, token?: string) {
    this.url = url;
    this.#client = new ServiceClient({
      serviceUrl: url,
      retryForMs: RETRY_FOR_MS,
      timeoutMs: TIMEOUT_MS,
      ...(token === undefined ? {} : { token }),
    });
  }

  /** @throws AgentError with the service's code, SERVICE_UNAVAILABLE, ANSWER_INVALID */
  async call<N extends RouteName>(name: N, { params = {}, query = {}, body }: Arguments = {}): Promise<AnswerOf<N>> {
    const { method, answer, path }: Route = ROUTES[name];
    const named = path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
    const search = new URLSearchParams(query).toString();
    const filled = search === '' ? named : `${named}?${search}`;
    const given =
      method === 'GET'
        ? await this.#client.get(filled)
        : method === 'DELETE'
          ? await this.#client.remove(filled)
          : await this.#client.post(filled, body);
    if (typeof answer === 'string') throw new AgentError('ANSWER_INVALID', `${name} answers with a file`);
    const { success, data } = answer.safeParse(given);
    if (!success) throw new AgentError('ANSWER_INVALID', `the answer to ${name} is not what the interface says`);
    return data as AnswerOf<N>;
  }

  /** The kid of the key that the service signs with now: computed from the key, not taken from its name. */
  async serviceKid(): Promise<string> {
    const { keys } = await this.call('jwks');
    const [active] = keys;
    if (active === undefined) throw new AgentError('ANSWER_INVALID', 'the service publishes no key');
    return thumbprint(fromBase64Url(active.x, 32));
  }
}

/**
 * The address as it is kept: without a path's last slash, and nothing that belongs to one request alone.
 * @param text of several nodes, with commas between
 * @throws RecordError SERVICE_REFUSED
 */
export function serviceAddress(text: string): string {
  return addressesIn(text).map(oneAddress).join(',');
}

function oneAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new RecordError(
      'SERVICE_REFUSED',
      `${text}: expected the address of a service, such as http://127.0.0.1:8787`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Runs calls of a service; what it refuses is told in its own words. @throws RecordError SERVICE_REFUSED */
export async function asked<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    throw new RecordError('SERVICE_REFUSED', `${what}: ${error.message} (${error.code})`, { cause: error });
  }
}

export function isRefusal(error: unknown, code: AgentError['code']): boolean {
  return error instanceof AgentError && error.code === code;
}

/** Whether the token of an earlier installation still works. @throws RecordError SERVICE_REFUSED */
export async function isAccepted({ service_url, token, agent_id }: AgentFile): Promise<boolean> {
  try {
    await new ServiceCalls(service_url, token).call('agentHead', { params: { agent_id } });
    return true;
  } catch (error) {
    if (isRefusal(error, 'UNAUTHORIZED') || isRefusal(error, 'NOT_FOUND') || isRefusal(error, 'UNKNOWN_AGENT'))
      return false;
    if (!(error instanceof AgentError)) throw error;
    throw new RecordError('SERVICE_REFUSED', `the agent ${agent_id} could not be looked at: ${error.message}`, {
      cause: error,
    });
  }
}
