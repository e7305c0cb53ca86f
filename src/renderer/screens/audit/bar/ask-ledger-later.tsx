import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';

const AskLedger = lazyRouteComponent(() => import('./ask-ledger.tsx'), 'AskLedger');

/** The box for a query, in whose place nothing moves while its code is on its way: what reads queries is large. */
export function AskLedgerLater() {
  return (
    <Suspense fallback={<div className="ask-ledger" />}>
      <AskLedger />
    </Suspense>
  );
}
