/**
 * What is kept between one record and the next: short texts by key. Keys hold names of tools, hosts and sessions; a memory that is
 * stored may keep a hash in their place.
 */
export interface MarkMemory {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  delete(key: string): void;
}
