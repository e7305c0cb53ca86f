import { lazyRouteComponent } from '@tanstack/react-router';

/** The screens that there are of every ledger: the live one, and that of a case. */
export const LEDGER_SCREENS = {
  agents: lazyRouteComponent(() => import('../screens/agents/agents-screen.tsx'), 'AgentsScreen'),
  agent: lazyRouteComponent(() => import('../screens/agents/agent-screen.tsx'), 'AgentScreen'),
  chain: lazyRouteComponent(() => import('../screens/chain/chain-screen.tsx'), 'ChainScreen'),
  search: lazyRouteComponent(() => import('../screens/audit/audit-screen.tsx'), 'AuditScreen'),
  operation: lazyRouteComponent(() => import('../screens/operation/operation-screen.tsx'), 'OperationScreen'),
  sessions: lazyRouteComponent(() => import('../screens/sessions/sessions-screen.tsx'), 'SessionsScreen'),
  entities: lazyRouteComponent(() => import('../screens/entities/entities-screen.tsx'), 'EntitiesScreen'),
  whatLeft: lazyRouteComponent(() => import('../screens/what-left/what-left-screen.tsx'), 'WhatLeftScreen'),
  needsLook: lazyRouteComponent(() => import('../screens/needs-look/needs-look-screen.tsx'), 'NeedsLookScreen'),
  difference: lazyRouteComponent(() => import('../screens/difference/difference-screen.tsx'), 'DifferenceScreen'),
  readingRules: lazyRouteComponent(() => import('../screens/reading-rules/rules-screen.tsx'), 'RulesScreen'),
  epochs: lazyRouteComponent(() => import('../screens/epochs/epochs-screen.tsx'), 'EpochsScreen'),
  epoch: lazyRouteComponent(() => import('../screens/epochs/epoch-screen.tsx'), 'EpochScreen'),
} as const;
