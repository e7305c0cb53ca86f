import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ANSWER } from './texts.ts';
import { useConnection } from './use-connection.ts';

/** Ends a question that may take long, and whether it is under way. */
export interface Stop {
  readonly act: () => void;
  readonly isAsked: boolean;
}

/** Ends some questions, on the service too. */
export function useStop(keys: readonly QueryKey[], isAsked: boolean): Stop {
  const client = useQueryClient();
  return {
    act: () => {
      for (const queryKey of keys) void client.cancelQueries({ queryKey });
    },
    isAsked,
  };
}

/** Nobody reads a button that is there for less. */
const LONG_MS = 1_000;

/** Whether something has been so for longer than a moment. */
function useLong(is: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!is) return;
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [is]);
  return is && isLong;
}

interface WaitingProps {
  /** What is being loaded, as it continues "Loading …". */
  readonly what: string;
  /** Where it can be ended. */
  readonly stop?: Stop | undefined;
  readonly retry: () => void;
  /** Whether an answer to the question before is shown meanwhile: then nothing is said for a moment. */
  readonly hasOther?: boolean;
}

/** An answer that is on its way, how to end that if it takes long, and how to ask again once it was ended. */
export function Waiting({ what, stop, retry, hasOther = false }: WaitingProps) {
  const { isCut } = useConnection();
  const isStopped = stop?.isAsked === false;
  const isLong = useLong(stop?.isAsked === true);
  if (hasOther && !isLong && !isStopped) return null;
  return (
    <p className="loading" role="status">
      {isCut || isStopped ? ANSWER.notLoaded(what) : ANSWER.loading(what)}
      {isLong && !isCut && (
        <button type="button" className="button-small" onClick={stop?.act}>
          {ANSWER.stop}
        </button>
      )}
      {isStopped && !isCut && (
        <button type="button" className="button-small" onClick={retry}>
          {ANSWER.tryAgain}
        </button>
      )}
    </p>
  );
}
