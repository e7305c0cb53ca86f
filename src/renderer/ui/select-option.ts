/** One of a few that can be chosen (SelectField). */
export interface SelectOption<T extends string> {
  readonly value: T;
  readonly label: string;
  /** Whether it is shown and cannot be chosen. */
  readonly disabled?: boolean;
}
