import type { Context } from 'koa';

/** Where this connection reached the service: scheme, IP address and port, as the system knows them and no header says. */
export function reachedAt(ctx: Context): string {
  const { localAddress = '', localPort = 0 } = ctx.req.socket;
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '');
  const host = address.includes(':') ? `[${address}]` : address;
  // As URLs write it: without the port that the scheme has anyway.
  return new URL(`${ctx.protocol}://${host}:${localPort}`).origin;
}
