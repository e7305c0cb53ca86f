/**
 * Whether an address belongs to the service. Origins are compared as parsed, since a prefix comparison would let
 * `http://127.0.0.1:8787.example.org` or `http://127.0.0.1:8787@example.org` through.
 */
export function isWithin(origin: string, address: string): boolean {
  return URL.canParse(address) && new URL(address).origin === origin;
}
