import { hash } from 'node:crypto';
import { canonicalBytes, isMembers, type Json } from '../../protocol/light.ts';
import type { Redaction } from '../redact/redaction.ts';
import type { ValueRedactor } from '../redact/value-redactor.ts';
import type {
  Seen,
  SeenCall,
  SeenCommon,
  SeenDecision,
  SeenGap,
  SeenNote,
  SeenSession,
  SeenTool,
  SeenTools,
  Touched,
} from '../seen/seen.ts';
import { cutValue } from './cut.ts';
import { withinKept } from './pointers.ts';
import type { ContentPolicy } from './prepared.ts';

/** How many characters of a cut text tell it from others that begin alike. */
const MARK = 10;

/**
 * A text of 1 to `max` Unicode characters: a longer one is cut and ends in `…#` and 8 hex digits of the digest of the whole, an empty
 * one becomes `-`.
 * @param text without secrets (the digits would say something of them)
 * @param max at least 16
 */
function fitText(text: string, max: number): string {
  if (text === '') return '-';
  const sound = text.toWellFormed();
  if (sound.length <= max) return sound;
  const head: string[] = [];
  let characters = 0;
  for (const character of sound) {
    if (characters < max - MARK) head.push(character);
    if (++characters > max) return `${head.join('')}…#${hash('sha256', sound, 'hex').slice(0, 8)}`;
  }
  return sound;
}

/** The profile's limits, in characters. */
const NAME = 256;
const PLACE = 1_024;
const REASON = 512;
const TEXT = 4_096;
const ERROR = 8_192;

const MAX_TOUCHED = 256;
/** The most that all resources of a record take, in bytes. */
const MAX_TOUCHED_BYTES = 32_768;
/** The most of `extra` that is kept, in bytes. */
const MAX_EXTRA = 8_192;

type Members = { readonly [member: string]: Json };
type Common = Omit<SeenCommon, 'raw_sha256' | 'extra' | 'shortened'> & { readonly extra: Members | null };

/** Cleans everything of an event that is not a content. */
export class Fields {
  readonly #values: ValueRedactor;
  readonly #log: Redaction[];
  readonly #policy: ContentPolicy;

  /** @param log what is replaced is added to it */
  constructor(values: ValueRedactor, log: Redaction[], policy: ContentPolicy) {
    this.#values = values;
    this.#log = log;
    this.#policy = policy;
  }

