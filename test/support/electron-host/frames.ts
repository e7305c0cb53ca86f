import type { FrameLike } from './ipc-main.ts';

/** The top frame at an address. Frames within frames are not told apart: the service's policy allows none. */
export function frameOf(url: string): FrameLike {
  return { url, origin: URL.canParse(url) ? new URL(url).origin : 'null', parent: null };
}

export function isMainFrame(frame: { readonly parentId?: string }): boolean {
  return frame.parentId === undefined;
}
