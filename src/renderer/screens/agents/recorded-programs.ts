import type { INTEGRATION_TYPES } from '../../../contract/index.ts';
import { RECORDED_PROGRAMS_TEXTS } from './texts.ts';

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
  enterprise: RECORDED_PROGRAMS_TEXTS.otlp,
  gui: RECORDED_PROGRAMS_TEXTS.desktop,
  other: RECORDED_PROGRAMS_TEXTS.script,
};
