import { touchedBy } from '../../actions/tools/index.ts';
import type { ExactJson } from '../../protocol/light.ts';
import { type CallEnd, cancelled, unknown } from '../mcp/call-ends.ts';
import { asArray, asObject, asText, type JsonObject, type RpcResponse } from '../mcp/message.ts';
import type { Origin } from '../mcp/open-call.ts';
import type { Seen, SeenTool } from '../seen/seen.ts';
import type { AcpCall, AcpSeen, AcpSession } from './acp-seen.ts';
import { exitCodeIn } from './tool-call.ts';

/** What an agent has its client do for it, as tools. */
const TOOLS: { readonly [method: string]: SeenTool['type'] } = {
  'fs/read_text_file': 'file',
  'fs/write_text_file': 'file',
  'terminal/create': 'shell',
  'elicitation/create': 'other',
};

/** The most terminals that are followed, and the most characters of output that are kept of one. */
const MOST_TERMINALS = 1_000;
const MOST_OUTPUT = 1 << 20;

/** A request that waits for its response. */
export type AskedOfClient =
  | { readonly kind: 'call'; readonly call: AcpCall; readonly size: number }
  /** About a terminal that was created before. */
  | { readonly kind: 'terminal'; readonly method: string; readonly terminal: string };

interface Terminal {
  /** Null where the call has ended, or was never recorded. */
  readonly call: AcpCall | null;
  readonly output: ExactJson | undefined;
  readonly exit: JsonObject | null;
  readonly isKilled: boolean;
}

const NO_TERMINAL: Terminal = { call: null, output: undefined, exit: null, isKilled: false };

/** What an agent asks its client to do: files, and commands in terminals. */
export class ClientRequests {
  readonly #make: AcpSeen;
  readonly #terminals = new Map<string, Terminal>();

  constructor(make: AcpSeen) {
    this.#make = make;
  }

