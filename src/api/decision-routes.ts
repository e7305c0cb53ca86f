import { agentKeyBody, keyAnswer } from './agents.ts';
import * as decisions from './decisions.ts';
import * as operations from './operations.ts';
import { rowsOf } from './route.ts';
import { submitBody } from './submit-bodies.ts';

const reader = rowsOf({ tag: 'Decisions', access: 'readonly_investigator' });
const engineer = rowsOf({ tag: 'Decisions', access: 'integration_engineer' });

/** Decisions of people on what agents ask: rows of the one table (routes.ts). */
export const DECISION_ROUTES = {
  waitingDecisions: {
    ...reader.get,
    path: '/v1/decisions/waiting',
    query: decisions.waitingQuery,
    answer: decisions.waitingAnswer,
    summary: 'Questions of agents that wait for a decision',
  },
  agentDecision: {
    ...reader.get,
    path: '/v1/agents/:agent_id/decisions/:operation_id',
    forSubmitTokens: true,
    answer: decisions.agentDecisionAnswer,
    summary: "A person's decision on a question of an agent, or that the question still waits",
  },
  submitDecision: {
    ...engineer.post,
    path: '/v1/decisions',
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
    ...reader.get,
    path: '/v1/account/decider',
    answer: decisions.decisionAgentAnswer,
    summary: "The caller's own agent and its keys",
  },
  addDecisionKey: {
    ...engineer.post,
    path: '/v1/account/decider/keys',
    fresh: true,
    status: 201,
    body: agentKeyBody,
    answer: keyAnswer,
    summary: "Add a key to the caller's own agent, which is registered with the first one",
  },
  revokeDecisionKey: {
    ...reader.remove,
    path: '/v1/account/decider/keys/:kid',
    fresh: true,
    answer: keyAnswer,
    summary: "Revoke a key of the caller's own agent for good",
  },
} as const;
