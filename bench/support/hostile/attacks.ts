import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Signer } from '../../../test/support/signer.ts';
import { hold, repeat, send, type Target } from './requests.ts';

const MIB = 1024 * 1024;
const HEAD = '{"format":"countersign-bundle/1","org":{"org_id":"x","name":"x"},"service_keys":[],"records":[';

/** This many members of an object, as JSON without its braces. */
function members(count: number): string {
  return Array.from({ length: count }, (_, number) => `"${number.toString(36)}":0`).join(',');
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

function inspect(target: Target, body: Buffer) {
  return send(target, { path: '/v1/cases/inspect?name=a.json.gz', body });
}

/** No attack: what the programs of the bench take of each other anyway. */
async function nothing({ endsAt }: Target): Promise<void> {
  await setTimeout(endsAt - performance.now());
}

/** No request either, but a processor kept busy, as the process of every attack does. */
async function busyProcessor({ endsAt }: Target): Promise<void> {
  const bytes = Buffer.alloc(MIB);
  while (performance.now() < endsAt) createHash('sha256').update(bytes).digest();
}

/** An upload of some 10 kB whose records, millions of them, cannot be read. */
async function unreadableRecords(target: Target): Promise<void> {
  const body = gzipSync(`${HEAD}${'{},'.repeat(3 * MIB)}`);
  await repeat(target, { parallel: 2 }, () => inspect(target, body));
}

/** A batch of 16 MiB: one record with 1,400,000 members. */
async function largeBatches(target: Target): Promise<void> {
  const body = `{"records":[{${members(1_400_000)}}]}`;
  await repeat(target, { parallel: 2 }, () => send(target, { path: '/v1/operations/batch', body }));
}

/** Bodies of 1 MB, from nobody, to signing in. */
async function signInBodies(target: Target): Promise<void> {
  const body = `{${members(90_000)}}`;
  await repeat(target, { parallel: 4 }, () => send(target, { path: '/api/auth/sign-in/email', token: null, body }));
}

/** 400 connections that each announce 1 MiB for signing in, and never send the end. */
async function unfinishedBodies(target: Target): Promise<void> {
  const head = `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
  const body = Buffer.alloc(MIB - 64, ' ');
  await hold(target, 400, (socket) => {
    socket.write(`${head}Content-Length: ${MIB}\r\n\r\n`);
    socket.write(body);
  });
}

/** 3,000 connections whose request never gets beyond its first lines. */
async function halfOpen(target: Target): Promise<void> {
  await hold(target, 3000, (socket) => void socket.write('GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: '));
}

/** 600 webhooks, then records for them, each of which is to be delivered 600 times. */
async function webhooks(target: Target): Promise<void> {
  const agent = new Signer(target.orgId, `agent-${randomUUID()}`);
  await send(target, { path: '/v1/agents/register', body: json(agent.registration) });
  const hook = (number: number) => ({
    endpoint_url: `https://192.0.2.1/${number}`,
    events: ['operation.accepted'],
    secret: 'a secret of 16 or more',
  });
  await repeat(target, { parallel: 4, most: 600 }, (n) => send(target, { path: '/v1/webhooks', body: json(hook(n)) }));
  await repeat(target, { parallel: 1, most: 500 }, () =>
    send(target, { path: '/v1/operations', body: json(agent.next({ payload: { text: 'a'.repeat(500) } })) }),
  );
}

/** Invitations, tokens and exports, as many as there may be. */
async function records(target: Target): Promise<void> {
  const range = { startTime: '2020-01-01T00:00:00.000Z', endTime: '2040-01-01T00:00:00.000Z' };
  await repeat(target, { parallel: 6, most: 1800 }, (n) => {
    const invited = json({ email: `guest-${n}@example.org`, role: 'readonly_investigator' });
    if (n % 3 === 0) return send(target, { path: '/v1/members/invitations', body: invited });
    if (n % 3 === 1) return send(target, { path: '/v1/auth/token', body: '{}' });
    return send(target, { path: '/v1/exports', body: json(range) });
  });
}

/** 180 uploads at a time, of 1 MiB each. */
async function uploads(target: Target): Promise<void> {
  const body = randomBytes(MIB);
  await repeat(target, { parallel: 180, most: 1000 }, () => inspect(target, body));
}

/** Small compressed files that hold much, imported one after the other. */
async function bombs(target: Target): Promise<void> {
  const body = gzipSync(Buffer.from(`${HEAD}${'{},'.repeat(20 * MIB)}`));
  await repeat(target, { parallel: 2, most: 40 }, async () => {
    const { status, text } = await inspect(target, body);
    if (status !== 201) return;
    const { upload_id } = JSON.parse(text) as { upload_id: string };
    await send(target, { path: '/v1/cases', body: json({ upload_id, trusted_kids: [] }) });
  });
}

/** New organizations, each with a password to be hashed. */
async function signUps(target: Target): Promise<void> {
  await repeat(target, { parallel: 16, most: 2000 }, () => {
    const account = { email: `${randomUUID()}@example.org`, password: 'password of nobody', name: 'N', org_name: 'O' };
    return send(target, { path: '/api/auth/sign-up/email', token: null, body: json(account) });
  });
}

/** Reads from nobody, as fast as they are answered. */
async function reads(target: Target): Promise<void> {
  await repeat(target, { parallel: 32 }, () => send(target, { method: 'GET', path: '/v1/agents', token: null }));
}

/** Paths that there are not, of 15 kB each. */
async function unknownPaths(target: Target): Promise<void> {
  const path = `/v1/${'a'.repeat(15_000)}`;
  await repeat(target, { parallel: 32 }, (n) => send(target, { method: 'GET', path: path + n, token: null }));
}

/** Wrong passwords for one account after the other. */
async function passwords(target: Target): Promise<void> {
  await repeat(target, { parallel: 16 }, (n) => {
    const body = json({ email: `nobody-${n % 500}@example.org`, password: 'a wrong password' });
    return send(target, { path: '/api/auth/sign-in/email', token: null, body });
  });
}

/** Searches that take as long as a query can, from 40 clients that are gone after a second, over records that are there already. */
async function searches(target: Target): Promise<void> {
  await repeat(target, { parallel: 40 }, (n) => {
    const parts = Array.from({ length: 20 }, (_, part) => `insession(/.*a.{${100 + part}}[0-9]{1,${1 + (n % 500)}}/)`);
    return send(target, { path: '/v1/audit/query', body: json({ query: parts.join(' or ') }), goneAfterMs: 1000 });
  });
}

/** What attacks there are, by what they flood; the first two are what they are compared with. */
export const ATTACKS: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  nothing,
  'busy-processor': busyProcessor,
  'unreadable-records': unreadableRecords,
  'large-batches': largeBatches,
  'sign-in-bodies': signInBodies,
  'unfinished-bodies': unfinishedBodies,
  'half-open': halfOpen,
  webhooks,
  records,
  uploads,
  bombs,
  'sign-ups': signUps,
  searches,
  reads,
  'unknown-paths': unknownPaths,
  passwords,
};
