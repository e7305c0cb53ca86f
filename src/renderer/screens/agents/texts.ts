import { plural } from '../../lib/plural.ts';

export const ADD_KEY = {
  added: (kid: string) => `Key ${kid} added.`,
  title: (agentId: string) => `Add a key to ${agentId}`,
  otherKeys: 'The agent’s other keys stay. To replace a key, add the new key, test it, then revoke the old key.',
  addKey: 'Add key',
} as const;

export const AGENT_EVENTS = {
  adminLog: 'Admin log',
  log: 'the log',
  noneAbout: 'None of the newest 100 events is about this agent.',
  when: 'When (UTC)',
  what: 'What',
  details: 'Details',
} as const;

export const AGENT_ID = {
  tooLong: 'Use 128 characters at most.',
  notAllowed: 'Use letters, digits and . _ : @ - only, no spaces.',
  notAllowedAnyLength: 'Use letters, digits and . _ : @ - only.',
  badStart: 'Begin with a letter or a digit.',
  taken: 'An agent with this ID is registered. Choose another ID.',
} as const;

export const AGENT_KEYS = {
  titleOf: (keys: string) => `Keys (${keys})`,
  limit: (limit: number) => `An agent has at most ${limit} keys, including revoked keys.`,
  addKey: 'Add key…',
  kid: 'Key',
  state: 'State',
  publicKey: 'Public key',
  addedUtc: 'Added (UTC)',
  revokedUtc: 'Revoked (UTC)',
  publicKeyCopied: 'public key',
  revokeNamed: (kid: string) => `Revoke ${kid}`,
  revoke: 'Revoke…',
  revokeTitle: (agentId: string) => `Revoke key of ${agentId}`,
  revokeKeyPermanently: 'Revoke key permanently',
  typeName: 'Type the name of the key to confirm',
  revoked: (kid: string) => `${kid} is revoked.`,
  youRevoke: 'You revoke the key {kid}.',
  effect: 'New records signed with this key are rejected. You can never reactivate a revoked key.',
  earlierStay:
    'Earlier records stay in the ledger and verify. If the key was stolen, check what the key signed since then.',
  lastKey: 'This is the last active key. The agent can submit nothing until you add another key.',
} as const;

export const AGENT_SCREEN = {
  agentAgentid: (agentId: string) => `Agent ${agentId}`,
  agents: 'Agents',
  showChain: 'Show chain',
  searchOperations: 'Search operations',
  connectAgent: 'Connect agent',
  what: 'the agent',
  agent: 'Agent',
  state: 'State',
  name: 'Name',
  responsible: 'Responsible',
  integration: 'Integration',
  registered: 'Registered',
  changed: 'Changed',
  headOfChain: 'Head of chain',
  head: 'the head',
  noOperation: 'No operation yet. {link}: its {member} is null.',
  sendFirst: 'Send the first operation',
  unreadable: 'No readable operation.',
  sequenceNumber: 'Sequence number',
  chainHash: 'Chain hash',
  operationsOverTime: 'Operations over time',
  counts: 'the counts',
} as const;

export const AGENT_TOKEN = {
  day: 'One day',
  days30: '30 days',
  year: 'One year',
  untilRevoked: 'Until revoked',
  programAgentid: (agentId: string) => `Program of ${agentId}`,
  token: 'Token',
  shownOnce: 'This token is shown only once',
  tokenCopied: 'token',
  tokenExplained:
    'This token can only submit operations of {agentId}. The token reads no records and changes nothing else. The program below contains this token. {expiry}',
  noExpiry: 'The token does not expire. You can revoke it under Tokens.',
  expiry: 'The token expires {expiresAt}.',
  whyToken:
    'The agent signs with its private key. To reach the service, the agent’s program also needs a token. This token can only submit operations of {agentId}; a stolen token cannot read anything.',
  lifetime: 'Lifetime',
  createToken: 'Create token',
} as const;

export const AGENTS_SCREEN = {
  recordProgram: 'Record a program',
  registerAgent: 'Register agent',
  agents: 'Agents',
  what: 'the agents',
  noAgentYet: 'No agent yet',
  noAgent: 'No agent',
  howToBegin:
    'The recorder signs the tool calls of programs such as Claude Code, Codex or Gemini CLI, each program with a separate key. A program of yours can sign by itself: register it with a key that you generate in this window, or with the public half of an existing key.',
  noneInFile: 'The imported file contains no readable agent.',
  filterNameOrId: 'Filter by name or ID',
  state: 'State',
  anyState: 'Any state',
  active: 'Active',
  frozen: 'Frozen',
} as const;

