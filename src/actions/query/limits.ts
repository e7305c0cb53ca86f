/** Longest text of a query, in UTF-16 units. */
export const MAX_QUERY_LENGTH = 4096;
/** Most terms of a query. */
export const MAX_QUERY_TERMS = 64;
/** How deep groups and `not` may be nested. */
export const MAX_QUERY_DEPTH = 16;
/** Largest program that a regular expression may become, in instructions of the engine. */
export const MAX_REGEX_PROGRAM = 5000;