  /** @returns null for a request that is neither about files nor about terminals */
  asked(
    method: string,
    params: JsonObject,
    session: AcpSession | null,
    origin: Origin,
  ): { pending: AskedOfClient; seen: Seen[] } | null {
    const type = Object.hasOwn(TOOLS, method) ? TOOLS[method] : undefined;
    if (type !== undefined) {
      const call = this.#call(method, type, params, session);
      const pending = { kind: 'call', call, size: origin.size } as const;
      return { pending, seen: [this.#make.call(call, 'started', method, origin)] };
    }
    if (!method.startsWith('terminal/')) return null;
    const terminal = terminalKey(params, session);
    if (method === 'terminal/kill') this.#set(terminal, { isKilled: true });
    // The client ends what still runs in a terminal that is released.
    const seen = method === 'terminal/release' ? this.#ended(terminal, method, origin) : [];
    return { pending: { kind: 'terminal', method, terminal }, seen };
  }

  #call(method: string, type: SeenTool['type'], params: JsonObject, session: AcpSession | null): AcpCall {
    const { _meta, sessionId, env, ...rest } = params;
    // Of the environment the names: its values are never taken.
    const names = asArray(env).flatMap((one) => asText(asObject(one)?.['name']) ?? []);
    const input = names.length === 0 ? rest : { ...rest, env_names: names };
    const tool = { name: method, type, server: null };
    const command = asText(params['command']);
    const words = asArray(params['args']);
    // Without arguments it is a line for a shell.
    const given = command !== null && words.length > 0 ? { command: [command, ...words] } : params;
    const folder = asText(params['cwd']) ?? session?.cwd ?? this.#make.cwd;
    return {
      ...this.#make.begin(),
      tool,
      callId: null,
      input,
      touched: touchedBy(tool, given, folder),
      session,
      subAgent: null,
      title: null,
    };
  }

  answered(pending: AskedOfClient, response: RpcResponse, session: AcpSession | null, origin: Origin): Seen[] {
    const { result, error } = response;
    if (pending.kind === 'terminal') return this.#terminalAnswered(pending, result ?? {}, origin);
    const { call } = pending;
    const name = asText(result?.['terminalId']);
    if (call.tool.type !== 'shell' || name === null || error !== null) {
      return [this.#make.ended(call, endOfRequest(response), `${call.tool.name} response`, origin)];
    }
    this.#set(terminalKey({ terminalId: name }, session), { call });
    return this.#forgetTooMany(origin);
  }

  #terminalAnswered(
    { method, terminal }: AskedOfClient & { kind: 'terminal' },
    said: JsonObject,
    origin: Origin,
  ): Seen[] {
    if (method === 'terminal/wait_for_exit') {
      this.#set(terminal, { exit: said });
      return [];
    }
    if (method !== 'terminal/output') return [];
    const { output, truncated } = said;
    const text = asText(output)?.slice(-MOST_OUTPUT) ?? '';
    this.#set(terminal, { output: { output: text, ...(truncated !== undefined && { truncated }) } });
    const exit = asObject(said['exitStatus']);
    if (exit !== null) this.#set(terminal, { exit });
    return this.#terminals.get(terminal)?.exit == null ? [] : this.#ended(terminal, `${method} response`, origin);
  }

  /** The exit code of a terminal that an agent shows in a call; null where it is not known. */
  exitOf(content: readonly ExactJson[], session: string): number | null {
    for (const piece of content) {
      const name = asText(asObject(piece)?.['terminalId']);
      const exit = name === null ? null : this.#terminals.get(JSON.stringify([session, name]))?.exit;
      const code = exit == null ? null : exitCodeIn(exit);
      if (code !== null) return code;
    }
    return null;
  }

  /** What an agent says of a terminal that it runs itself (`terminal_update`, version 2). */
  updated(said: JsonObject, session: AcpSession): void {
    const exit = asObject(said['exitStatus']);
    if (exit !== null) this.#set(terminalKey(said, session), { exit });
  }

  /** No answer comes any more. */
  gaveUp(pending: AskedOfClient, end: CallEnd, origin: Origin): Seen[] {
    if (pending.kind === 'terminal') return [];
    return [this.#make.ended(pending.call, end, 'no response', origin)];
  }

  closed(origin: Origin): Seen[] {
    return [...this.#terminals.keys()].flatMap((key) => this.#ended(key, 'connection closed', origin));
  }

  #ended(terminal: string, rawEvent: string, origin: Origin): Seen[] {
    const known = this.#terminals.get(terminal);
    if (known?.call == null) return [];
    const { call, output } = known;
    this.#set(terminal, { call: null });
    return [
      this.#make.ended(call, { ...endOfTerminal(known), ...(output !== undefined && { output }) }, rawEvent, origin),
    ];
  }

  #set(terminal: string, known: Partial<Terminal>): void {
    this.#terminals.set(terminal, { ...NO_TERMINAL, ...this.#terminals.get(terminal), ...known });
  }

  #forgetTooMany(origin: Origin): Seen[] {
    const [oldest] = this.#terminals.keys();
    if (this.#terminals.size <= MOST_TERMINALS || oldest === undefined) return [];
    const seen = this.#ended(oldest, 'not followed', origin);
    this.#terminals.delete(oldest);
    return seen;
  }
}

function terminalKey(said: JsonObject, session: AcpSession | null): string {
  return JSON.stringify([session?.id ?? '', asText(said['terminalId']) ?? '']);
}

function endOfRequest({ result, error }: RpcResponse): CallEnd {
  if (error !== null) {
    return { stage: 'failed', outcome: { status: 'error', error: { type: error.code, message: error.message } } };
  }
  const { _meta, ...output } = result ?? {};
  return {
    stage: 'completed',
    outcome: { status: 'ok' },
    ...(Object.keys(output).length > 0 && { output }),
  };
}

function endOfTerminal({ exit, isKilled }: Terminal): CallEnd {
  const code = exit === null ? null : exitCodeIn(exit);
  if (code !== null) return { stage: 'completed', outcome: { status: 'ok', exit_code: code } };
  if (isKilled) return cancelled('The agent had the command killed.');
  const signal = asText(exit?.['signal']);
  if (signal === null) return unknown('released', 'The terminal was given up before the end of its command was seen.');
  return { stage: 'failed', outcome: { status: 'error', error: { type: 'signal', message: signal } } };
}
