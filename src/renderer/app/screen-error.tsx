import type { ErrorComponentProps } from '@tanstack/react-router';
import { sentenceOf } from '../api/call.ts';
import { Screen } from '../components/screen.tsx';
import { SCREEN_ERROR } from './texts.ts';

/** A screen that broke: the others go on. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  return (
    <Screen title={SCREEN_ERROR.title} name={SCREEN_ERROR.noMessage}>
      <div className="failure" role="alert">
        <p>{sentenceOf(error)}</p>
        <p className="muted">{SCREEN_ERROR.explained}</p>
        <button type="button" onClick={reset}>
          {SCREEN_ERROR.tryAgain}
        </button>
      </div>
    </Screen>
  );
}
