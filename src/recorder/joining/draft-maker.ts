import { AGENT_ACTION_PROFILE } from '../../actions/profile/light.ts';
import type { OperationName } from '../../actions/tools/index.ts';
import type { Json } from '../../protocol/light.ts';
import { isProgramId, programName } from '../base/programs.ts';
import { contentOf } from '../content/content-of.ts';
import type { Prepared, PreparedCall, PreparedDecision, PreparedTold } from '../content/prepared.ts';
import type { Draft } from './draft.ts';
import { uuidOf } from './ids.ts';
import { Members } from './kept-content.ts';
import type { OpenCall } from './open-call.ts';
import type { JoinerOptions } from './options.ts';
import type { Sessions } from './sessions.ts';
import { witnessesOf } from './witnesses.ts';

/** The most resources that the profile lists. */
const MAX_TOUCHED = 256;
/** The longest name of the profile, in characters. */
const LONGEST_NAME = 256;

/** What a record says besides what its event does. */
interface Beside {
  /** Whether it counts among the session's records; true but for the session's end. */
  readonly counted?: boolean;
  /** Further members of `x_recorder`. */
  readonly recorder?: { readonly [member: string]: Json };
  /** Which of several records of one event it is. */
  readonly part?: string;
  /** Instead of what the event is about. */
  readonly operation?: OperationName;
  readonly cause?: readonly string[];
}

/** Words records: what each says of where it comes from is the same for all. */
export class DraftMaker {
  readonly #options: JoinerOptions;
  readonly #sessions: Sessions;
  #drafts: Draft[] = [];

  constructor(options: JoinerOptions, sessions: Sessions) {
    this.#options = options;
    this.#sessions = sessions;
  }

  drain(): Draft[] {
    const drafts = this.#drafts;
    this.#drafts = [];
    return drafts;
  }

  /** The id of a record that an event makes. */
  operationId(eventId: string, phase: string, part = ''): string {
    return uuidOf('operation', this.#options.agentId, eventId, phase, part);
  }

  /** The id of the action that an event begins. */
  actionId(eventId: string): string {
    return uuidOf('action', this.#options.agentId, eventId);
  }

  /**
   * Makes a record of an event.
   * @param fill sets the members of its phase
   * @returns its operation_id
   */
  make(seen: Prepared, phase: string, fill: (members: Members) => void, now: number, beside: Beside = {}): string {
    const { session, sub_agent, trace, observed_at, redactions } = seen;
    const causes = session === null || sub_agent === null ? [] : this.#sessions.meet(session.id, now, sub_agent.id);
    const cause = [...causes, ...(beside.cause ?? [])];
    const members = new Members()
      .set('profile', AGENT_ACTION_PROFILE)
      .set('phase', phase)
      .set('session', session === null ? connectionOf(seen) : { ...session })
      .set('cause', cause.length === 0 ? null : cause)
      .set('trace', trace && { ...trace })
      .set('actor', this.#actor(seen))
      .set('timing', { observed_at })
      .set('x_recorder', this.#recorder(seen, beside.recorder ?? {}));
    fill(members);
    const { operationType, subject, changes } = beside.operation ?? this.#options.operationOf(seen);
    const operationId = this.operationId(seen.event_id, phase, beside.part);
    this.#drafts.push({
      operationId,
      operationType,
      subject,
      changes,
      action: phase,
      payload: members.payload(redactions),
    });
    if (session !== null && beside.counted !== false) this.#sessions.count(session.id, now);
    return operationId;
  }

  /** A record of a call, with the members that all of them have. */
  ofCall(
    call: OpenCall,
    seen: PreparedCall | PreparedDecision,
    phase: string,
    now: number,
    fill: (members: Members) => void,
  ): string {
    const { name, type, server } = call.tool;
    const id = call.call_id ?? seen.call_id;
    const tool = {
      name,
      type,
      ...(server === null ? {} : { server }),
      ...(id === null ? {} : { call_id: id }),
      pairing: id === null ? 'inferred' : 'id',
    };
    return this.make(
      seen,
      phase,
      (members) => {
        members.set('action_id', call.action_id).set('tool', tool);
        if (phase === 'proposed' || phase === 'started') witnessesOf(members, seen.source, seen.witness, []);
        fill(members);
      },
      now,
    );
  }

  note(seen: Prepared, kind: string, text: string | null, now: number, beside: Beside = {}): void {
    const note = { kind, ...(text === null ? {} : { text }) };
    this.make(seen, 'note', (members) => members.set('note', note), now, beside);
  }

  told(seen: PreparedTold, now: number): void {
    const salt = this.#options.keys.contentSalt(this.actionId(seen.event_id), 'told');
    const told = seen.told.map(({ kind, content }) => ({ kind, content: contentOf(content, salt) }));
    this.make(seen, 'told', (members) => members.set('told', told), now);
  }

  gap(seen: Extract<Prepared, { kind: 'gap' }>, now: number): void {
    const { count, first_at, last_at, reason } = seen;
    this.make(seen, 'gap', (members) => members.set('gap', { count, first_at, last_at, reason }), now);
  }

  #actor({ model, program_version, sub_agent, extra }: Prepared): Json {
    const { feed, user } = this.#options;
    const name = (isProgramId(feed) ? null : programIn(extra)) ?? programName(feed);
    return {
      ...(user === null ? {} : { on_behalf_of: user, identity_source: 'kernel-uid' }),
      program: { name, ...(program_version === null ? {} : { version: program_version }) },
      ...(model === null ? {} : { model: { ...model } }),
      ...(sub_agent === null ? {} : { sub_agent: { ...sub_agent } }),
    };
  }

  #recorder(
    { event_id, raw_event, raw_digest, cwd, extra, shortened }: Prepared,
    more: { readonly [member: string]: Json },
  ): Json {
    return {
      event_id,
      raw_event,
      ...(raw_digest === '' ? {} : { raw_digest }),
      ...(shortened === undefined
        ? {}
        : {
            raw_bytes: shortened.bytes,
            left_out: shortened.left_out.map((one) => ({ ...one })),
            ...(shortened.cut_off === true && { cut_off: true }),
          }),
      ...(cwd === null ? {} : { cwd }),
      ...(extra === null ? {} : { extra: { ...extra } }),
      ...more,
    };
  }
}

/** What stands for the session of a call that was seen on a connection of MCP alone; null for anything else. */
function connectionOf({ source, extra }: Prepared): Json | null {
  const request = extra?.['mcp_request'];
  const [connection, number] = source === 'mcp' && typeof request === 'string' ? request.split('/') : [];
  return connection === undefined || number === undefined ? null : { id: connection };
}

/** What a service of OpenTelemetry or a client of MCP calls itself; null where it says nothing. */
function programIn(extra: Prepared['extra']): string | null {
  const said = extra?.['service'] ?? extra?.['mcp_client'];
  return typeof said === 'string' && said !== '' && said.length <= LONGEST_NAME ? said : null;
}

/** The resources that a call touches, as the profile has them. */
export function touchedOf({ touched }: PreparedCall): Json | null {
  return touched.length === 0 ? null : touched.slice(0, MAX_TOUCHED).map((resource) => ({ ...resource }));
}
