import { CodedError } from '../../../protocol/index.ts';

/** What keeps an engine from answering: it cannot be reached, or refuses what it is asked. */
export class EngineError extends CodedError<'ENGINE_UNUSABLE'> {
  override readonly name = 'EngineError';
}

/** A ClickHouse, and whom it knows us as. */
export interface EngineAddress {
  /** Of its HTTP interface, without credentials, as messages name it. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const SCHEMES: Readonly<Record<string, { readonly scheme: string; readonly port: string }>> = {
  'clickhouse:': { scheme: 'http', port: '8123' },
  'clickhouses:': { scheme: 'https', port: '8443' },
};

/** @param password where the text has none @returns undefined where the text names no ClickHouse */
export function readEngineAddress(text: string, password = ''): EngineAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password: given, pathname, search, hash } = new URL(text);
  const of = SCHEMES[protocol];
  const database = decodeURIComponent(pathname.slice(1));
  if (of === undefined || hostname === '' || search !== '' || hash !== '' || !/^\w*$/.test(database)) return undefined;
  return {
    url: `${of.scheme}://${hostname}:${port === '' ? of.port : port}/`,
    user: username === '' ? 'default' : decodeURIComponent(username),
    password: given === '' ? password : decodeURIComponent(given),
    database: database === '' ? 'default' : database,
  };
}

/** How long one question may take, in milliseconds, and a batch of rows. */
const ASKING_MS = 60_000;
const WRITING_MS = 300_000;
/** Of what it says of a failure, in characters: it may repeat the question. */
const SAID = 300;

/** Values of a question, which never are part of its text. */
export class Parameters {
  readonly #values = new Map<string, string>();

  /** @returns how the text of a question names it */
  text(value: string): string {
    return this.#named(value, 'String');
  }

  number(value: number): string {
    return this.#named(String(value), 'Float64');
  }

  whole(value: number): string {
    return this.#named(String(value), 'Int64');
  }

  /** As JSON: an array in the engine's notation would be quoted in two ways, one within the other. */
  texts(values: readonly string[]): string {
    return `JSONExtract(${this.text(JSON.stringify(values))}, 'Array(String)')`;
  }

  wholes(values: readonly number[]): string {
    return `JSONExtract(${this.text(JSON.stringify(values))}, 'Array(UInt64)')`;
  }

  #named(value: string, type: string): string {
    const name = `p${this.#values.size}`;
    this.#values.set(name, value);
    return `{${name}:${type}}`;
  }

  /** As the HTTP interface takes them: escaped as in a file of TabSeparated. */
  *[Symbol.iterator](): Generator<readonly [name: string, value: string]> {
    for (const [name, value] of this.#values) {
      const escaped = value.replaceAll(/[\\\t\n]/g, (sign) => ({ '\t': '\\t', '\n': '\\n' })[sign] ?? '\\\\');
      yield [`param_${name}`, escaped];
    }
  }
}

/**
 * Answers come as arrays, and numbers of 64 bits as numbers: none of ours is beyond what a double holds. They are kept until they are whole, so that
 * a failure behind the first rows is no answer.
 */
const FORMAT = 'FORMAT JSONCompactEachRow';
const SETTINGS = { output_format_json_quote_64bit_integers: '0', wait_end_of_query: '1', max_execution_time: '60' };

/** Asks a ClickHouse over its HTTP interface. */
export class ClickHouse {
  readonly #address: EngineAddress;

  constructor(address: EngineAddress) {
    this.#address = address;
  }

  /** Asks a second time where the first broke off: an idle connection may end just then. @throws EngineError ENGINE_UNUSABLE; the signal's reason */
  async rows(text: string, parameters: Parameters, signal?: AbortSignal): Promise<readonly (readonly unknown[])[]> {
    const ask = (): Promise<string> => this.#send(new Map([...parameters]), `${text} ${FORMAT}`, ASKING_MS, signal);
    const answer = await ask().catch((error: unknown) => {
      if (error instanceof EngineError && error.cause !== undefined) return ask();
      throw error;
    });
    const lines = answer.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as readonly unknown[]);
  }

  /** Changes something. @param body rows of an INSERT @throws EngineError ENGINE_UNUSABLE */
  async run(text: string, parameters = new Parameters(), body?: string): Promise<void> {
    const given = new Map([...parameters]);
    if (body !== undefined) given.set('query', text);
    await this.#send(given, body ?? text, WRITING_MS);
  }

  async #send(given: Map<string, string>, body: string, ms: number, signal?: AbortSignal): Promise<string> {
    const { url, user, password, database } = this.#address;
    const address = new URL(url);
    for (const [name, value] of [...Object.entries(SETTINGS), ...given]) address.searchParams.set(name, value);
    const limit = AbortSignal.timeout(ms);
    let answer: { readonly ok: boolean; readonly text: string };
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'x-clickhouse-user': user, 'x-clickhouse-key': password, 'x-clickhouse-database': database },
        body,
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        redirect: 'error',
      });
      answer = { ok: response.ok, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      throw new EngineError('ENGINE_UNUSABLE', `${url} cannot be reached`, { cause: error });
    }
    if (!answer.ok) throw new EngineError('ENGINE_UNUSABLE', `${url} answers: ${answer.text.slice(0, SAID).trim()}`);
    return answer.text;
  }
}
