import type { Json } from '../../protocol/light.ts';
import type { Operation } from '../record-signer.ts';
import type { Actor, Touched } from './action-types.ts';
import { type Capture, Contents, digestOf, drawSalt, MAX_TOLD_BYTES } from './contents.ts';
import type { Action, CallMoment, DecisionMoment, Moment } from './moments.ts';
import { plainJson } from './plain-json.ts';
import { clip, clipName } from './texts.ts';

type Members = { readonly [member: string]: Json };

export const PROFILE = 'countersign.agent-action/1';
const MAX_TOUCHED = 256;
const MAX_CAUSES = 64;

/** A copy without the members that are undefined. */
function defined(members: { readonly [member: string]: Json | undefined }): Members {
  const entries = Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

const names = (members: { readonly [member: string]: string | undefined }): Members =>
  defined(
    Object.fromEntries(
      Object.entries(members).map(([key, text]) => [key, text === undefined ? undefined : clipName(text)]),
    ),
  );

function actorOf({ on_behalf_of, identity_source, model, program, sub_agent }: Actor): Members | undefined {
  const members = defined({
    ...names({ on_behalf_of, identity_source }),
    ...(model && { model: names({ ...model }) }),
    ...(program && { program: names({ ...program }) }),
    ...(sub_agent && { sub_agent: names({ ...sub_agent }) }),
  });
  return Object.keys(members).length === 0 ? undefined : members;
}

function touchedOf(touched: readonly Touched[]): Members[] | undefined {
  if (touched.length === 0) return undefined;
  return touched.slice(0, MAX_TOUCHED).map(({ kind, id, access, within, before, after, amount }) =>
    defined({
      kind,
      id: clip(id, 1024),
      access,
      within: within === undefined ? undefined : clip(within, 1024),
      before: before ? clipName(before) : before,
      after: after ? clipName(after) : after,
      amount: amount && { ...amount },
    }),
  );
}

function callMembers(moment: CallMoment, contents: Contents): Members {
  const { stage, action, touched, presented, output, outcome, durationMs } = moment;
  const { capture } = contents;
  const begins = stage === 'proposed' || stage === 'asked' || stage === 'started';
  const error = outcome?.error && {
    ...names({ type: outcome.error.type }),
    ...(outcome.error.message && { message: clip(outcome.error.message, 8192) }),
  };
  return defined({
    action_id: action.actionId,
    tool: begins ? names({ ...action.tool }) : undefined,
    input: begins ? contents.of('/input', action.input, action.salt, capture !== 'digest') : undefined,
    presented: presented && contents.of('/presented', presented.value, presented.salt, capture !== 'digest'),
    output: output === undefined ? undefined : contents.of('/output', output, drawSalt(), capture === 'full'),
    touched: touchedOf(touched),
    outcome: outcome && defined({ status: outcome.status, exit_code: outcome.exit_code, error }),
    timing: defined({ observed_at: moment.observedAt, duration_ms: durationMs }),
  });
}

function decisionOf({ action, of, presentedDigest, reported, decision }: DecisionMoment, contents: Contents): Members {
  const { outcome, by, policy, justification } = decision;
  const modified = 'input' in decision ? plainJson(decision.input) : undefined;
  const carriedOut = outcome === 'approved' || outcome === 'overridden';
  return defined({
    outcome,
    of,
    input_digest: carriedOut || modified !== undefined ? digestOf(action.salt, modified ?? action.input) : undefined,
    presented_digest: presentedDigest ?? undefined,
    input:
      modified === undefined
        ? undefined
        : contents.of('/decision/input', modified, action.salt, contents.capture !== 'digest'),
    by: defined({ ...names({ ...by }), reported: reported || undefined }),
    policy: policy && defined({ ...names({ id: policy.id, version: policy.version }), digest: policy.digest }),
    justification: justification === undefined ? undefined : clip(justification, 4096),
  });
}

function members(moment: Moment, contents: Contents): Members {
  const timing = { observed_at: moment.observedAt };
  switch (moment.kind) {
    case 'call':
      return callMembers(moment, contents);
    case 'decision':
      return { action_id: moment.action.actionId, decision: decisionOf(moment, contents), timing };
    case 'told': {
      const each = Math.floor(MAX_TOLD_BYTES / moment.told.length);
      const shown = contents.capture !== 'digest';
      const told = moment.told.map(({ kind, value }, index) => ({
        kind,
        content: contents.of(`/told/${index}/content`, value, drawSalt(), shown, Math.min(each, 65_536)),
      }));
      return { told, timing };
    }
    case 'note':
      return {
        note: defined({ kind: clipName(moment.name), text: moment.text ? clip(moment.text, 4096) : undefined }),
        timing,
      };
    case 'gap': {
      const { count, firstAt, lastAt, reason } = moment;
      return { gap: { count, first_at: firstAt, last_at: lastAt, reason: clip(reason, 512) }, timing };
    }
    default:
      return { timing };
  }
}

const BY_TOOL = {
  shell: 'tool.shell',
  mcp: 'tool.mcp',
  web: 'tool.web',
  browser: 'tool.web',
  agent: 'tool.agent',
} as const;

function typeOfCall({ tool, operationType }: Action, touched: readonly Touched[]): string {
  if (operationType !== undefined) return operationType;
  const type = tool.type ?? 'other';
  if (type === 'file' && touched.length > 0)
    return touched.every(({ access }) => access === 'read') ? 'tool.file_read' : 'tool.file_write';
  return Object.hasOwn(BY_TOOL, type) ? BY_TOOL[type as keyof typeof BY_TOOL] : 'tool.other';
}

/** The tool, unless the caller says otherwise: a subject is signed for good and can never be withheld, so nothing that is touched, a person's account say, becomes one by itself. */
function subjectOfCall({ tool, subject }: Action): string {
  const named = tool.server === undefined ? tool.name : `${tool.server}/${tool.name}`;
  return clip(subject ?? named, 512);
}

/** `operation_type`, `subject` and `action` of the record. */
function headOf(moment: Moment): Pick<Operation, 'operationType' | 'subject' | 'action'> {
  const ofSession = (operationType: string, action: string) => ({
    operationType,
    action,
    subject: clip(moment.session.id, 512),
  });
  switch (moment.kind) {
    case 'call': {
      const { action, stage, touched } = moment;
      const operationType = stage === 'asked' ? 'permission.ask' : typeOfCall(action, touched);
      return { operationType, subject: subjectOfCall(action), action: stage };
    }
    case 'decision':
      return { operationType: 'permission.decide', subject: subjectOfCall(moment.action), action: 'decided' };
    case 'session_started':
      return ofSession('session.start', moment.kind);
    case 'session_ended':
      return ofSession('session.end', moment.kind);
    case 'told':
      return ofSession('prompt.submit', moment.kind);
    case 'gap':
      return ofSession('recorder.gap', moment.kind);
    case 'note':
      return ofSession('recorder.note', moment.kind);
  }
}

function phaseOf(moment: Moment): string {
  if (moment.kind === 'call') return moment.stage;
  return moment.kind === 'decision' ? 'decided' : moment.kind;
}

/**
 * The operation that says of a moment what the payload profile countersign.agent-action/1 has for it.
 * @param capture what of inputs and outputs it shows; of the rest it has the digests
 */
export function operationOf(moment: Moment, capture: Capture): Operation {
  const { operationId, session, actor, cause } = moment;
  const records = moment.kind === 'session_ended' ? moment.records : undefined;
  const contents = new Contents(capture);
  const own = members(moment, contents);
  const { redactions } = contents;
  const payload = defined({
    profile: PROFILE,
    phase: phaseOf(moment),
    session: defined({ ...names({ ...session }), totals: records === undefined ? undefined : { records } }),
    actor: actorOf(actor),
    cause: cause.length === 0 ? undefined : cause.slice(0, MAX_CAUSES),
    ...own,
    redactions: redactions.length === 0 ? undefined : redactions,
  });
  return { ...headOf(moment), operationId, payload };
}
