import { plural } from '../../lib/plural.ts';

export const HOLDS_PANEL = {
  legalHolds: 'Legal holds',
  placeHold: 'Place hold…',
  none: 'No legal holds. A hold in force protects everything it covers from erasure, by a sweep or by hand.',
  covers: 'Covers',
  reason: 'Reason',
  placedUtc: 'Placed (UTC)',
  records: 'Records',
  state: 'State',
  force: 'In force',
  releasedWhen: 'Released {releasedAt}: {reason}',
  wasReleased: 'Hold released.',
  releaseAsked: 'Release hold…',
  releaseLegalHold: 'Release legal hold',
  releaseHold: 'Release hold',
  consequence:
    'The retention rules apply to these records again. The next sweep permanently erases the records that are due, unless another hold covers them. To protect them again, place a new hold.',
} as const;

export const RETENTION_SCREEN = {
  retention: 'Retention',
  explained:
    'Rules say how long payloads are kept. A sweep erases the payloads that are due and leaves a signed certificate. Legal holds win over rules. Backups, cases and downloaded exports from before a sweep keep their copies: delete those separately.',
  rules: 'the rules',
  legalHolds: 'the legal holds',
  sweeps: 'the sweeps',
} as const;

export const RULES_DRAFT = {
  name: 'Name',
  agent: 'Agent',
  operationType: 'Operation type',
  payloadProfile: 'Payload profile',
  keepAtLeast: 'Keep at least',
  eraseAfter: 'Erase after',
  wholeDays: 'must be a whole number of days',
  invalid: 'is not valid',
  keepAtLeastQuoted: '“Keep at least”',
  whole: 'as a whole',
  ruleProblem: (at: number, field: string, problem: string) => `Rule ${at}, ${field}: ${problem}.`,
  rulesProblem: (problem: string) => `The rules ${problem}.`,
} as const;

export const RULES_PANEL = {
  name: 'Name',
  nameHint: 'Letters',
  agent: 'Agent',
  operationType: 'Operation type',
  payloadProfile: 'Payload profile',
  keepLeastDays: 'Keep at least (days)',
  eraseAfterDays: 'Erase after (days)',
  saved: 'Retention rules saved.',
  rules: 'Rules',
  explained:
    'The first rule that matches a record decides. A record without a matching rule is kept permanently, and so is a record whose rule never erases. No sweep erases a payload before the minimum number of days.',
  retentionRules: 'Retention rules',
  addRule: 'Add rule',
  saveRules: 'Save rules',
  discardChanges: 'Discard changes',
  neverChanged: 'Never changed: everything is kept permanently',
  typesHint: 'any; mail.*',
  any: 'any',
  never: 'never',
} as const;

export const SWEEP_RESULT = {
  rule: 'Rule',
  receivedBeforeUtc: 'Received before (UTC)',
  erase: 'To erase',
  erased: 'Erased',
  keptForGood: 'kept permanently',
  legalHold: 'Legal hold',
  keeps: 'Kept although due',
  preview: 'Preview',
  sweep: 'Sweep',
  examined: 'Examined',
  progress: '{what}: {percent} % of {records} examined',
  records: (count: number) => plural(count, 'record'),
  sweepFailed: '{what} failed: {reason}',
  toErase: (payloads: string, held: string) => `${payloads} to erase, ${held} held`,
  inArchive: (payloads: string, held: string) => `; in the archive ${payloads} to withhold, ${held} held`,
  archiveLeft: (runs: number) => `; ${plural(runs, 'run')} of the archive not counted yet`,
  payloads: (count: number) => plural(count, 'payload'),
  wereErased: (payloads: string, held: string) => `${payloads} erased, ${held} held`,
  completed: 'completed',
  rulesChanged: 'stopped because the rules changed',
  stoppedRequest: 'stopped on request',
  stopSweep: 'Stop sweep',
} as const;

export const SWEEPS_PANEL = {
  sweeps: 'Sweeps',
  none: 'No sweeps yet. A preview counts what a sweep would erase and what legal holds keep. A preview changes nothing.',
  startedUtc: 'Started (UTC)',
  started: 'Started by',
  result: 'Result',
  erased: 'Erased',
  held: 'Held',
  running: 'Running',
  completed: 'Completed',
  stopped: 'Stopped',
  failedContinues: 'Failed; the next sweep continues here',
  previewSweep: 'Preview sweep',
  ask: 'Start sweep…',
  title: 'Start sweep',
  confirm: 'Erase due payloads',
  typeWord: 'Type erase to confirm',
  word: 'erase',
  noPreview: 'No preview yet. ',
  previewFound: 'The preview of {begunAt} found: {found}.',
  consequence:
    'Payloads, members and salts that are due are erased permanently. Records, signatures and proofs stay, and bundles still verify. Exports on this service that contain erased content are deleted.',
  copiesStay: 'A sweep does not reach earlier copies: backups, cases and downloaded exports keep their content.',
  saveCertificate: 'Save certificate',
} as const;

export const RULE_TABLE = {
  counted: (count: number) => plural(count, 'rule'),
  ruleOf: (head: string, at: number) => `${head}, rule ${at}`,
  moveRuleUp: (at: number) => `Move up rule ${at}`,
  moveUp: 'Move up',
  removeRule: (at: number) => `Remove rule ${at}`,
  remove: 'Remove',
} as const;
