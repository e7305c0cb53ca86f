import * as agents from './agents.ts';
import { listOf, page, success } from './fields.ts';
import { overLive } from './ledger-routes.ts';
import * as operations from './operations.ts';
import { rowsOf } from './route.ts';

const engineer = rowsOf({ tag: 'Agents', access: 'integration_engineer' });
const admin = rowsOf({ tag: 'Agents', access: 'security_admin' });
const reader = rowsOf({ tag: 'Agents', access: 'readonly_investigator' });

/** Agents, their keys and who looks after them: rows of the one table (routes.ts). */
export const AGENT_ROUTES = {
  registerAgent: {
    ...engineer.post,
    path: '/v1/agents/register',
    status: 201,
    body: agents.registerAgentBody,
    answer: agents.agentAnswer,
    summary: 'Register an agent with its keys',
  },
  enrolAgent: {
    ...engineer.post,
    path: '/v1/agents/enrol',
    forEnrolTokens: true,
    status: 201,
    body: agents.enrolAgentBody,
    answer: agents.enrolmentAnswer,
    summary: 'Register an agent with its keys, and issue a token that can only submit for that agent',
  },
  ...overLive('listAgents', 'getAgent'),
  updateAgent: {
    ...engineer.patch,
    path: '/v1/agents/:agent_id',
    body: agents.updateAgentBody,
    answer: agents.oneAgentAnswer,
    summary: "Change an agent's integration type",
  },
  deleteAgent: {
    ...admin.remove,
    path: '/v1/agents/:agent_id',
    answer: agents.deletedAnswer,
    summary: 'Delete an agent; its operations and keys stay as evidence',
  },
  freezeAgent: {
    ...admin.post,
    path: '/v1/agents/:agent_id/freeze',
    status: 200,
    body: agents.reasonBody,
    answer: agents.oneAgentAnswer,
    summary: 'Refuse new operations of an agent',
  },
  unfreezeAgent: {
    ...admin.post,
    path: '/v1/agents/:agent_id/unfreeze',
    status: 200,
    body: agents.reasonBody,
    answer: agents.oneAgentAnswer,
    summary: 'Let a frozen agent submit again',
  },
  revokeKey: {
    ...admin.post,
    path: '/v1/agents/:agent_id/revoke',
    status: 200,
    body: agents.revokeKeyBody,
    answer: agents.keyAnswer,
    summary: 'Revoke a key for good',
  },
  addKey: {
    ...engineer.post,
    path: '/v1/agents/:agent_id/keys',
    status: 201,
    body: agents.agentKeyBody,
    answer: agents.keyAnswer,
    summary: 'Add a key to an agent',
  },
  ...overLive('agentHead'),
  agentOperations: {
    ...reader.get,
    path: '/v1/agents/:agent_id/operations',
    query: page,
    answer: listOf(operations.auditRow),
    summary: "An agent's chain, newest first",
  },
  ...overLive('agentChain'),
  listAssignments: {
    ...admin.get,
    path: '/v1/agents/:agent_id/assignments',
    answer: agents.assignmentsAnswer,
    summary: 'Who looks after an agent',
  },
  assign: {
    ...admin.post,
    path: '/v1/agents/:agent_id/assignments',
    status: 201,
    body: agents.assignBody,
    answer: agents.assignmentAnswer,
    summary: 'Assign a member to an agent',
  },
  unassign: {
    ...admin.remove,
    path: '/v1/agents/:agent_id/assignments/:user_id',
    answer: success,
    summary: 'Take an assignment back',
  },
} as const;
