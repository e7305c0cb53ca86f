import type { WebContents } from './web-contents.ts';

export interface FrameLike {
  readonly url: string;
  readonly origin: string;
  readonly parent: FrameLike | null;
}

export interface InvokeEvent {
  readonly sender: WebContents;
  readonly senderFrame: FrameLike | null;
}

type InvokeHandler = (event: InvokeEvent, ...args: unknown[]) => unknown;

const handlers = new Map<string, InvokeHandler>();

export const ipcMain = {
  handle: (channel: string, handler: InvokeHandler): void => {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
  removeHandler: (channel: string): void => void handlers.delete(channel),
  eventNames: (): string[] => [...handlers.keys()],
};

/** A page's invoke. @throws what the handler throws, in Electron's words */
export async function answerInvoke(event: InvokeEvent, channel: string, args: readonly unknown[]): Promise<unknown> {
  const handler = handlers.get(channel);
  if (handler === undefined) throw new Error(`Error invoking remote method '${channel}': no handler registered`);
  try {
    return await handler(event, ...args);
  } catch (error) {
    throw new Error(`Error invoking remote method '${channel}': ${String(error)}`);
  }
}