export const AGENTS_TABLE = {
  agent: 'Agent',
  name: 'Name',
  state: 'State',
  responsible: 'Responsible',
  integration: 'Integration',
  agents: 'Agents',
  counted: (count: number) => plural(count, 'agent'),
  countOf: (agents: string, total: string) => `${agents} of ${total}`,
  registered: 'Registered (UTC)',
} as const;

export const ASSIGNMENTS = {
  contacts: 'Contacts',
  assignments: 'the assignments',
  none: 'No contacts. A contact is for information only and grants no permissions.',
  member: 'Member',
  sinceUtc: 'Since (UTC)',
  assignedBy: 'Added by',
  removeNamed: (userId: string) => `Remove ${userId}`,
  remove: 'Remove…',
  removeTitle: (agentId: string) => `Remove contact of ${agentId}`,
  removeContact: 'Remove contact',
  removed: (person: string, agentId: string) => `${person} is no longer a contact for ${agentId}.`,
  consequence:
    '{person} is no longer a contact for this agent. Role and account stay unchanged. The admin log still shows the assignment.',
  added: 'Contact added.',
  add: 'Add contact',
  nobodyLeft: 'Every member is a contact',
  chooseMember: 'Choose a member',
} as const;

export const CHANGE_INTEGRATION = {
  changed: (agentId: string, integration: string) => `Integration of ${agentId} changed to ${integration}.`,
  changeTitle: 'Change integration',
  change: 'Change…',
  dialogTitle: (agentId: string) => `Integration of ${agentId}`,
  notBack: ' You cannot change it back to own program (SDK): only registration can set that.',
  noteOnly: 'A note for people. Keys and operations stay unchanged.',
  integration: 'Integration',
  changeIntegration: 'Change integration',
} as const;

export const CONNECT_SCREEN = {
  title: (agentId: string) => `Connect ${agentId}`,
  crumbs: '{agents} {slash} {agentId} {slash2} Connect',
  agents: 'Agents',
  agent: 'the agent',
  frozen: 'The agent is frozen. The service refuses its operations until somebody unfreezes the agent.',
  tokenStep: '1 · Token',
  programStep: '2 · Program',
  key: 'Key',
  noKey: 'Every key of this agent is revoked. Add a key on the agent’s page.',
  keysService: 'the keys of the service',
  firstOperationStep: '3 · First operation',
} as const;

export const DELETE_AGENT = {
  deleteAgent: 'Delete agent…',
  title: (agentId: string) => `Delete ${agentId}`,
  deleteAgentPermanently: 'Delete agent permanently',
  typeId: 'Type the ID of the agent to confirm',
  deleted: (agentId: string) => `Agent ${agentId} deleted.`,
  effect: 'The agent disappears from all lists and can no longer submit. You cannot undo this.',
  recordsStay: 'Records and keys of the agent stay: operations remain in searches and exports, and verify as before.',
  idStays: 'The ID stays reserved: no other agent can ever use it.',
  freezeInstead: 'To stop the agent for a while, freeze the agent instead.',
} as const;

export const FIRST_OPERATION = {
  waiting: 'Waiting for the first operation of {agentId}…',
  appearsHere: 'The operation appears here when it arrives. If the program ends with an error, the terminal says why.',
  firstOperation: 'the first operation',
  operation: 'Operation',
  sequenceNumber: 'Sequence number',
  received: 'Received',
  chainHash: 'Chain hash',
  showProof: 'Show proof',
  showChain: 'Show chain',
} as const;

export const FREEZE_AGENT = {
  unfreezeAgent: 'Unfreeze agent',
  freezeAgent: 'Freeze agent',
  isNow: (agentId: string, part: string) => `${agentId} is ${part}.`,
  activeAgain: 'active again',
  frozen: 'frozen',
  accepted: 'The service accepts operations of this agent again.',
  refused:
    'The service refuses new operations of this agent until you unfreeze it. Keys and earlier records stay, and verify as before.',
} as const;

export const INSTALL_LINE = {
  experimental: (label: string) =>
    `The recorder for ${label} is experimental: it was written from the documentation of ${label} and has not been tried with it. Look at what arrives.`,
  explained: (label: string) =>
    `The command registers an agent for ${label} on this service and creates its key on the machine where you run it.`,
  otherEnd: 'Then the command prints the address that you enter in the program.',
  programEnd:
    'Before it writes, the command shows the change to the configuration of {label}. {command} reverts exactly that change.',
  title: (label: string) => `Installing the recorder for ${label}`,
  createCommand: 'Create command',
  whereToPaste: 'Paste the command into a terminal in the project folder of Countersign.',
  command: 'Command',
  copy: 'Copy command',
  another: 'Create another command',
  tokenExplained:
    'The token in the command can register one agent, once, until {expiresAt}. The recorder keeps a separate token that can only submit for this agent.',
  youRevoke: 'you revoke it',
} as const;

