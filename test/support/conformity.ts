import { gunzipSync } from 'node:zlib';
import { errorEnvelope, ROUTES, type Route } from '../../src/api/index.ts';
import type { Answer, RawRequest } from './client.ts';

const routes = Object.values<Route>(ROUTES).map((route) => {
  const pattern = route.path.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+');
  return { route, pattern: new RegExp(`^${pattern}/?$`, 'i') };
});

/** The route that a request is for, or undefined. */
export function routeOf({ method = 'GET', path }: RawRequest): Route | undefined {
  const [address = ''] = path.split('?');
  return routes.find(({ route, pattern }) => route.method === method && pattern.test(address))?.route;
}

/** @throws Error where an answer in JSON is not what the interface promises of its route, member by member */
export function expectConformity(request: RawRequest, { status, headers, bytes }: Answer<unknown>): void {
  if (request.method === 'HEAD' || !headers['content-type']?.startsWith('application/json')) return;
  const route = routeOf(request);
  const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  const text = plain.toString('utf8');
  const body: unknown = JSON.parse(text);
  const isError = typeof body === 'object' && body !== null && 'error' in body;
  if (!isError && route?.answer === 'file') return;
  const schema = isError ? errorEnvelope : route?.answer;
  if (schema === undefined || typeof schema === 'string') {
    throw new Error(`${request.method} ${request.path} answers ${status}, and the interface has no such answer`);
  }
  const result = schema.safeParse(body);
  if (!result.success) {
    const where = `${request.method ?? 'GET'} ${request.path}: ${status}`;
    throw new Error(`${where} ${text.slice(0, 500)} is not as the interface says: ${result.error.message}`);
  }
  const expected = isError ? undefined : [route?.status, route?.otherStatus];
  if (expected === undefined ? status < 400 : !expected.includes(status as Route['status'] | 503)) {
    throw new Error(`${request.method ?? 'GET'} ${request.path}: ${status} with ${text.slice(0, 500)}`);
  }
}
