/**
 * The programs that a recorder can be installed for, by the type of integration their agents are registered with. This file
 * imports nothing: recorder and page read it alike.
 */
export const PROGRAMS = {
  claudecode: { name: 'Claude Code', isExperimental: false },
  codex: { name: 'Codex CLI', isExperimental: false },
  gemini: { name: 'Gemini CLI', isExperimental: false },
  copilot: { name: 'GitHub Copilot CLI', isExperimental: false },
  opencode: { name: 'opencode', isExperimental: false },
  kimi: { name: 'Kimi Code', isExperimental: false },
  letta: { name: 'Letta Code', isExperimental: false },
  cursor: { name: 'Cursor', isExperimental: true },
  kirocli: { name: 'Kiro CLI', isExperimental: true },
  kiroide: { name: 'Kiro IDE', isExperimental: true },
} as const satisfies Readonly<Record<string, RecordedProgram>>;

export interface RecordedProgram {
  /** What people call it. */
  readonly name: string;
  /** Known from its documentation alone: no run of it was recorded here, so its hooks may behave otherwise. */
  readonly isExperimental: boolean;
}

/** Whether a type of integration is that of a program which is known from its documentation alone. */
export function isExperimental(type: string): boolean {
  return Object.hasOwn(PROGRAMS, type) && PROGRAMS[type as keyof typeof PROGRAMS].isExperimental;
}
