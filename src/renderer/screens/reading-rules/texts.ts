import { plural } from '../../lib/plural.ts';

export const ACCESS_NAMES = {
  read: 'read',
  write: 'changed',
  delete: 'deleted',
  send: 'sent to',
  mentioned: 'mentioned',
} as const;

export const RULE_ROWS = {
  kindExample: 'reservation',
  any: 'any',
  operationType: 'Operation type',
  tool: 'Tool',
  outcomeRules: 'When a call counts as failed or refused',
  addOutcomeRule: 'Add outcome rule',
  outcome: 'Outcome',
  where: 'Where',
  one: 'Is one of',
  valuesHint: 'any value; a | b',
  entityRules: 'Members that name entities',
  addEntityRule: 'Add entity rule',
  kind: 'Kind',
  member: 'Member',
  valueLike: 'Value like',
  access: 'Access',
  byTool: 'by the tool',
  approvalRules: 'Calls that need an earlier approval',
  addApprovalRule: 'Add approval rule',
  approvedType: 'Approved by type',
  approvedTool: 'Approved by tool',
  decision: 'a decision of the profile',
} as const;

export const RULE_TABLE = {
  counted: (count: number) => plural(count, 'rule'),
  ruleOf: (head: string, at: number) => `${head}, rule ${at}`,
  moveRuleUp: (at: number) => `Move up rule ${at}`,
  moveUp: 'Move up',
  removeRule: (at: number) => `Remove rule ${at}`,
  remove: 'Remove',
} as const;

export const RULES_DRAFT = {
  entryStep: (step: number) => `entry ${step}`,
  whole: 'the whole',
} as const;

export const RULES_FORM = {
  session: 'Where the session is named',
  tool: 'Where the tool is named',
  person: 'Where the person is named',
  members: 'Members counted next to a search',
  placesHint:
    'One place per line, as a JSON Pointer such as {pointer}. For sessions, {subject} means the subject of the record. The first place with a value counts.',
} as const;

export const RULES_SCREEN = {
  readingRules: 'Reading rules',
  what: 'the rules',
  saved: 'Rules saved. The service reads all payloads again.',
  explained:
    'Agents write payloads in many forms. These rules say where a payload names its session, tool and entities, and when a call counts as failed or refused. Signed records never change: new rules only change how the service reads them. Payloads from Countersign’s recorders name all of this themselves.',
  rules: 'Rules',
  form: 'Format of the rules',
  fields: 'Fields',
  json: 'JSON',
  rulesJson: 'Rules as JSON',
  jsonHint: 'Only version is required. A member that you leave out keeps its default.',
  saveRules: 'Save rules',
  discardChanges: 'Discard changes',
  restoreDefaults: 'Restore default rules',
  defaultRules: 'Default rules',
  cannotSave: 'These rules cannot be saved:',
  notJson: 'Not JSON',
} as const;
