import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { nodeCrypto, writeDurablyNow } from '../../node/light.ts';
import { type WitnessAnswer, WitnessFolderError } from '../../node/witness/index.ts';
import { equivocationProofBytes, MAX_CHECKPOINT_BYTES, toHex, utf8 } from '../../protocol/index.ts';
import { messageOf } from '../../protocol/text/light.ts';
import { listen, rateLimit, readBytes, ServiceError, StartError } from '../../service/light.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { EffectiveTrust, TRUST_OPTIONS } from '../trust.ts';
import { untilStopped } from '../until-stopped.ts';
import { KEYS_OPTION, serviceKeysOf, WITNESS_DIR_OPTION, witnessFolderOf } from './sign.ts';

const DEFAULT_PORT = 8790;
/** Logs ask one at a time; whoever else connects is made room for as the service makes it. */
const MAX_CONNECTIONS = 256;
/** The folder in that of the witness which holds what proves refusals right. */
const PROOFS = 'refusals';

/** What is answered. */
interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly allow?: 'GET' | 'POST';
}

const TEXT = 'text/plain; charset=utf-8';

const plain = (status: number, message: string): Reply => ({
  status,
  type: TEXT,
  body: `${message}\n`,
});

/** The answer in the form of C2SP tlog-witness: a 409 is the size alone. A 422 carries the proof, where there is one. */
function replyOf(answer: WitnessAnswer): Reply {
  if (answer.status === 200) return { status: 200, type: TEXT, body: answer.lines };
  if (answer.status === 409) return { status: 409, type: 'text/x.tlog.size', body: `${answer.size}\n` };
  if (answer.contradiction === null) return plain(answer.status, answer.message);
  return { status: answer.status, type: 'application/json', body: equivocationProofBytes(answer.contradiction) };
}

/** One proves a log rewritten: whoever has its key could fill the disk with more. */
const MOST_PROOFS = 16;

/** Keeps what proves a refusal right. One file for each log and size that was cosigned, of each log the first ones. */
function keepProof(dir: string, answer: WitnessAnswer, terminal: Terminal): void {
  if (answer.status === 200 || answer.contradiction === null) return;
  const { contradiction, size } = answer;
  const log = toHex(nodeCrypto.sha256(utf8(contradiction.org_id)).subarray(0, 8));
  const [folder, name] = [join(dir, PROOFS), `${log}-${size}.json`];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const kept = readdirSync(folder).filter((one) => one.startsWith(`${log}-`) && one.endsWith('.json'));
  const [first = name] = kept.length < MOST_PROOFS || kept.includes(name) ? [name] : kept;
  const path = join(folder, first);
  // Another process of the same folder may refuse the same log at this moment. A crash leaves a .new file that nothing reads.
  if (first === name) writeDurablyNow(path, equivocationProofBytes(contradiction), `${path}.${randomUUID()}.new`);
  terminal.note(
    `countersign witness serve: refused: the log of ${printable(contradiction.org_id)} was rewritten: countersign verify ${path}`,
  );
}

/** What a witness makes of a request. */
interface Answering {
  /** @throws ServiceError RATE_LIMITED */
  readonly count: (address: string) => Promise<void>;
  readonly answer: (body: Uint8Array) => Promise<WitnessAnswer>;
  /** The newest checkpoint that was cosigned of the log whose origin has a hash. */
  readonly cosigned: (originHash: string) => string | null;
}

async function replyTo(request: IncomingMessage, { count, answer, cosigned }: Answering): Promise<Reply> {
  const [path = ''] = (request.url ?? '').split('?');
  const [, originHash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
  if (path !== '/add-checkpoint' && originHash === undefined)
    return plain(404, 'not found: a witness has POST /add-checkpoint');
  const allow = originHash === undefined ? 'POST' : 'GET';
  if (request.method !== allow) return { ...plain(405, `use ${allow}`), allow };
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') return plain(415, 'send the body as it is');
  try {
    // Before the body is read: the signatures in it cost more than anything else here.
    await count(request.socket.remoteAddress ?? '');
    if (originHash !== undefined) {
      const checkpoint = cosigned(originHash);
      if (checkpoint === null) return plain(404, 'no checkpoint of this log was cosigned here');
      return { status: 200, type: TEXT, body: checkpoint };
    }
    return replyOf(await answer(await readBytes(request, MAX_CHECKPOINT_BYTES, null)));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'RATE_LIMITED') return { ...plain(429, error.message), retryAfter: error.retryAfter ?? 60 };
    return plain(error.code === 'PAYLOAD_TOO_LARGE' ? 413 : 400, error.message);
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body, retryAfter, allow }: Reply,
): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(allow === undefined ? {} : { allow }),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    // What is left of the body is not read.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(body);
}

