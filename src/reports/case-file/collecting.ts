/** Names of folders that hold no transcript and much else: whoever collects passes them over. */
export const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** How deep folders are followed: what lies deeper is left out and said. */
export const MAX_FOLDER_DEPTH = 64;
