/** One thing that the palette offers. */
export interface Command {
  readonly label: string;
  readonly hint: string;
  readonly run: () => void;
}
