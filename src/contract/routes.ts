import type { z } from 'zod';
import { createTokenBody, signInBody, signUpBody } from './accounts.ts';
import { registerAgentBody } from './agents.ts';
import { createExportBody } from './exports.ts';
import { noQuery, page } from './fields.ts';
import { submitBody } from './operations.ts';
import type { Role } from './roles.ts';

/** One row of the interface: who may call what, with which body and query, and the status of success. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Nobody in particular, any user, or the minimum role. */
  readonly access: 'public' | 'authenticated' | Role;
  readonly status: 200 | 201 | 202;
  readonly body?: z.ZodType;
  readonly query: z.ZodType;
}

/** Every route of the service: the one table that router, access checks and tests go by. */
export const ROUTES = {
  signUp: {
    method: 'POST',
    path: '/api/auth/sign-up/email',
    access: 'public',
    status: 201,
    body: signUpBody,
    query: noQuery,
  },
  signIn: {
    method: 'POST',
    path: '/api/auth/sign-in/email',
    access: 'public',
    status: 200,
    body: signInBody,
    query: noQuery,
  },
  session: { method: 'GET', path: '/api/auth/session', access: 'authenticated', status: 200, query: noQuery },
  createToken: {
    method: 'POST',
    path: '/v1/auth/token',
    access: 'authenticated',
    status: 201,
    body: createTokenBody,
    query: noQuery,
  },
  registerAgent: {
    method: 'POST',
    path: '/v1/agents/register',
    access: 'integration_engineer',
    status: 201,
    body: registerAgentBody,
    query: noQuery,
  },
  listAgents: { method: 'GET', path: '/v1/agents', access: 'readonly_investigator', status: 200, query: noQuery },
  getAgent: {
    method: 'GET',
    path: '/v1/agents/:agent_id',
    access: 'readonly_investigator',
    status: 200,
    query: noQuery,
  },
  agentHead: {
    method: 'GET',
    path: '/v1/agents/:agent_id/head',
    access: 'readonly_investigator',
    status: 200,
    query: noQuery,
  },
  submitOperation: {
    method: 'POST',
    path: '/v1/operations',
    access: 'integration_engineer',
    status: 201,
    body: submitBody,
    query: noQuery,
  },
  getOperation: {
    method: 'GET',
    path: '/v1/operations/:operation_id',
    access: 'readonly_investigator',
    status: 200,
    query: noQuery,
  },
  verifyOperation: {
    method: 'POST',
    path: '/v1/operations/:operation_id/verify',
    access: 'readonly_investigator',
    status: 200,
    query: noQuery,
  },
  listEpochs: { method: 'GET', path: '/v1/epochs', access: 'readonly_investigator', status: 200, query: page },
  getEpoch: {
    method: 'GET',
    path: '/v1/epochs/:epoch_id',
    access: 'readonly_investigator',
    status: 200,
    query: noQuery,
  },
  createExport: {
    method: 'POST',
    path: '/v1/exports',
    access: 'compliance_auditor',
    status: 202,
    body: createExportBody,
    query: noQuery,
  },
  listExports: { method: 'GET', path: '/v1/exports', access: 'compliance_auditor', status: 200, query: page },
  getExport: {
    method: 'GET',
    path: '/v1/exports/:export_id',
    access: 'compliance_auditor',
    status: 200,
    query: noQuery,
  },
  downloadExport: {
    method: 'GET',
    path: '/v1/exports/:export_id/download',
    access: 'compliance_auditor',
    status: 200,
    query: noQuery,
  },
  jwks: {
    method: 'GET',
    path: '/.well-known/countersign/jwks.json',
    access: 'public',
    status: 200,
    query: noQuery,
  },
  health: { method: 'GET', path: '/v1/health', access: 'public', status: 200, query: noQuery },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;
