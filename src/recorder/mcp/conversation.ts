import type { Seen } from '../seen/seen.ts';
import { type CallEnd, cancelled, endOf, unknown } from './call-ends.ts';
import { Inputs } from './inputs.ts';
import {
  asObject,
  asText,
  idOf,
  type JsonObject,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from './message.ts';
import { NO_MESSAGE, type Origin, type Side } from './open-call.ts';

import { bytesOfPending, type Going, type Pending, PendingRequests } from './pending.ts';
import type { Clock, ConnectionFacts, Followed } from './rpc-protocol.ts';
import { clientOf, revisionOf, serverOf } from './said.ts';
import { SeenMaker } from './seen-maker.ts';
import { SpacedNote } from './spaced-note.ts';
import { createdTask, HeldCalls, type TaskState, Tasks, taskState } from './suspended.ts';
import { ToolLists } from './tool-lists.ts';

const CLOSED = unknown('connection_closed', 'The connection ended before the call did.');
const TOO_MANY = unknown('not_followed', 'Too many requests were open at once to follow this one to its end.');

/**
 * Follows the messages between a client and a server of MCP, and says what of them is to be recorded. Pure but for the clock that
 * it is given; it knows every revision at once, for the clients and servers of one connection may mix them.
 */
export class Conversation implements Followed {
  readonly #make: SeenMaker;
  readonly #pending = new PendingRequests<Pending>(bytesOfPending);
  readonly #held = new HeldCalls();
  readonly #tasks = new Tasks();
  readonly #tools = new ToolLists();
  readonly #toolChanges: SpacedNote;
  strayResponses = 0;

  constructor(facts: ConnectionFacts, clock: Clock) {
    this.#make = new SeenMaker(facts, clock);
    this.#toolChanges = new SpacedNote(() => clock.monotonic());
  }

  get programName(): string | null {
    return this.#make.client?.name ?? null;
  }

  saw(from: Side, message: RpcMessage, origin: Origin): Seen[] {
    switch (message.kind) {
      case 'request':
        return this.#request(from, message, origin);
      case 'notification':
        return this.#notification(from, message, origin);
      case 'response':
        return this.#response(from === 'client' ? 'server' : 'client', message, origin);
    }
  }

  note(name: string, text: string | null, origin: Origin): Seen {
    return this.#make.note(name, text, origin);
  }

  gaveUp(from: Side, id: RpcId, scope: string, end: CallEnd): Seen[] {
    const pending = this.#pending.take(scope, from, id);
    return pending === null ? [] : this.#abandoned(pending, end, 'no response');
  }

  get owesNotes(): boolean {
    return this.#toolChanges.isOwed;
  }

  owed(): Seen[] {
    return this.#listNote(this.#toolChanges.due(), NO_MESSAGE);
  }

  #listNote(count: number, origin: Origin): Seen[] {
    const text = count > 1 ? `${count} times since the last such note` : null;
    return count === 0 ? [] : [this.#make.note('mcp.tools_list_changed', text, origin)];
  }

  closed(): Seen[] {
    return [
      ...this.#listNote(this.#toolChanges.take(), NO_MESSAGE),
      ...this.#pending.takeAll().flatMap((pending) => this.#abandoned(pending, CLOSED, 'connection closed')),
      ...this.#held.takeAll().flatMap((going) => this.#ended(going, CLOSED, going.call.origin, 'connection closed')),
      ...this.#tasks
        .takeAll()
        .flatMap(({ going, end }) => this.#ended(going, end, going.call.origin, 'connection closed')),
    ];
  }

  #request(from: Side, { id, method, params }: RpcRequest, origin: Origin): Seen[] {
    if (from === 'client') this.#learnClient(params);
    const call = this.#make.open(method, params, origin);
    if (call === null) {
      const answers = method === 'tasks/update' ? this.#taskAnswers(params, origin) : [];
      return [...answers, ...this.#expect(from, id, otherRequest(method, params), origin)];
    }
    const answers = asObject(params['inputResponses']) ?? {};
    const continued = this.#held.continuedBy(call, params);
    const going = continued ?? { call: this.#make.begin(call), inputs: new Inputs() };
    const seen =
      continued === null ? [this.#make.started(going.call)] : going.inputs.answered(answers, origin, this.#make);
    return [...seen, ...this.#expect(from, id, { kind: 'call', going }, origin)];
  }

  #expect(from: Side, id: RpcId, pending: Pending, { scope }: Origin): Seen[] {
    const dropped = this.#pending.add(scope, from, id, pending);
    return dropped.flatMap((oldest) => this.#abandoned(oldest, TOO_MANY, 'not followed'));
  }

  #taskAnswers(params: JsonObject, origin: Origin): Seen[] {
    const going = this.#tasks.get(asText(params['taskId']) ?? '');
    return going?.inputs.answered(asObject(params['inputResponses']) ?? {}, origin, this.#make) ?? [];
  }

  #notification(from: Side, { method, params }: RpcNotification, origin: Origin): Seen[] {
    switch (method) {
      case 'notifications/cancelled': {
        const id = idOf(params['requestId']);
        const pending = id === null ? null : this.#pending.take(origin.scope, from, id);
        if (pending?.kind !== 'call') return [];
        return this.#ended(pending.going, cancelled(asText(params['reason'])), origin, method);
      }
      case 'notifications/tools/list_changed':
        return this.#listNote(this.#toolChanges.add(), origin);
      // The first is that of revision 2025-11-25, the other that of the extension.
      case 'notifications/tasks/status':
      case 'notifications/tasks':
        return this.#task(taskState(asObject(params['task']) ?? params), origin, method);
      default:
        return [];
    }
  }

  #response(asking: Side, response: RpcResponse, origin: Origin): Seen[] {
    const pending = this.#pending.take(origin.scope, asking, response.id);
    if (pending === null) {
      this.strayResponses++;
      return [];
    }
    const result = response.result ?? {};
    if (asking === 'client') this.#learnServer(result);
    switch (pending.kind) {
      case 'call':
        return this.#answered(pending.going, response, origin);
      case 'tools': {
        const list = response.error === null ? this.#tools.page(pending.cursor, result) : null;
        return list === null ? [] : [this.#make.tools(list, origin)];
      }
      case 'task':
        return this.#taskAnswered(pending, response, origin);
      case 'other':
        return [];
    }
  }

  #answered(going: Going, response: RpcResponse, origin: Origin): Seen[] {
    const result = response.result ?? {};
    if (result['resultType'] === 'input_required') {
      const dropped = this.#held.hold(going, asText(result['requestState']));
      return [
        ...going.inputs.asked(asObject(result['inputRequests']) ?? {}, origin, this.#make),
        ...(dropped === null ? [] : this.#ended(dropped, TOO_MANY, dropped.call.origin, 'not followed')),
      ];
    }
    const task = createdTask(result);
    if (task === null) return this.#ended(going, endOf(response), origin);
    const dropped = this.#tasks.add(going, task);
    return [
      ...(dropped === null ? [] : this.#ended(dropped, TOO_MANY, dropped.call.origin, 'not followed')),
      ...this.#task(task, origin, `${going.call.method} response`),
    ];
  }

  #taskAnswered({ method, taskId }: Pending & { kind: 'task' }, response: RpcResponse, origin: Origin): Seen[] {
    const result = response.result ?? {};
    if (method === 'tasks/get')
      return this.#task(taskState(asObject(result['task']) ?? result), origin, `${method} response`);
    if (response.error !== null && method !== 'tasks/result') return [];
    if (method !== 'tasks/result' && method !== 'tasks/cancel') return [];
    const going = this.#tasks.take(taskId);
    if (going === null) return [];
    return this.#ended(
      going,
      method === 'tasks/result' ? endOf(response) : cancelled(null),
      origin,
      `${method} response`,
    );
  }

  #task(task: TaskState | null, origin: Origin, rawEvent: string): Seen[] {
    const going = task === null ? null : this.#tasks.get(task.id);
    if (task === null || going === null) return [];
    this.#tasks.saw(task);
    const asked = going.inputs.asked(task.inputRequests, origin, this.#make);
    if (task.end === null) return asked;
    this.#tasks.take(task.id);
    return [...asked, ...this.#ended(going, task.end, origin, rawEvent)];
  }

  #ended({ call, inputs }: Going, end: CallEnd, origin: Origin, rawEvent?: string): Seen[] {
    return [
      ...inputs.closed(origin, this.#make, end.outcome.status === 'cancelled'),
      this.#make.ended(call, end, origin, rawEvent),
    ];
  }

  #abandoned(pending: Pending, end: CallEnd, rawEvent: string): Seen[] {
    if (pending.kind !== 'call') return [];
    return this.#ended(pending.going, end, pending.going.call.origin, rawEvent);
  }

  #learnClient(params: JsonObject): void {
    this.#make.client = clientOf(params) ?? this.#make.client;
    this.#make.revision = revisionOf(params) ?? this.#make.revision;
  }

  #learnServer(result: JsonObject): void {
    const server = serverOf(result);
    if (server !== null) this.#make.serverSaid = server.name;
    this.#make.revision = revisionOf(result) ?? this.#make.revision;
  }
}

function otherRequest(method: string, params: JsonObject): Pending {
  if (method === 'tools/list') return { kind: 'tools', cursor: asText(params['cursor']) };
  const taskId = asText(params['taskId']);
  if (method.startsWith('tasks/') && taskId !== null) return { kind: 'task', method, taskId };
  return { kind: 'other', method };
}