  #fit(text: string, at: string, max: number): string {
    const { value, redactions } = this.#values.redact(text, at);
    this.#log.push(...redactions);
    return fitText(typeof value === 'string' ? value : text, max);
  }

  #maybe(text: string | null, at: string, max: number): string | null {
    return text === null || text === '' ? null : this.#fit(text, at, max);
  }

  /** A member that is left out where there is none. */
  #member<Name extends string>(name: Name, text: string | undefined, at: string, max = NAME): { [K in Name]?: string } {
    const members: { [K in Name]?: string } = {};
    if (text !== undefined && text !== '') members[name] = this.#fit(text, at, max);
    return members;
  }

  common(seen: SeenCommon): Common {
    const { session, sub_agent, model, trace, source, observed_at } = seen;
    return {
      source,
      observed_at,
      trace,
      witness: this.#maybe(seen.witness, '/witnesses/0/name', NAME),
      event_id: this.#fit(seen.event_id, '/x_recorder/event_id', NAME),
      raw_event: this.#fit(seen.raw_event, '/x_recorder/raw_event', NAME),
      session: session && {
        ...session,
        id: this.#fit(session.id, '/session/id', NAME),
        ...this.#member('parent', session.parent, '/session/parent'),
      },
      sub_agent: sub_agent && {
        id: this.#fit(sub_agent.id, '/actor/sub_agent/id', NAME),
        ...this.#member('type', sub_agent.type, '/actor/sub_agent/type'),
      },
      model: model && {
        name: this.#fit(model.name, '/actor/model/name', NAME),
        ...this.#member('provider', model.provider, '/actor/model/provider'),
        ...this.#member('version', model.version, '/actor/model/version'),
      },
      program_version: this.#maybe(seen.program_version, '/actor/program/version', NAME),
      cwd: this.#maybe(seen.cwd, '/x_recorder/cwd', PLACE),
      extra: this.#extra(seen.extra),
    };
  }

  call({ tool, call_id, outcome, touched }: SeenCall): Pick<SeenCall, 'tool' | 'call_id' | 'outcome' | 'touched'> {
    return {
      tool: this.#tool(tool),
      call_id: this.#maybe(call_id, '/tool/call_id', NAME),
      touched: this.#touched(touched),
      ...(outcome === undefined ? {} : { outcome: this.#outcome(outcome) }),
    };
  }

  decision({ tool, call_id, by, reason }: SeenDecision): Pick<SeenDecision, 'tool' | 'call_id' | 'by' | 'reason'> {
    return {
      tool: this.#tool(tool),
      call_id: this.#maybe(call_id, '/tool/call_id', NAME),
      by: { kind: by.kind, id: this.#fit(by.id, '/decision/by/id', NAME) },
      reason: this.#policy === 'digest' ? null : this.#maybe(reason, '/decision/justification', TEXT),
    };
  }

  other<S extends SeenSession | SeenTools | SeenNote | SeenGap>(seen: S): S {
    const kind: Exclude<Seen, SeenCall | SeenDecision>['kind'] = seen.kind;
    switch (seen.kind) {
      case 'session_started':
      case 'session_ended':
        return { ...seen, reason: this.#maybe(seen.reason, '/note/text', TEXT) };
      case 'tools':
        return { ...seen, server: this.#fit(seen.server, '/tools/server', NAME) };
      case 'gap':
        return { ...seen, reason: this.#fit(seen.reason, '/gap/reason', REASON) };
      case 'note': {
        const text = this.#policy === 'digest' ? null : this.#maybe(seen.text, '/note/text', TEXT);
        return { ...seen, name: this.#fit(seen.name, '/note/kind', NAME), text };
      }
      default:
        throw new TypeError(`no such event: ${kind}`);
    }
  }

  #tool({ name, type, server }: SeenTool): SeenTool {
    return { name: this.#fit(name, '/tool/name', NAME), type, server: this.#maybe(server, '/tool/server', NAME) };
  }

  #outcome({ status, exit_code, error }: NonNullable<SeenCall['outcome']>): NonNullable<SeenCall['outcome']> {
    // The error of a call belongs to its output.
    const message = this.#policy === 'full' ? error?.message : undefined;
    return {
      status,
      ...(exit_code === undefined ? {} : { exit_code }),
      ...(error === undefined
        ? {}
        : {
            error: {
              ...this.#member('type', error.type, '/outcome/error/type'),
              ...this.#member('message', message, '/outcome/error/message', ERROR),
            },
          }),
    };
  }

  #touched(all: readonly Touched[]): readonly Touched[] {
    const kept: Touched[] = [];
    let room = MAX_TOUCHED_BYTES;
    for (const { id, within, ...rest } of all) {
      const at = `/touched/${kept.length}`;
      const one = {
        ...rest,
        id: this.#fit(id, `${at}/id`, PLACE),
        ...this.#member('within', within, `${at}/within`, PLACE),
      };
      room -= canonicalBytes(one).length;
      if (kept.length === MAX_TOUCHED || room < 0) {
        this.#log.push({ at: '/touched', type: 'left-out' });
        break;
      }
      kept.push(one);
    }
    return kept;
  }

  #extra(extra: SeenCommon['extra']): Members | null {
    if (extra === null || this.#policy === 'digest') return null;
    const at = '/x_recorder/extra';
    const { value, redactions } = this.#values.redact(extra, at);
    const kept = cutValue(value, canonicalBytes(value).length, MAX_EXTRA);
    this.#log.push(...withinKept(redactions, at, kept));
    return isMembers(kept) ? kept : null;
  }
}
