import type { z } from 'zod';
import { pointerStep } from '../../protocol/light.ts';
import { PHASES } from './phases.ts';
import { AGENT_ACTION_PROFILE } from './profile-name.ts';
import { EXTENSION_PATTERN, MEMBERS, payloadMembers, type ShownAction } from './schema.ts';

/** What is wrong with a payload: the first thing met. */
export interface PayloadProblem {
  /** JSON Pointer (RFC 6901) into the payload. */
  readonly pointer: string;
  readonly message: string;
}

export type PayloadCheck =
  | { readonly ok: true; readonly action: ShownAction }
  | { readonly ok: false; readonly problem: PayloadProblem };

/** Without `profile` and `phase`, which a reader may not be shown. */
const shownMembers = payloadMembers.partial();

/** JSON Pointer of a path of member names and indexes. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => pointerStep(String(step))).join('');
}

function firstIssue(error: z.ZodError): PayloadProblem {
  const [issue] = error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...unknown];
  return { pointer: pointerOf(path), message: (issue?.message ?? 'is not of the profile').slice(0, 200) };
}

/** What follows from the phase, in the members that are shown. */
function phaseProblem(action: ShownAction, complete: boolean): PayloadProblem | null {
  const { phase } = action;
  if (phase === undefined) return complete ? { pointer: '/phase', message: 'is missing' } : null;
  const { needs, outcomes } = PHASES[phase];
  const lacking = complete ? needs.find((member) => action[member] === undefined) : undefined;
  if (lacking !== undefined) return { pointer: `/${lacking}`, message: `is missing from a payload of phase ${phase}` };
  const status = action.outcome?.status;
  if (status === undefined || outcomes.includes(status)) return null;
  return { pointer: '/outcome/status', message: `is not an outcome of phase ${phase}` };
}

/** Whether a payload says that it is of the profile. */
export function claimsProfile(payload: { readonly [member: string]: unknown }): boolean {
  return Object.hasOwn(payload, 'profile') && payload['profile'] === AGENT_ACTION_PROFILE;
}

/**
 * Checks a payload against the profile, as docs/agent-actions.md states it.
 * @param payload what a reader sees: the payload itself, or the disclosed members of a salted one, as strict JSON gives it
 * @param complete whether it is all of the payload; else nothing is said about members that aren't there
 */
export function checkPayload(payload: { readonly [member: string]: unknown }, complete: boolean): PayloadCheck {
  const unknown = Object.keys(payload).find((name) => !Object.hasOwn(MEMBERS, name) && !EXTENSION_PATTERN.test(name));
  if (unknown !== undefined) {
    const message = 'is no member of the profile; members of your own begin with x_';
    return { ok: false, problem: { pointer: pointerOf([unknown]), message } };
  }
  const parsed = shownMembers.safeParse(payload);
  if (!parsed.success) return { ok: false, problem: firstIssue(parsed.error) };
  const problem = phaseProblem(parsed.data, complete);
  return problem === null ? { ok: true, action: parsed.data } : { ok: false, problem };
}
