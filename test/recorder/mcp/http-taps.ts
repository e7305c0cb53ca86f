import { once } from 'node:events';
import { createServer, type RequestListener, request, type Server } from 'node:http';

/** Bodies of an exchange as they passed: `METHOD request-body` and the response's body. */
export interface Tapped {
  readonly sent: string;
  received: string;
}

/** A server on a port of its own. */
export async function listening(listener: RequestListener): Promise<{ server: Server; url: URL }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return { server, url: new URL(`http://127.0.0.1:${address.port}/mcp`) };
}

/** Behind the proxy: passes every request on to a server, and keeps the bodies. */
export function tapBefore(upstream: URL, kept: Tapped[]): RequestListener {
  return (incoming, outgoing) => {
    const sent: Buffer[] = [];
    const { hostname, port } = upstream;
    const { method, url: path, headers } = incoming;
    const onward = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const tapped: Tapped = { sent: `${method} ${Buffer.concat(sent).toString('latin1')}`, received: '' };
      kept.push(tapped);
      outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders).flushHeaders();
      response.on('data', (chunk: Buffer) => {
        tapped.received += chunk.toString('latin1');
        outgoing.write(chunk);
      });
      response.on('end', () => outgoing.end());
      response.on('error', () => outgoing.destroy());
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.on('data', (chunk: Buffer) => {
      sent.push(chunk);
      onward.write(chunk);
    });
    incoming.on('end', () => onward.end());
  };
}

/** In front of the proxy: the `fetch` of a client, which keeps the bodies. */
export function tapIn(kept: Tapped[]): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    const response = await fetch(url, init);
    const tapped: Tapped = { sent: `${init?.method ?? 'GET'} ${Buffer.from(body).toString('latin1')}`, received: '' };
    kept.push(tapped);
    if (response.body === null) return response;
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        tapped.received += Buffer.from(chunk).toString('latin1');
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(watch), response);
  };
}

/** In an order that does not depend on which of two streams was faster. */
export function inOrder(tapped: readonly Tapped[]): string[] {
  return tapped.map(({ sent, received }) => `${sent}\n${received}`).sort();
}
