import type { IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import type { Context } from 'koa';
import { PAGE_HEADER } from '../../api/index.ts';
import { request as overHttp } from '../../node/light.ts';

/** Of a request that no standby may answer, nor pass on: its sender holds the answer against what it knows, or is a standby. */
export const ACTIVE_ONLY = 'Countersign-Active-Only';

/** What of an answer is about its content, or tells people which request it was; everything else each node says for itself. */
const HANDED_ON = [
  'content-type',
  'content-disposition',
  'content-encoding',
  'content-length',
  'cache-control',
  'vary',
  'retry-after',
  'x-request-id',
] as const;

/** How often it is looked whether the node that was asked is still the active one, in milliseconds. */
const LOOK_MS = 500;

export interface PassedOn {
  /** The address of the active node; null where none is known. */
  readonly active: () => string | null;
  /** Of the caller, who was found by it: a session of a page by the page's secret as well. */
  readonly token: string;
  readonly pageSecret: string | null;
  /** Without a download's ticket, which this node has redeemed. */
  readonly query: string;
  readonly bytes: Uint8Array | null;
  /** Aborted when a stop waits for no answer any more. */
  readonly stopping: AbortSignal;
}

/**
 * Has the active node answer a request, in the name of its caller, and hands its answer on. It is told that nobody else may answer: two
 * nodes that each take the other for active would ask each other for ever.
 * @returns false where the active node cannot be reached
 */
export async function passOn(ctx: Context, { active, token, pageSecret, query, bytes, stopping }: PassedOn) {
  const to = active();
  if (to === null) return false;
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  // A node that hangs closes no connection.
  const look = setInterval(() => active() !== to && gone.abort(), LOOK_MS);
  const address = new URL(to);
  address.pathname = `${address.pathname.replace(/\/$/, '')}${ctx.path}`;
  address.search = query;
  const headers = {
    authorization: `Bearer ${token}`,
    accept: '*/*',
    'accept-encoding': ctx.get('Accept-Encoding') || 'identity',
    'user-agent': ctx.get('User-Agent'),
    [ACTIVE_ONLY]: '1',
    ...(pageSecret === null ? {} : { [PAGE_HEADER]: pageSecret }),
    ...(bytes === null ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }),
  };
  const request = address.protocol === 'https:' ? overHttps : overHttp;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method: ctx.method, headers, signal: AbortSignal.any([stopping, gone.signal]) };
      request(address, options, resolve).on('error', reject).end(bytes);
    });
    answer.once('close', () => clearInterval(look));
    ctx.status = answer.statusCode ?? 502;
    for (const name of HANDED_ON) {
      const value = answer.headers[name];
      if (value !== undefined) ctx.set(name, value);
    }
    ctx.body = answer;
    return true;
  } catch {
    // The node is away, or this one may ask it no more: whoever called says that no active node can be reached.
    clearInterval(look);
    return false;
  }
}
