const KEY = 'countersign.organization';

/**
 * What the organization is called of whoever was signed in last in this browser; null where nobody was. The service itself tells it to
 * nobody who is not signed in.
 */
export function knownOrganization(): string | null {
  return localStorage.getItem(KEY);
}

/** Keeps the name for the next sign-in. */
export function rememberOrganization(name: string): void {
  localStorage.setItem(KEY, name);
}
