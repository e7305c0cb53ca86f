import { nodeCrypto } from '../../node/light.ts';
import { canonicalBytes, type ExactJson, toHex, withTexts } from '../../protocol/light.ts';
import type { Actor, Outcome, Tool, Touched } from './action-types.ts';
import type { Action, Common, Moment } from './moments.ts';
import { clip, clipName } from './texts.ts';

type Members = { readonly [member: string]: ExactJson };

const SOURCE = 'library';
const WITNESS = '@countersign/agent';

function toolOf({ name, type = 'other', server }: Tool): Members {
  return { name: clipName(name), type, server: server === undefined ? null : clipName(server) };
}

/** The parts of an action that the recorder takes, which names no states and amounts. */
function touchedOf(touched: readonly Touched[]): ExactJson[] {
  return touched.map(({ kind, id, within, access }) => ({
    kind,
    id: clip(id, 1024),
    access,
    ...(within === undefined ? {} : { within: clip(within, 1024) }),
  }));
}

function actionOf({ tool, actionId, input }: Action): Members {
  return { tool: toolOf(tool), call_id: clipName(tool.call_id ?? actionId), input };
}

function outcomeOf({ error, ...outcome }: Outcome): Members {
  if (error === undefined) return outcome;
  const { type, message } = error;
  const said = message === undefined ? {} : { message: clip(message, 8192) };
  return { ...outcome, error: { ...(type === undefined ? {} : { type: clipName(type) }), ...said } };
}

/** What is of the kind of event alone. */
function own(moment: Moment): Members {
  switch (moment.kind) {
    case 'call': {
      const { stage, action, output, outcome, durationMs, touched } = moment;
      return {
        kind: 'call',
        stage,
        ...actionOf(action),
        touched: touchedOf(touched),
        ...(output === undefined ? {} : { output }),
        ...(outcome === undefined ? {} : { outcome: outcomeOf(outcome) }),
        ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
      };
    }
    case 'decision': {
      const { action, decision } = moment;
      const permits = decision.outcome !== 'denied' && decision.outcome !== 'expired';
      return {
        kind: 'decision',
        ...actionOf(action),
        decision: permits ? 'approved' : decision.outcome,
        by: { kind: decision.by.kind, id: clipName(decision.by.id) },
        reason: decision.justification === undefined ? null : clip(decision.justification, 4096),
      };
    }
    case 'told':
      return { kind: 'told', told: moment.told };
    case 'note':
      return { kind: 'note', name: clipName(moment.name), text: moment.text === null ? null : clip(moment.text, 4096) };
    case 'gap': {
      const { count, firstAt, lastAt, reason } = moment;
      return { kind: 'gap', count, first_at: firstAt, last_at: lastAt, reason: clip(reason, 512) };
    }
    default:
      return { kind: moment.kind, reason: null };
  }
}

function extraOf(moment: Moment, { on_behalf_of, program }: Actor): Members | null {
  const { cause } = moment;
  const extra: Members = {
    ...(cause.length === 0 ? {} : { cause }),
    ...(on_behalf_of === undefined ? {} : { on_behalf_of }),
    ...(program === undefined ? {} : { program: { ...program } }),
    ...(moment.kind === 'decision' ? { outcome: moment.decision.outcome } : {}),
  };
  return Object.keys(extra).length === 0 ? null : extra;
}

/** The same with each text cut to the length of a name. */
function namesOf(members: object): Members {
  return Object.fromEntries(Object.entries(members).map(([key, text]) => [key, clipName(String(text))]));
}

function common({ operationId, observedAt, session, actor }: Common): Members {
  const { sub_agent, model, program } = actor;
  return {
    source: SOURCE,
    witness: WITNESS,
    event_id: operationId,
    observed_at: observedAt,
    session: namesOf(session),
    sub_agent: sub_agent === undefined ? null : namesOf(sub_agent),
    model: model === undefined ? null : namesOf(model),
    program_version: program?.version === undefined ? null : clipName(program.version),
    cwd: process.cwd(),
    trace: null,
  };
}

/** A moment in the form in which the recorder takes what witnesses saw (`POST /v1/seen/:feed`). */
export function seenOf(moment: Moment): Members {
  const raw = moment.kind === 'call' ? `call.${moment.stage}` : moment.kind;
  const seen = { ...common(moment), raw_event: raw, ...own(moment), extra: extraOf(moment, moment.actor) };
  // There are no bytes that came in: what stands for them is the event itself.
  return { ...seen, raw_sha256: toHex(nodeCrypto.sha256(canonicalBytes(withTexts(seen).value))) };
}
