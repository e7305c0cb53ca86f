/** Where the service is, for programs: the address that this page came from, without a slash at its end. */
export function serviceAddress(): string {
  return new URL('.', window.location.href).href.replace(/\/$/, '');
}
