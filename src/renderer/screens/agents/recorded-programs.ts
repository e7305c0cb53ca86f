import type { INTEGRATION_TYPES } from '../../../contract/index.ts';

/** What the recorder can be installed for. */
export type RecordedProgram = (typeof INTEGRATION_TYPES)[number];

/** Programs with hooks of their own, in the order in which they are shown; behind them, what feeds the recorder otherwise. */
export const RECORDED_PROGRAMS: readonly RecordedProgram[] = [
  'claudecode',
  'codex',
  'gemini',
  'copilot',
  'opencode',
  'cursor',
  'kimi',
  'letta',
  'kirocli',
  'kiroide',
  'enterprise',
  'gui',
  'other',
];

/** Fed by the MCP proxy, by OpenTelemetry or by a script: nothing of theirs is configured. */
export const WITHOUT_HOOKS: ReadonlySet<RecordedProgram> = new Set(['enterprise', 'gui', 'other']);

/** How what such a program does comes in. */
export const FED_BY: Partial<Readonly<Record<RecordedProgram, string>>> = {
  enterprise: 'Frameworks and platforms that export OpenTelemetry traces, or use MCP servers over HTTP',
  gui: 'Desktop applications whose MCP servers are started through the recorder',
  other: 'Any script that sends what it does to the recorder',
};
