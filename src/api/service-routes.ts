import { z } from 'zod';
import { overLive } from './ledger-routes.ts';
import * as lists from './lists.ts';
import { rowsOf } from './route.ts';

const anyone = rowsOf({ tag: 'Service', access: 'public' });
const workstation = rowsOf({ tag: 'Service', access: 'workstation' });

/** Which file a browser is to fetch: the path of a route that answers with one, with its query. */
const downloadTicketBody = z.strictObject({
  path: z
    .string()
    .max(2048)
    .regex(/^\/[\x21-\x7e]*$/, 'must be a path of this service'),
});

const downloadTicket = z.strictObject({
  path: z.string().meta({ description: 'the same with a ticket: to be fetched once, without any credential' }),
  expires_in: z.int().meta({ description: 'seconds' }),
});

/** What everybody may know of the service: rows of the one table (routes.ts). */
export const SERVICE_ROUTES = {
  ...overLive('jwks'),
  verifier: {
    ...anyone.get,
    path: '/v1/verifier',
    answer: 'file',
    summary: 'The verifier in one file, to go with an export',
  },
  createDownloadTicket: {
    ...workstation.post,
    path: '/v1/download-tickets',
    isOfNode: true,
    status: 201,
    body: downloadTicketBody,
    answer: downloadTicket,
    summary: 'A one-time address for a file, for a browser that goes there',
  },
  serviceChallenge: {
    ...anyone.ask,
    path: '/v1/service/challenge',
    body: lists.serviceChallengeBody,
    answer: lists.serviceChallengeAnswer,
    summary: 'Have the service show its key, before it is sent a token',
  },
  openApi: {
    ...anyone.get,
    path: '/v1/openapi.json',
    answer: lists.openApi,
    summary: 'This description',
  },
  metrics: {
    ...rowsOf({ tag: 'Service', access: 'readonly_investigator' }).get,
    path: '/metrics',
    answer: 'text',
    summary: 'Counts, durations, queues and room, in the text format of Prometheus',
  },
  health: {
    ...anyone.get,
    path: '/v1/health',
    otherStatus: 503,
    answer: lists.health,
    summary: 'Whether the service answers; 503 on a standby',
  },
  deepHealth: {
    ...anyone.get,
    path: '/v1/health/deep',
    otherStatus: 503,
    answer: lists.deepHealth,
    summary: 'State of each part; 503 where one is bad',
  },
} as const;
