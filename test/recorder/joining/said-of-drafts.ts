import type { Draft } from '../../../src/recorder/joining/draft.ts';
import type { Watching } from '../../support/seen-events.ts';

export const COMMAND = { command: 'git status' };

export const phases = (drafts: readonly Draft[]): string[] => drafts.map(({ action }) => action);
export const actionOf = (draft: Draft): unknown => draft.payload['action_id'];

/** The codes of what is at odds, each with the first letter of how much. */
export function codes(watching: Watching): string[] {
  return watching.report().findings.map(({ code, severity }) => `${code} ${severity[0]}`);
}
