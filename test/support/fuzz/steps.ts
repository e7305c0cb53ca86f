/** Ledgers in whose making one step is changed: all that follows it is built and signed upon the change. */
import { makeBundle, type Plan, type Steps } from '../bundle-maker.ts';
import { PLAIN_CHANGES } from './changes.ts';
import type { Draw } from './draw.ts';
import { signAsServiceKey } from './reseal.ts';
import { type Branch, copyOf, type Tree } from './tree.ts';

const STEPS = [
  ...['serviceKey', 'agentKey', 'attestedKey', 'agent', 'adminEvent', 'hashedEvent', 'record', 'record', 'record'],
  ...['signedRecord', 'receipt', 'receipt', 'signedReceipt', 'epoch', 'epoch', 'signedEpoch', 'manifest', 'manifest'],
] as const satisfies readonly (keyof Steps)[];

export interface Remade {
  readonly what: string;
  readonly bundle: Tree;
  readonly receipts: readonly Tree[];
}

/** @returns a bundle of the changed ledger; undefined where the maker can make nothing of the change */
export function remade(plan: Plan, draw: Draw, others: readonly Tree[]): Remade | undefined {
  const step = draw.pick(STEPS);
  const wanted = draw.below(step === 'manifest' ? 1 : 4);
  const change = draw.weighted(PLAIN_CHANGES);
  let done = 'nothing';
  const changed = (draft: unknown, index = 0): unknown => {
    const inherited = (plan[step] as ((draft: unknown, index: number) => unknown) | undefined)?.(draft, index) ?? draft;
    if (index !== wanted) return inherited;
    const copy = copyOf(inherited) as Branch;
    done = change(copy, draw, others);
    if (step === 'serviceKey') signAsServiceKey(copy);
    return copy;
  };
  try {
    const { bundle, receipts } = makeBundle({ ...plan, [step]: changed });
    return {
      what: `${step} ${wanted}: ${done}`,
      bundle: copyOf(bundle) as unknown as Tree,
      receipts: copyOf(receipts) as unknown as Tree[],
    };
  } catch (error) {
    // The maker counts on shapes that the change took away.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
