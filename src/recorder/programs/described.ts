import type { ProgramId } from '../base/programs.ts';
import { claudecode } from './claudecode.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import type { ProgramDescription } from './description.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { kimi } from './kimi.ts';
import { kirocli, kiroide } from './kiro.ts';
import { letta } from './letta.ts';
import { openhands } from './openhands.ts';
import { openclaw, opencode, pi } from './plugins.ts';
import { qwen } from './qwen.ts';
import { windsurf } from './windsurf.ts';

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
  qwen,
  pi,
  openhands,
  goose,
  cline,
  windsurf,
  openclaw,
};
