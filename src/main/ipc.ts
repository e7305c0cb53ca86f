import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { z } from 'zod';
import { DesktopError } from './desktop-error.ts';

/** A call that a page may make, which looks at its arguments first. @throws DesktopError ARGUMENTS_REFUSED */
export type Channel = (args: readonly unknown[], sender: WebContents) => unknown;
export type Channels = Readonly<Record<`countersign:${string}`, Channel>>;

/** @param takes the form of the arguments; nothing else reaches `run` */
export function channel<T extends readonly unknown[]>(
  takes: z.ZodType<T>,
  run: (args: T, sender: WebContents) => unknown,
): Channel {
  return (args, sender) => {
    const parsed = takes.safeParse(args);
    if (!parsed.success) throw new DesktopError('ARGUMENTS_REFUSED', 'this call takes other arguments');
    return run(parsed.data, sender);
  };
}

export const NOTHING = z.tuple([]);

/** Whether a message comes from the top frame of a page of this very origin: a frame inside it, or another page, is refused. */
export function comesFrom({ senderFrame }: Pick<IpcMainInvokeEvent, 'senderFrame'>, origin: string): boolean {
  return senderFrame !== null && senderFrame.parent === null && senderFrame.origin === origin;
}

/**
 * Answers calls of pages. The page is taken for an attacker's: who calls is looked at first, then what they say.
 * @param origin of the pages that may call
 * @param onRefused called with what was refused, with no argument in it
 */
export function answerPages(
  origin: () => string | null,
  channels: Channels,
  onRefused: (name: string, code: string) => void,
): void {
  for (const [name, answer] of Object.entries(channels)) {
    ipcMain.handle(name, async (event, ...args: unknown[]) => {
      try {
        const allowed = origin();
        if (allowed === null || !comesFrom(event, allowed)) {
          throw new DesktopError('SENDER_REFUSED', 'this call is for another page');
        }
        return await answer(args, event.sender);
      } catch (error) {
        if (error instanceof DesktopError) onRefused(name, error.code);
        throw error;
      }
    });
  }
}
