/** The programs that a recorder can be installed for, by the type of integration their agents are registered with. */
export const PROGRAMS = {
  claudecode: 'Claude Code',
  codex: 'Codex CLI',
  gemini: 'Gemini CLI',
  copilot: 'GitHub Copilot CLI',
  opencode: 'opencode',
  kimi: 'Kimi Code',
  letta: 'Letta Code',
  cursor: 'Cursor',
  kirocli: 'Kiro CLI',
  kiroide: 'Kiro IDE',
} as const;

/** A program that has hooks. */
export type ProgramId = keyof typeof PROGRAMS;

/** What feeds the recorder without hooks: over the MCP proxy, the OTLP receiver, or a library. */
export const OTHER_FEEDS = ['enterprise', 'gui', 'other'] as const;

/** Whose actions are recorded: the `integration_type` of the agent (docs/interface.md, Agents). */
export type FeedId = ProgramId | (typeof OTHER_FEEDS)[number];

export function isProgramId(value: string): value is ProgramId {
  return Object.hasOwn(PROGRAMS, value);
}

export function isFeedId(value: string): value is FeedId {
  return isProgramId(value) || OTHER_FEEDS.some((feed) => feed === value);
}
