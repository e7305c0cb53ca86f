import { claudecode, codex, gemini, lettaHooks } from './claude-shaped.ts';
import { copilot, cursor, kimi, kirocli, kiroide, opencode } from './own-files.ts';
import type { Setups } from './setup.ts';

/** How each program is configured. */
export const SETUPS: Setups = {
  claudecode,
  codex,
  gemini,
  copilot,
  opencode,
  kimi,
  letta: lettaHooks,
  cursor,
  kirocli,
  kiroide,
};
