/** A domain in the labels that DNS has for it; what can be none stays as it is. */
export function domainInLabels(domain: string): string {
  if (!/\P{ASCII}|xn--/iu.test(domain) || !/^[\p{L}\p{M}\p{N}.。-]+$/u.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    // No domain that DNS could have: it stays what it is, and no mail reaches it.
    return domain;
  }
}
