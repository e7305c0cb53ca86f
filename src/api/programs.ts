/**
 * The programs that a recorder can be installed for, in the order in which people are shown them. The id of a program is the type of
 * integration that its agents are registered with, unless it names another: the types are a closed list of the interface. This file imports nothing: recorder and page read it alike. How each is configured and read is in
 * `src/recorder/programs/`.
 */
export const PROGRAMS = {
  claudecode: {
    name: 'Claude Code',
    service: /^claude-code\b/,
    clients: ['claude-code', '@agentclientprotocol/claude', '@zed-industries/claude'],
  },
  codex: { name: 'Codex CLI', service: /^codex(?![a-z0-9])/, clients: ['codex', '@agentclientprotocol/codex'] },
  gemini: { name: 'Gemini CLI', service: /^gemini-cli\b/, clients: ['gemini-cli'] },
  copilot: {
    name: 'GitHub Copilot CLI',
    service: /^(github-)?copilot\b/,
    clients: ['github-copilot', 'copilot-cli'],
  },
  opencode: { name: 'opencode', service: /^opencode\b/, clients: ['opencode'] },
  kimi: { name: 'Kimi Code', service: /^kimi(-code|-cli)?\b/, clients: ['kimi'] },
  letta: { name: 'Letta Code', service: /^letta(-code)?$/, clients: ['letta'] },
  cursor: { name: 'Cursor', service: /^cursor(-agent)?$/, clients: ['cursor'], isExperimental: true },
  kirocli: { name: 'Kiro CLI', service: null, clients: ['kiro-cli'], isExperimental: true },
  kiroide: { name: 'Kiro IDE', service: null, clients: ['kiro'], isExperimental: true },
  qwen: { name: 'Qwen Code', service: /^qwen-code\b/, clients: ['qwen'], integration: 'other' },
  pi: { name: 'pi', service: null, clients: ['pi-coding-agent'], integration: 'other' },
  openhands: { name: 'OpenHands', service: null, clients: ['openhands'], integration: 'other', isExperimental: true },
  goose: { name: 'Goose', service: /^goose\b/, clients: ['goose'], integration: 'other', isExperimental: true },
  cline: { name: 'Cline', service: /^cline\b/, clients: ['cline'], integration: 'other' },
  windsurf: { name: 'Windsurf', service: null, clients: ['windsurf'], integration: 'other', isExperimental: true },
  openclaw: {
    name: 'OpenClaw',
    service: /^openclaw\b/,
    clients: ['openclaw'],
    integration: 'other',
    isExperimental: true,
  },
} as const satisfies Readonly<Record<string, RecordedProgram>>;

export interface RecordedProgram {
  /** What people call it. */
  readonly name: string;
  /** The `service.name` of its telemetry, in lowercase; null where it exports none. */
  readonly service: RegExp | null;
  /** What the name begins with, in lowercase, by which it calls itself to MCP servers, or as an agent to clients of ACP. */
  readonly clients: readonly string[];
  /** The type of integration of its agents, where there is none for the program alone. */
  readonly integration?: (typeof OTHER_FEEDS)[number];
  /** Known from its documentation alone: no run of it was recorded here, so its hooks may behave otherwise. */
  readonly isExperimental?: true;
}

/** A program that has hooks. */
export type ProgramId = keyof typeof PROGRAMS;
export const PROGRAM_IDS = Object.keys(PROGRAMS) as readonly ProgramId[];

/** What feeds the recorder without hooks: over the MCP proxy, the OTLP receiver, or a library. */
export const OTHER_FEEDS = ['enterprise', 'gui', 'other'] as const;

/** Everything that a recorder can be installed for, programs with hooks first. */
export const RECORDED_PROGRAMS = [...PROGRAM_IDS, ...OTHER_FEEDS] as const;

/** What an agent may be integrated through (docs/interface.md, Agents). */
export const INTEGRATION_TYPES = [
  'claudecode',
  'codex',
  'gemini',
  'copilot',
  'opencode',
  'kimi',
  'letta',
  'cursor',
  'kirocli',
  'kiroide',
  ...OTHER_FEEDS,
] as const;

/** The type of integration that agents of a program are registered with. */
export function integrationOf(recorded: (typeof RECORDED_PROGRAMS)[number]): (typeof INTEGRATION_TYPES)[number] {
  const own = INTEGRATION_TYPES.find((type) => type === recorded);
  const rows: Readonly<Record<string, RecordedProgram>> = PROGRAMS;
  return own ?? rows[recorded]?.integration ?? 'other';
}

/** Whether a type of integration is that of a program which is known from its documentation alone. */
export function isExperimental(type: string): boolean {
  const rows: Readonly<Record<string, RecordedProgram>> = PROGRAMS;
  return Object.hasOwn(rows, type) && rows[type]?.isExperimental === true;
}
