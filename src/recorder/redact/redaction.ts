/** Something that was replaced before signing: `redactions[]` of the payload profile. */
export interface Redaction {
  /** JSON Pointer (RFC 6901). */
  readonly at: string;
  /** What was replaced there, such as github-token, password, lone-surrogate, depth, binary. */
  readonly type: string;
}
