import { type ProxyNames, settingsOf } from '../mcp/proxies.ts';
import { type ProcessEnd, proxyStdio, type StdioSettings } from '../mcp/stdio-proxy.ts';
import { ACP } from './acp-protocol.ts';

/**
 * Runs an agent of the Agent Client Protocol, and records what goes through, by the recorder of this user.
 * @throws the error of the system where the agent cannot be started, such as ENOENT
 */
export function recordAcpAgent(names: ProxyNames, settings: StdioSettings): Promise<ProcessEnd> {
  const fallbackName = settings.command.split(/[/\\]/).at(-1) ?? settings.command;
  return proxyStdio(settings, settingsOf(ACP, names, fallbackName, process.cwd()));
}
