/**
 * The parameters of a query, one that is repeated as a list. Koa's own reading of them takes time with the square of their
 * number: an address of 16 KiB would keep the service for a second.
 */
export function readQuery(text: string): { readonly [name: string]: string | readonly string[] } {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, value);
    else if (typeof earlier === 'string') values.set(name, [earlier, value]);
    else earlier.push(value);
  }
  // As own members, __proto__ too.
  return Object.fromEntries(values);
}
