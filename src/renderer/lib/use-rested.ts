import { useEffect, useState } from 'react';

/** How long a form must rest before it is asked about, in milliseconds. */
const REST_MS = 500;

/** A value once it has not changed for a moment: a question for each key that is pressed would be too many. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
