import type { Step } from '../../api/answers.ts';
import type { IconName } from '../../ui/icons.tsx';
import type { LaneKind } from './lanes.ts';
import { STEP_WORDS } from './texts.ts';

export const KIND_WORDS: Readonly<Record<Step['kind'], string>> = {
  start: STEP_WORDS.began,
  end: STEP_WORDS.ended,
  told: STEP_WORDS.told,
  asked: STEP_WORDS.asked,
  decided: STEP_WORDS.decision,
  call: STEP_WORDS.call,
  note: STEP_WORDS.note,
  gap: STEP_WORDS.gap,
  record: STEP_WORDS.record,
};

export const KIND_ICONS: Readonly<Record<Step['kind'], IconName>> = {
  start: 'right',
  end: 'seal',
  told: 'speech',
  asked: 'question',
  decided: 'person',
  call: 'terminal',
  note: 'page',
  gap: 'warning',
  record: 'page',
};

export const LANE_WORDS: Readonly<Record<LaneKind, string>> = {
  person: STEP_WORDS.person,
  agent: STEP_WORDS.agent,
  sub_agent: STEP_WORDS.subAgent,
  tool: STEP_WORDS.tool,
};

/** Where a content came from that an agent was told. */
export const TOLD_WORDS: Readonly<Record<string, string>> = {
  system: STEP_WORDS.system,
  user: STEP_WORDS.user,
  memory: STEP_WORDS.memory,
  tool_output: STEP_WORDS.toolOutput,
  file: STEP_WORDS.file,
  agent: STEP_WORDS.otherAgent,
  other: STEP_WORDS.other,
};
