import type { ErrorComponentProps } from '@tanstack/react-router';
import { sentenceOf } from '../api/call.ts';
import { Screen } from '../components/screen.tsx';

/** A screen that broke: the others go on. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  return (
    <Screen title="This screen has failed" name="Error">
      <div className="failure" role="alert">
        <p>{sentenceOf(error)}</p>
        <p className="muted">Nothing in the ledger was changed. The other screens go on working.</p>
        <button type="button" onClick={reset}>
          Try again
        </button>
      </div>
    </Screen>
  );
}
