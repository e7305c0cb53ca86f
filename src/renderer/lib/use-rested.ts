import { useEffect, useState } from 'react';

/** How long what is typed must rest before it is asked about, in milliseconds. */
const REST_MS = 500;

/** A value once it has not changed for a moment: a question for each key that is pressed would be too many. */
export function useRested(text: string, ms = REST_MS): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return rested;
}
