/** What the recorder says of events once they are signed and on its disk. */
export interface Verdict {
  /** Whether the agent may go on. */
  readonly allowed: boolean;
  /** Why not, in one sentence for the agent; null where it may. */
  readonly reason: string | null;
  /** The operations that were made of them, in order. */
  readonly operation_ids: readonly string[];
}
