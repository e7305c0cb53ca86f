import type { ProgramId } from '../base/programs.ts';
import { claudecode } from './claudecode.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import type { ProgramDescription } from './description.ts';
import { gemini } from './gemini.ts';
import { kimi } from './kimi.ts';
import { kirocli, kiroide } from './kiro.ts';
import { letta } from './letta.ts';
import { opencode } from './opencode.ts';

/** Every program of `src/api/programs.ts` with its description: a new one is a row there, a file here, and a line below. */
export const DESCRIPTIONS: { readonly [id in ProgramId]: ProgramDescription } = {
  claudecode,
  codex,
  gemini,
  copilot,
  opencode,
  kimi,
  letta,
  cursor,
  kirocli,
  kiroide,
};
