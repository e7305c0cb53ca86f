import { useCallback, useState } from 'react';

interface Folds {
  /** Whether those that nobody has touched are open. */
  readonly open: boolean;
  /** Those that are the other way round. */
  readonly except: ReadonlySet<string>;
}

/** Which steps are unfolded: all of them or none, but for those that somebody folded or unfolded since. */
export function useFolds(begin: string | undefined) {
  const [{ open, except }, setFolds] = useState<Folds>({
    open: false,
    except: new Set(begin === undefined ? [] : [begin]),
  });
  const toggle = useCallback(
    (id: string) =>
      setFolds((before) => {
        const next = new Set(before.except);
        if (!next.delete(id)) next.add(id);
        return { ...before, except: next };
      }),
    [],
  );
  const openAll = useCallback(() => setFolds({ open: true, except: new Set() }), []);
  const closeAll = useCallback(() => setFolds({ open: false, except: new Set() }), []);
  const isOpen = useCallback((id: string) => open !== except.has(id), [open, except]);
  return { isOpen, toggle, openAll, closeAll };
}
