import type { Step } from '../../api/answers.ts';
import type { IconName } from '../../ui/icons.tsx';
import type { LaneKind } from './lanes.ts';

export const KIND_WORDS: Readonly<Record<Step['kind'], string>> = {
  start: 'Session began',
  end: 'Session ended',
  told: 'Told',
  asked: 'Approval asked',
  decided: 'Decision',
  call: 'Call',
  note: 'Note',
  gap: 'Gap in the record',
  record: 'Record',
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
  person: 'Person',
  agent: 'Agent',
  sub_agent: 'Sub-agent',
  tool: 'Tool',
};

/** Where a content came from that an agent was told. */
export const TOLD_WORDS: Readonly<Record<string, string>> = {
  system: 'System instructions',
  user: 'User',
  memory: 'Memory',
  tool_output: 'Output of a tool',
  file: 'File',
  agent: 'Another agent',
  other: 'Other',
};
