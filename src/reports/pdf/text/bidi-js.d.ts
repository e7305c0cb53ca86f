/** What is used of bidi-js. Its own types say `export default`, which its CommonJS module does not have. */
declare module 'bidi-js' {
  interface Bidi {
    getEmbeddingLevels(text: string, baseDirection: 'auto'): { readonly levels: Uint8Array };
    /** Null of a character without a mirror image. */
    getMirroredCharacter(character: string): string | null;
  }
  export default function bidiFactory(): Bidi;
}
