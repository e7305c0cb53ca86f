import { agentKeyBody, keyAnswer } from './agents.ts';
import * as decisions from './decisions.ts';
import * as operations from './operations.ts';
import { get, post, remove } from './route.ts';
import { submitBody } from './submit-bodies.ts';

const tag = { tag: 'Decisions' } as const;

/** Decisions of people on what agents ask: rows of the one table (routes.ts). */
export const DECISION_ROUTES = {
  waitingDecisions: {
    ...get,
    ...tag,
    path: '/v1/decisions/waiting',
    access: 'readonly_investigator',
    query: decisions.waitingQuery,
    answer: decisions.waitingAnswer,
    summary: 'Questions of agents that wait for a decision',
  },
  agentDecision: {
    ...get,
    ...tag,
    path: '/v1/agents/:agent_id/decisions/:operation_id',
    access: 'readonly_investigator',
    forSubmitTokens: true,
    answer: decisions.agentDecisionAnswer,
    summary: "A person's decision on a question of an agent, or that the question still waits",
  },
  submitDecision: {
    ...post,
    ...tag,
    path: '/v1/decisions',
    access: 'integration_engineer',
    fresh: true,
    status: 201,
    otherStatus: 200,
    body: submitBody,
    bodyForm: operations.recordForm,
    raw: true,
    answer: operations.ear,
    summary: "Submit a record of the caller's own agent; 200 where it was accepted before",
  },
  decisionAgent: {
    ...get,
    ...tag,
    path: '/v1/account/decider',
    access: 'readonly_investigator',
    answer: decisions.decisionAgentAnswer,
    summary: "The caller's own agent and its keys",
  },
  addDecisionKey: {
    ...post,
    ...tag,
    path: '/v1/account/decider/keys',
    access: 'integration_engineer',
    fresh: true,
    status: 201,
    body: agentKeyBody,
    answer: keyAnswer,
    summary: "Add a key to the caller's own agent, which is registered with the first one",
  },
  revokeDecisionKey: {
    ...remove,
    ...tag,
    path: '/v1/account/decider/keys/:kid',
    access: 'readonly_investigator',
    fresh: true,
    answer: keyAnswer,
    summary: "Revoke a key of the caller's own agent for good",
  },
} as const;
