/** What a file is that was found, without what looks into it. */
export { encodingOf, type FoundKind, HEAD_BYTES, kindOfFound, PACKED_HEAD_BYTES } from './found-kind.ts';
