/** What an error says, and anything else that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return String(error);
}

/** The code of an error, of Node, the system, SQLite or ours; null where it has none. */
export function codeOf(error: unknown): string | null {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return code === undefined ? null : String(code);
}

/** Whether an error has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error);
  return code !== null && codes.includes(code);
}
