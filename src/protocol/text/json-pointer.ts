/** A name as a step of a JSON Pointer, with the slash before it. RFC 6901, section 3. */
export function pointerStep(name: string): string {
  return `/${name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name}`;
}

/** The name that a step has, without its slash. RFC 6901, section 4. */
export function nameOfStep(step: string): string {
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
}

/** The names of a JSON Pointer, the outermost first; none of the empty one. */
export function namesOfPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(nameOfStep);
}
