/** Whether the target of a backup names a single file, rather than a folder. */
export function isSingleFile(to: string): boolean {
  return to.endsWith('.sqlite');
}
