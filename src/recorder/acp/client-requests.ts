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

/** The most terminals that are followed, and the most characters of output that are kept of one and of all: either side may name any. */
const MOST_TERMINALS = 1_000;
const MOST_OUTPUT = 1 << 20;
const MOST_OUTPUTS = 32 << 20;

/** A request that waits for its response. */
export type AskedOfClient =
  | { readonly kind: 'call'; readonly call: AcpCall; readonly size: number }
  /** About a terminal that was created before. */
  | { readonly kind: 'terminal'; readonly method: string; readonly terminal: string };

interface Terminal {
  /** Null where the call has ended, or was never recorded. */
  readonly call: AcpCall | null;
  readonly output: ExactJson | undefined;
  /** Characters of the output. */
  readonly size: number;
  readonly exit: Exit | null;
  readonly isKilled: boolean;
}

/** How a command ended, as the client says it. */
interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

const NO_TERMINAL: Terminal = { call: null, output: undefined, size: 0, exit: null, isKilled: false };

/** What an agent asks its client to do: files, and commands in terminals. */
export class ClientRequests {
  readonly #make: AcpSeen;
  readonly #terminals = new Map<string, Terminal>();
  #outputs = 0;

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
      const call = { ...this.#call(method, type, params, session), origin };
      const pending = { kind: 'call', call, size: origin.size } as const;
      return { pending, seen: [this.#make.call(call, 'started', method, origin)] };
    }
    if (!method.startsWith('terminal/')) return null;
    const terminal = terminalKey(params, session);
    // The client ends what still runs in a terminal that is released.
    const seen =
      method === 'terminal/kill'
        ? this.#set(terminal, { isKilled: true }, origin)
        : method === 'terminal/release'
          ? this.#ended(terminal, method, origin)
          : [];
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
    return this.#set(terminalKey({ terminalId: name }, session), { call }, origin);
  }

  #terminalAnswered(
    { method, terminal }: AskedOfClient & { kind: 'terminal' },
    said: JsonObject,
    origin: Origin,
  ): Seen[] {
    if (method === 'terminal/wait_for_exit') return this.#set(terminal, { exit: exitIn(said) }, origin);
    if (method !== 'terminal/output') return [];
    const { truncated } = said;
    // A copy: a part of a text keeps all of it.
    const text = Buffer.from(asText(said['output'])?.slice(-MOST_OUTPUT) ?? '').toString();
    const output = { output: text, ...(typeof truncated === 'boolean' && { truncated }) };
    const exit = asObject(said['exitStatus']);
    const known = { output, size: text.length, ...(exit !== null && { exit: exitIn(exit) }) };
    const dropped = this.#set(terminal, known, origin);
    if (this.#terminals.get(terminal)?.exit == null) return dropped;
    return [...dropped, ...this.#ended(terminal, `${method} response`, origin)];
  }

  /** The exit code of a terminal that an agent shows in a call; null where it is not known. */
  exitOf(content: readonly ExactJson[], session: string): number | null {
    for (const piece of content) {
      const name = asText(asObject(piece)?.['terminalId']);
      const exit = name === null ? null : this.#terminals.get(JSON.stringify([session, name]))?.exit;
      if (exit?.code != null) return exit.code;
    }
    return null;
  }

  /** What an agent says of a terminal that it runs itself (`terminal_update`, version 2). */
  updated(said: JsonObject, session: AcpSession, origin: Origin): Seen[] {
    const exit = asObject(said['exitStatus']);
    return exit === null ? [] : this.#set(terminalKey(said, session), { exit: exitIn(exit) }, origin);
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
    // How it ended is asked for later, and what it printed is not.
    this.#keep(terminal, { call: null, output: undefined, size: 0 });
    return [
      this.#make.ended(call, { ...endOfTerminal(known), ...(output !== undefined && { output }) }, rawEvent, origin),
    ];
  }

  /** @returns the ends of commands that are not followed any more, where there is no room for all */
  #set(terminal: string, known: Partial<Terminal>, origin: Origin): Seen[] {
    this.#keep(terminal, known);
    const seen: Seen[] = [];
    for (const oldest of this.#terminals.keys()) {
      if (this.#terminals.size <= MOST_TERMINALS && this.#outputs <= MOST_OUTPUTS) break;
      seen.push(...this.#ended(oldest, 'not followed', origin));
      this.#outputs -= this.#terminals.get(oldest)?.size ?? 0;
      this.#terminals.delete(oldest);
    }
    return seen;
  }

  #keep(terminal: string, known: Partial<Terminal>): void {
    const before = this.#terminals.get(terminal) ?? NO_TERMINAL;
    const now = { ...before, ...known };
    this.#outputs += now.size - before.size;
    this.#terminals.set(terminal, now);
  }
}

function terminalKey(said: JsonObject, session: AcpSession | null): string {
  return JSON.stringify([session?.id ?? '', asText(said['terminalId']) ?? '']);
}

function exitIn(said: JsonObject): Exit {
  return { code: exitCodeIn(said), signal: asText(said['signal'])?.slice(0, 64) ?? null };
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
  const { code = null, signal = null } = exit ?? {};
  if (code !== null) return { stage: 'completed', outcome: { status: 'ok', exit_code: code } };
  if (isKilled) return cancelled('The agent had the command killed.');
  if (signal === null) return unknown('released', 'The terminal was given up before the end of its command was seen.');
  return { stage: 'failed', outcome: { status: 'error', error: { type: 'signal', message: signal } } };
}