/** How many requests an address may send in a minute, unless the command line says otherwise: a log asks once for each epoch. */
const DEFAULT_PER_MINUTE = 600;

function perMinuteOf(args: ParsedArgs): number {
  const text = args.text('per-minute') ?? String(DEFAULT_PER_MINUTE);
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new UsageError('--per-minute takes a number from 1 to 999999');
  return Number(text);
}

function portOf(args: ParsedArgs): number {
  const text = args.text('port') ?? String(DEFAULT_PORT);
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new UsageError('--port takes a number from 0 to 65535');
  return port;
}

/** A witness that answers by HTTP (C2SP tlog-witness), by the folder and the rules of `witness sign`. */
export const witnessServe: Command = {
  name: 'witness serve',
  synopsis: [
    '--dir DIR [--keys FILE]… [--trust KEY[@ORG_ID]|JWKS-FILE]… [--host HOST] [--port NUMBER] [--per-minute NUMBER]',
  ],
  options: [
    WITNESS_DIR_OPTION,
    KEYS_OPTION,
    ...TRUST_OPTIONS,
    { flag: 'host', value: 'HOST', help: 'address to listen on (127.0.0.1)' },
    { flag: 'port', value: 'NUMBER', help: `port to listen on; 0 picks a free one (${DEFAULT_PORT})` },
    {
      flag: 'per-minute',
      value: 'NUMBER',
      help: `requests that one address may send in a minute (${DEFAULT_PER_MINUTE}); behind a proxy all come from its address`,
    },
    { flag: 'tls-cert', value: 'FILE', help: 'certificate chain (PEM), for HTTPS' },
    { flag: 'tls-key', value: 'FILE', help: 'its private key (PEM)' },
  ],
  notes: [
    'Logs send POST /add-checkpoint as C2SP tlog-witness has it; GET /HASH/checkpoint shows monitors the newest checkpoint that was cosigned of the log whose origin has this SHA-256 hash. The trust store and the files of keys are read for each request: a log that you trust from now on needs no restart.',
    `What proves a refusal right is kept in DIR/${PROOFS}, for each log up to ${MOST_PROOFS}, at different sizes; countersign verify takes them. Other programs may answer requests in the same folder.`,
  ],
  examples: [
    {
      what: 'Cosign the logs that you trust, behind a proxy that has the certificate:',
      args: '--dir witness --keys service.keys',
    },
  ],
  exitCodes: [
    ['0', 'stopped by Ctrl-C or SIGTERM'],
    ['2', 'the folder, the port or the certificate cannot be used, or wrong usage'],
  ],
  expected: [WitnessFolderError, StartError],
  run: async (args, terminal) => {
    if (args.positionals.length > 0) throw new UsageError('witness serve takes no arguments');
    const [tlsCert, tlsKey] = [args.text('tls-cert') ?? null, args.text('tls-key') ?? null];
    if ((tlsCert === null) !== (tlsKey === null)) throw new UsageError('name both: --tls-cert FILE --tls-key FILE');
    const settings = { host: args.text('host') ?? '127.0.0.1', port: portOf(args), tlsCert, tlsKey };
    const limit = await rateLimit(perMinuteOf(args));
    // Said at the start, not to the first log that asks.
    await Promise.all([EffectiveTrust.of(args), serviceKeysOf(args)]);
    const dir = args.text('dir') ?? '';
    const folder = witnessFolderOf(args);
    const answer = async (body: Uint8Array): Promise<WitnessAnswer> => {
      const [{ entries }, serviceKeys] = await Promise.all([EffectiveTrust.of(args), serviceKeysOf(args)]);
      const given = await folder.answer(body, { trustedKids: entries, serviceKeys, now: Date.now });
      if (given.status === 200) {
        const { origin, size } = given.checkpoint;
        terminal.note(`countersign witness serve: cosigned ${printable(origin)} at size ${size}`);
      }
      keepProof(dir, given, terminal);
      return given;
    };
    const answering = {
      answer,
      count: (address: string) => limit.count(address),
      cosigned: (originHash: string) => folder.cosignedByHash(originHash),
    };
    const failed = (error: unknown): Reply => {
      terminal.note(`countersign witness serve: ${messageOf(error)}`);
      return plain(500, 'the witness failed; its output says why');
    };
    try {
      const stopped = untilStopped();
      const server = await listen({ ...settings, maxConnections: MAX_CONNECTIONS }, (request, response) => {
        void replyTo(request, answering)
          .catch(failed)
          .then((reply) => send(request, response, reply));
      });
      terminal.line(`witness ${folder.name} listening on ${server.url}`);
      await stopped;
      await server.close(() => undefined);
      return EXIT.ok;
    } finally {
      folder.close();
    }
  },
};
