/**
 * Koa's router, loaded as CommonJS: as an ES module it imports the whole of `node:http` (src/node/node-http.ts). In bundles this
 * file gives way to the package (scripts/support/bundling.ts).
 */
import { createRequire } from 'node:module';

const router = createRequire(import.meta.url)('@koa/router') as typeof import('@koa/router');

export type { RouterMiddleware } from '@koa/router';
export type Router = import('@koa/router').Router;
export const Router: typeof import('@koa/router').Router = router.Router;
