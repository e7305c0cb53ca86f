import type { RouteName } from './routes.ts';

/**
 * The screens of the workspace: the one table that the page's router, navigation, palette and keys, the desktop's menu
 * and `countersign://` links are made from.
 */
export interface ScreenEntry {
  /** Its address after the `#`; parts that begin with `$` stand for a value. */
  readonly path: string;
  /** Its name in the navigation and the desktop's menu; screens without one are reached from others. */
  readonly label?: string;
  /** The letter after `g`. */
  readonly key?: string;
  /** Who may see it: a workstation session is enough, or nobody has to be signed in; else an account is needed. */
  readonly access?: 'workstation' | 'everybody';
  /** Whether there is one of every ledger: below a case it shows the records of that case. */
  readonly isOfLedger?: true;
  /** The call without which it has nothing to show: who may not make it finds the screen locked. */
  readonly needs?: RouteName;
  /** The heading that it stands under in the navigation; none for the ledger itself. */
  readonly group?: 'Administration';
}

export const SCREENS = {
  dashboard: { path: '/dashboard', label: 'Dashboard', key: 'd' },
  agents: { path: '/agents', label: 'Agents', key: 'a', isOfLedger: true },
  search: { path: '/search', label: 'Search', key: 's', needs: 'auditQuery', isOfLedger: true },
  sessions: { path: '/sessions', label: 'Sessions', key: 'n', needs: 'sessions', isOfLedger: true },
  entities: { path: '/entities', label: 'Entities', key: 'y', needs: 'entities', isOfLedger: true },
  epochs: { path: '/epochs', label: 'Epochs', key: 'e', isOfLedger: true },
  exports: { path: '/exports', label: 'Exports', key: 'x', needs: 'listExports' },
  cases: { path: '/cases', label: 'Cases', key: 'c', access: 'workstation' },
  importCase: { path: '/cases/new', label: 'Import as a case', key: 'i', needs: 'createCase', access: 'workstation' },
  verify: { path: '/verify', label: 'Check without storing', key: 'v', access: 'everybody' },
  forks: { path: '/forks', label: 'Compare for forks', key: 'f', access: 'everybody' },
  people: { path: '/people', label: 'People', key: 'p', group: 'Administration' },
  retention: {
    path: '/retention',
    label: 'Retention',
    key: 'h',
    needs: 'retentionRules',
    group: 'Administration',
  },
  witnesses: { path: '/witnesses', label: 'Witnesses', key: 'b', needs: 'listWitnesses', group: 'Administration' },
  webhooks: { path: '/webhooks', label: 'Webhooks', key: 'w', needs: 'listWebhooks', group: 'Administration' },
  tokens: { path: '/tokens', label: 'Tokens', key: 't', group: 'Administration' },
  adminEvents: {
    path: '/admin-events',
    label: 'Admin log',
    key: 'l',
    needs: 'listAdminEvents',
    group: 'Administration',
  },
  refused: { path: '/refused', label: 'Refused', key: 'r', needs: 'listRefusals', group: 'Administration' },
  settings: { path: '/settings', label: 'Settings', key: 'o', group: 'Administration' },
  agent: { path: '/agents/$agentId', isOfLedger: true },
  chain: { path: '/agents/$agentId/chain', isOfLedger: true },
  connect: { path: '/agents/$agentId/connect' },
  // Not below /agents: an agent may be called anything.
  registerAgent: { path: '/register-agent' },
  recordProgram: { path: '/record-program' },
  operation: { path: '/operations/$operationId', isOfLedger: true },
  epoch: { path: '/epochs/$epochId', isOfLedger: true },
  whatLeft: { path: '/what-left', needs: 'whatLeft', isOfLedger: true },
  needsLook: { path: '/needs-look', needs: 'needsLook', isOfLedger: true },
  difference: { path: '/difference', needs: 'getOperation', isOfLedger: true },
  readingRules: { path: '/reading-rules', needs: 'investigationRules', isOfLedger: true },
  export: { path: '/exports/$exportId' },
  case: { path: '/cases/$caseId', access: 'workstation' },
  compare: { path: '/cases/$caseId/compare', access: 'workstation' },
  person: { path: '/people/$userId' },
  account: { path: '/account' },
  sample: { path: '/sample', access: 'everybody' },
  setUp: { path: '/set-up', access: 'everybody' },
  join: { path: '/join', access: 'everybody' },
  enter: { path: '/enter', access: 'everybody' },
} as const satisfies Readonly<Record<string, ScreenEntry>>;

export type ScreenName = keyof typeof SCREENS;

const ENTRIES: readonly ScreenEntry[] = Object.values(SCREENS);

/** A screen that has a place in the navigation. */
export interface NavScreen extends ScreenEntry {
  readonly label: string;
  readonly key: string;
}

/** The screens of the navigation and of the desktop's menu, in their order. */
export const NAV_SCREENS: readonly NavScreen[] = ENTRIES.flatMap((screen) =>
  screen.label === undefined || screen.key === undefined ? [] : [{ ...screen, label: screen.label, key: screen.key }],
);

const CASE_PATH = SCREENS.case.path;
/** A value in an address, as a link from outside may give it: nothing that a browser or router would take apart. */
const VALUE = '[\\w.~%@:+-]+';

const PATTERNS = ENTRIES.flatMap(({ path, isOfLedger }) => (isOfLedger ? [path, `${CASE_PATH}${path}`] : [path])).map(
  (path) => new RegExp(`^${path.replace(/\$\w+/g, VALUE)}$`),
);

/** Whether an address is that of a screen. */
export function isScreenPath(path: string): boolean {
  return PATTERNS.some((pattern) => pattern.test(path));
}
