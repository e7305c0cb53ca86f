import { AGENT_ACTION_PROFILE, contentDigest } from '../../actions/profile/light.ts';
import { disclosuresFit, isMembers, type Json, shownPayload } from '../../protocol/index.ts';
import type { StoredOperation } from '../api/answers.ts';
import { QUESTION } from './texts.ts';

/** A content of the profile as it is shown here, with the digest of exactly that. */
export interface ShownContent {
  readonly value: Json;
  readonly digest: string;
}

/** What an agent asks, as far as its record shows it. */
export interface Question {
  readonly operationId: string;
  readonly agentId: string;
  readonly actionId: string;
  readonly session: string | null;
  readonly tool: string;
  readonly subject: string;
  /** Null where the whole input is not here: withheld, cut, told by its digest alone, or not that of its digest. */
  readonly input: ShownContent | null;
  /** What the agent says that whoever decides is to be shown; null where it says nothing, `unreadable` as for the input. */
  readonly presented: ShownContent | 'unreadable' | null;
}

/** A member that a payload itself has, whoever wrote it. */
function at(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function textAt(value: unknown, name: string, most: number): string | null {
  const text = at(value, name);
  return typeof text === 'string' && text !== '' && text.length <= most ? text : null;
}

/** The value where all of it is there and is what its digest says. */
function shownContent(content: unknown): ShownContent | null {
  if (!isMembers(content) || !Object.hasOwn(content, 'value') || at(content, 'truncated') !== undefined) return null;
  const salt = at(content, 'salt') ?? '';
  const value = content['value'] as Json;
  if (typeof salt !== 'string') return null;
  const digest = contentDigest(salt, value);
  const stated = at(content, 'digest');
  return stated === undefined || stated === digest ? { value, digest } : null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The question that a record of the profile asks; null for every other record, and for one that nobody can decide on. */
export function questionOf({ eor, disclosures = {} }: StoredOperation): Question | null {
  // What was not signed is not asked, whoever answered with it.
  if (eor.payload === undefined || !disclosuresFit(eor.payload, disclosures)) return null;
  const payload = shownPayload(eor.payload, disclosures);
  if (at(payload, 'profile') !== AGENT_ACTION_PROFILE || at(payload, 'phase') !== 'asked') return null;
  const actionId = textAt(payload, 'action_id', 36);
  const tool = textAt(at(payload, 'tool'), 'name', 256);
  if (actionId === null || !UUID.test(actionId) || tool === null) return null;
  const presented = at(payload, 'presented');
  return {
    operationId: eor.operation_id,
    agentId: eor.agent_id,
    subject: eor.subject,
    actionId,
    tool,
    session: textAt(at(payload, 'session'), 'id', 256),
    input: shownContent(at(payload, 'input')),
    presented: presented === undefined ? null : (shownContent(presented) ?? 'unreadable'),
  };
}

/** Why a question cannot be approved here, in a sentence; null where it can. */
export function notApprovable({ input, presented }: Question): string | null {
  if (input === null) return QUESTION.inputIncomplete;
  if (presented === 'unreadable') return QUESTION.presentedIncomplete;
  return null;
}

/** Characters of a justification (docs/agent-actions.md, Decisions). */
export const MAX_REASON = 4096;
