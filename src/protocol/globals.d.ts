/**
 * The only three names outside ECMAScript that this layer uses. Node and every browser have them; they are declared here,
 * and not taken from a host's type library, so that nothing else of a host can slip in.
 */
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
}
declare const crypto: { getRandomValues(into: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> };
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes: Uint8Array): string;
}