export const INTEGRATION_NAMES = {
  ownProgramSdk: 'Own program (SDK)',
  enterprisePlatform: 'Enterprise platform',
  graphicalInterface: 'Graphical interface',
  other: 'Other',
  decisionsPerson: 'Decisions of a person',
  ownDecisions: 'Only the person whose decisions this agent signs can add keys, on the Account screen.',
  integrationHint: 'What the agent runs in. Shown to people; changes no rights and no checks.',
} as const;

export const KEY_DRAFT = {
  privateKey: 'This is a private key. Leave it where the agent runs, clear this field and paste the public key.',
  weakKey: 'This key is weak: it is not of prime order, so anybody could sign for it. Generate another key.',
  notAKey: 'Not an Ed25519 public key in any of the forms below.',
  noName: 'Enter a name for the key.',
  noPublicKey: 'Paste a public key.',
  noKey: 'Generate a key first.',
  notSaved: 'Save the private key first. Without it nobody can sign for the agent.',
} as const;

export const KEY_FIELDS = {
  name: 'Key name',
  nameHint: 'Appears in every record. Cannot be reused for this agent.',
  origin: 'Where the key comes from',
  inBrowser: 'Generate in this browser',
  paste: 'Paste a public key',
  publicKey: 'Public key',
  formats: 'Ed25519, as printed by countersign keygen: base64url, base64, hexadecimal, SPKI in base64 or PEM.',
  generateKey: 'Generate key',
  generated: 'Generated in your browser. The private key is never sent.',
  publicKeyCopied: 'public key',
  privateKey: 'Private key',
  shownOnce: 'Private key, shown only once',
  handling:
    'This page shows the private key only once. Save it where the agent runs, readable only by the agent’s user. Whoever has the key can sign as the agent.',
  privateKeyPem: 'Private key as PEM',
  saveFile: 'Save {fileName}',
  privateKeyCopied: 'private key',
  downloadStarted: 'Download started: {fileName}',
} as const;

export const PROGRAM_CHOICE = {
  question: 'Which program do you want to record?',
  experimental: 'Experimental',
} as const;

export const RECORD_SCREEN = {
  recordProgram: 'Record a program',
  crumbs: '{agents} {slash} Record a program',
  agents: 'Agents',
  programStep: '1 · Program',
  ownProgram: 'A program of your own signs by itself: {link} and paste a few lines into the program.',
  registerLink: 'register the agent',
  commandStep: '2 · Command',
  firstCallStep: '3 · First call',
  waiting: 'Waiting for {program} to be registered…',
  waitingHint: 'The command registers an agent with a key that is created on the machine where it runs. {next}',
  firstRecorded: 'The first recorded call appears here.',
  thenUse: (program: string) => `Then use ${program} as usual: the first tool call appears here.`,
} as const;

export const RECORDED_PROGRAMS_TEXTS = {
  otlp: 'Frameworks and platforms that export OpenTelemetry traces, or use MCP servers over HTTP',
  desktop: 'Desktop applications whose MCP servers are started through the recorder',
  script: 'Any script that sends its actions to the recorder',
} as const;

export const REGISTER_SCREEN = {
  registered: (agentId: string) => `Agent ${agentId} registered.`,
  title: 'Register agent',
  crumbs: '{agents} {slash} Register',
  agents: 'Agents',
  identity: 'Identity',
  agent: 'Agent',
  idHint: 'Permanent ID, never reused. Letters, digits and . _ : @ -',
  nameOptional: 'Name (optional)',
  responsible: 'Responsible person or team (optional)',
  integration: 'Integration',
  key: 'Key',
  idFirst: 'Enter the agent’s ID first: the key file is named after it.',
  registerAgent: 'Register agent',
  cancel: 'Cancel',
  whatItDoes: 'What registering does',
  effects: [
    'The service stores the public key only. It cannot sign for the agent.',
    'The service accepts a record of the agent only if a registered key signed it.',
    'The admin log records who registered the agent, and when.',
  ],
  whatFollows: 'Next steps',
  nextSteps: [
    'Create a token, with which the agent’s program reaches the service.',
    'Run a short program that is filled in for this agent: agent library, curl or Python.',
    'See the first operation countersigned and checked.',
  ],
  recordInstead: 'Claude Code, Codex and other known programs need no registration: {link}.',
  recordProgram: 'record a program',
  leaveTitle: 'Leave without registering?',
  leavePage: 'Leave page',
  leaveConsequence:
    'The private key from this page is discarded. A key file that you saved stays, but no agent uses it.',
} as const;

export const SNIPPET_TABS = {
  program: 'Program',
  programWith: (label: string) => `Program with ${label}`,
  needsToken: 'Create a token first.',
  copy: 'Copy program',
  save: 'Save program',
  howToRun: 'Once saved, run the program with {command} and the token in {tokenVariable}.',
} as const;
