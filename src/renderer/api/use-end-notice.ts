import { useEffect, useRef } from 'react';
import { visibleText } from '../../protocol/index.ts';
import { notifyJobEnded } from './desktop.ts';
import { USE_END_NOTICE } from './texts.ts';

/**
 * Tells the system when a job that was seen running has ended.
 * @param isRunning undefined where it is not known yet
 * @param outcome the result, in a word or two
 */
export function useEndNotice(title: string, isRunning: boolean | undefined, outcome: string): void {
  const before = useRef(isRunning);
  useEffect(() => {
    if (before.current === true && isRunning === false)
      notifyJobEnded(visibleText(title), USE_END_NOTICE.ended(outcome));
    before.current = isRunning;
  }, [title, isRunning, outcome]);
}
