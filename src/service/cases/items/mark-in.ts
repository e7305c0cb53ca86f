/** Whether bytes contain a text, as ASCII. */
export function markIn(bytes: Uint8Array, mark: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(mark, 0, 'latin1');
}
