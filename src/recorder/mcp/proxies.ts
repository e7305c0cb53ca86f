import type { RecorderHome } from '../base/home.ts';
import { keptToken, newToken } from '../base/kept-token.ts';
import { prepareOwnFolder } from '../base/own-files.ts';
import type { FeedId } from '../base/programs.ts';
import { RecorderClient } from '../seen/recorder-client.ts';
import { Handing } from './handing.ts';
import { type HttpProxy, type HttpProxySettings, proxyHttp } from './http-proxy.ts';
import { MCP } from './mcp-protocol.ts';
import type { RecordingSettings } from './recording.ts';
import type { RpcProtocol } from './rpc-protocol.ts';
import { type ProcessEnd, proxyStdio, type StdioSettings } from './stdio-proxy.ts';

/** Whose calls are recorded, and what their server or agent is called. */
export interface ProxyNames {
  /** Null where the name decides by which the program calls itself. */
  readonly feed: FeedId | null;
  /** What the user calls the server; null for what it calls itself. */
  readonly server: string | null;
  readonly home: RecorderHome;
  /** For the person at the terminal. */
  readonly say: (text: string) => void;
  /** Starts a recorder where none runs; never rejected. */
  readonly wake?: () => Promise<void>;
}

/**
 * Runs a server of MCP over stdio, and records what goes through, by the recorder of this user.
 * @throws the error of the system where the server cannot be started, such as ENOENT
 */
export function recordStdioServer(names: ProxyNames, settings: StdioSettings): Promise<ProcessEnd> {
  const fallbackName = settings.command.split(/[/\\]/).at(-1) ?? settings.command;
  return proxyStdio(settings, settingsOf(MCP, names, fallbackName, process.cwd()));
}

/**
 * Forwards to a server of MCP over HTTP, and records what goes through, by the recorder of this user.
 * @throws RecordError FOLDER_UNUSABLE; the error of the system where the port cannot be had, such as EADDRINUSE
 */
export function recordHttpServer(names: ProxyNames, settings: HttpProxySettings): Promise<HttpProxy> {
  return proxyHttp(settings, settingsOf(MCP, names, settings.upstream.host, null));
}

/**
 * What clients of a proxy over HTTP have to show: kept from one start to the next, but where another account has the recorder's folder.
 * @throws RecordError FOLDER_UNUSABLE
 */
export function proxyToken({ isSystem, folder, mcpToken }: RecorderHome): string {
  if (isSystem) return newToken();
  prepareOwnFolder(folder);
  return keptToken(mcpToken);
}

/** @param cwd the working folder of whoever works, where it is known */
export function settingsOf(
  protocol: RpcProtocol,
  { feed, server, home, say, wake }: ProxyNames,
  fallbackName: string,
  cwd: string | null,
): RecordingSettings {
  const client = new RecorderClient(home, protocol.name, wake);
  const handing = new Handing(client, say);
  return { protocol, handing, feed, isInstalled: client.isInstalled, serverName: server, fallbackName, cwd };
}
