import type { RecorderHome } from '../base/home.ts';
import type { FeedId } from '../base/programs.ts';
import { RecorderClient } from '../seen/recorder-client.ts';
import { Handing } from './handing.ts';
import { type HttpProxy, type HttpProxySettings, proxyHttp } from './http-proxy.ts';
import { MCP } from './mcp-protocol.ts';
import { type ProcessEnd, proxyStdio, type StdioSettings } from './stdio-proxy.ts';

/** Whose calls are recorded, and what their server is called. */
export interface McpNames {
  /** Null where the client's own name decides. */
  readonly feed: FeedId | null;
  /** What the user calls the server; null for what it calls itself. */
  readonly server: string | null;
  readonly home: RecorderHome;
  /** For the person at the terminal. */
  readonly say: (text: string) => void;
}

/**
 * Runs a server of MCP over stdio, and records what goes through, by the recorder of this user.
 * @throws the error of the system where the server cannot be started, such as ENOENT
 */
export function recordStdioServer(names: McpNames, settings: StdioSettings): Promise<ProcessEnd> {
  const fallbackName = settings.command.split(/[/\\]/).at(-1) ?? settings.command;
  return proxyStdio(settings, settingsOf(names, fallbackName, process.cwd()));
}

/**
 * Forwards to a server of MCP over HTTP, and records what goes through, by the recorder of this user.
 * @throws the error of the system where the port cannot be had, such as EADDRINUSE
 */
export function recordHttpServer(names: McpNames, settings: HttpProxySettings): Promise<HttpProxy> {
  return proxyHttp(settings, settingsOf(names, settings.upstream.host, null));
}

function settingsOf({ feed, server, home, say }: McpNames, fallbackName: string, cwd: string | null) {
  const client = new RecorderClient(home);
  const handing = new Handing(client, say);
  return { protocol: MCP, handing, feed, isInstalled: client.isInstalled, serverName: server, fallbackName, cwd };
}
