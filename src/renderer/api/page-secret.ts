const NAME = 'countersign.page';

/** Where the browser keeps nothing for pages: the session then ends with this one. */
let unkept: string | null = null;

/**
 * The secret that ties sessions to the origin of this page, sent with each call. Read each time, so that all windows of the
 * browser have the same.
 */
export function pageSecret(): string {
  try {
    const kept = localStorage.getItem(NAME);
    if (kept !== null && /^[A-Za-z0-9_-]{43}$/.test(kept)) return kept;
    const secret = unkept ?? newSecret();
    unkept = secret;
    localStorage.setItem(NAME, secret);
    return secret;
  } catch {
    // Storage is refused, or full.
    unkept ??= newSecret();
    return unkept;
  }
}

/** 256 random bits in base64url. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
