import type { Call, View } from './call.ts';
import type { ActionFacts } from './facts.ts';
import type { FindingLog } from './finding-log.ts';
import { compareContents, type KnownContent } from './known-content.ts';

/** Outputs of different forms say nothing about each other: an answer of MCP is no text of a hook. */
function outputsDiffer(a: KnownContent | null, b: KnownContent | null): { readonly pointer: string | null } | null {
  if (a === null || b === null || a.form !== b.form || a.form.trim() === '') return null;
  const { same, pointer } = compareContents(a, b, false);
  return same === false ? { pointer } : null;
}

function inputsDiffer(a: KnownContent | null, b: KnownContent | null): { readonly pointer: string | null } | null {
  if (a === null || b === null) return null;
  const { same, pointer } = compareContents(a, b, false);
  return same === false ? { pointer } : null;
}

function at(member: string, pointer: string | null): string {
  return pointer === null ? member : `${member}/value${pointer}`;
}

const INPUT = 'Two witnesses of one call state different inputs.';
const OUTPUT = 'Two witnesses of one call state different outputs.';
const STATUS = 'Two witnesses of one call state different outcomes.';

/** Holds the witnesses that one record names against what the record itself says. */
export function compareWithin({ record, action, input, output, witnesses }: ActionFacts, log: FindingLog): void {
  for (const [i, witness] of witnesses.entries()) {
    const own = `/witnesses/${i}`;
    const report = (message: string, pointer: string): void =>
      log.add('WITNESSES_DISAGREE', 'contradiction', record, message, { pointer });
    const inputs = inputsDiffer(input, witness.input);
    if (inputs !== null) report(INPUT, at(`${own}/input`, inputs.pointer));
    const outputs = outputsDiffer(output, witness.output);
    if (outputs !== null) report(OUTPUT, at(`${own}/output`, outputs.pointer));
    const status = action.outcome?.status ?? (action.phase === 'completed' ? 'ok' : null);
    if (status !== null && witness.status !== null && status !== witness.status) report(STATUS, `${own}/status`);
  }
}

function others(call: Call, view: View): View[] {
  return [...call.views.values()].filter((other) => other !== view);
}

/** Holds the input that a witness saw carried out against what the first other witness saw. */
export function compareInputs(call: Call, view: View, log: FindingLog): void {
  const own = view.executed;
  const other = others(call, view).find(({ executed }) => executed !== null)?.executed;
  if (own === null || other == null) return;
  const inputs = inputsDiffer(other.input, own.input);
  if (inputs === null) return;
  log.add('WITNESSES_DISAGREE', 'contradiction', own, INPUT, { other, pointer: at('/input', inputs.pointer) });
}

/** Holds how a witness saw the call end against what the first other witness saw. */
export function compareEnds(call: Call, view: View, log: FindingLog): void {
  const own = view.ended;
  const other = others(call, view).find(({ ended }) => ended !== null)?.ended;
  if (own === null || other == null) return;
  const report = (message: string, pointer: string): void =>
    log.add('WITNESSES_DISAGREE', 'contradiction', own, message, { other, pointer });
  // A call that was carried out without a word on its end, or whose end nobody saw, has its end from whoever knows.
  if (other.said && own.said && other.status !== own.status) report(STATUS, '/outcome/status');
  const outputs = outputsDiffer(other.output, own.output);
  if (outputs !== null) report(OUTPUT, at('/output', outputs.pointer));
}
