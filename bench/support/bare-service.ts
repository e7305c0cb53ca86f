import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import Koa from 'koa';
import getRawBody from 'raw-body';
import { cryptoPool, nodeSigner } from '../../src/node/index.ts';
import type { SignatureCheck } from '../../src/protocol/index.ts';

/*
 * The least that a service of this kind can do with these libraries, a record a request: Koa takes the body, JSON.parse
 * reads it, one signature is verified on a thread, one made, the body is put into one table without an index and flushed
 * before the answer, many to a commit. Nothing is checked: no strict parsing, canonical form, hash, schema, agent, identifier,
 * nonce or chain; no Merkle tree, no limits, no caller. What a real service can come to on the machine is less than this.
 *
 *     node bench/support/bare-service.ts FOLDER
 */
const [, , folder = '.'] = process.argv;
const database = new Database(join(folder, 'bare.sqlite'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE records (seq_no INTEGER PRIMARY KEY, body TEXT, signature BLOB)');
const insert = database.prepare('INSERT INTO records (body, signature) VALUES (?, ?)');

const signer = nodeSigner(randomBytes(32));
const rawKey = signer.publicKey;
const pool = cryptoPool({ inlineBelow: 0, queued: Number.POSITIVE_INFINITY });

/** This many signatures go to the thread at once, about as many as the service sends it. */
const CHUNK = 8;
let checks: { readonly check: SignatureCheck; readonly resolve: () => void }[] = [];

async function verifyAll(): Promise<void> {
  const these = checks;
  checks = [];
  if (these.length > 0) await pool.verifyEquations(these.map(({ check }) => check));
  for (const { resolve } of these) resolve();
}

/** The equation takes as long whether or not it holds. */
function verify(check: SignatureCheck): Promise<void> {
  return new Promise((resolve) => {
    checks.push({ check, resolve });
    if (checks.length === CHUNK) void verifyAll();
    else if (checks.length === 1) void nextTurn().then(verifyAll);
  });
}

interface Waiting {
  readonly body: string;
  readonly answer: (receipt: object) => void;
}
let queue: Waiting[] = [];

const append = database.transaction((batch: readonly Waiting[]) =>
  batch.map(({ body }) => {
    const receipt = { receipt_id: globalThis.crypto.randomUUID(), server_received_at: new Date().toISOString() };
    const signature = signer.sign(Buffer.from(JSON.stringify(receipt)));
    insert.run(body, signature);
    return { ...receipt, service_signature: Buffer.from(signature).toString('base64url') };
  }),
);

async function commit(): Promise<void> {
  await nextTurn();
  const batch = queue;
  queue = [];
  for (const [index, receipt] of append(batch).entries()) batch[index]?.answer(receipt);
}

const app = new Koa();
app.use(async (ctx) => {
  const bytes = await getRawBody(ctx.req, { limit: 1e6, length: ctx.headers['content-length'] ?? null });
  const body = bytes.toString();
  const { signature } = JSON.parse(body) as { signature: string };
  await verify({ publicKey: rawKey, message: bytes, signature: Buffer.from(signature, 'base64url') });
  ctx.status = 201;
  ctx.body = await new Promise<object>((answer) => {
    queue.push({ body, answer });
    if (queue.length === 1) void commit();
  });
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
