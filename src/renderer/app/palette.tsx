import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Seen } from '../ui/seen.tsx';
import type { Command } from './command.ts';
import { useCommands } from './commands.ts';
import { useFoundInLedger } from './found-in-ledger.ts';
import { PALETTE } from './texts.ts';

interface PaletteProps {
  readonly onClose: () => void;
  readonly showKeys: () => void;
}

/**
 * Screens, agents, commands and identifiers by typing, and what the ledger has for it: a combobox with its list, which starts over whenever
 * it is opened.
 */
export function Palette({ onClose, showKeys }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const offered = useCommands(typed, showKeys);
  const { commands: found, isSearching } = useFoundInLedger(typed);
  const commands = [...offered, ...found];
  const at = Math.min(chosen, commands.length - 1);

  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, at]);

  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((at + step + commands.length) % Math.max(1, commands.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[at]);
    }
  };

  return (
    <>
      <input
        role="combobox"
        aria-label={PALETTE.goOrRun}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={at >= 0 ? `${list}-${at}` : undefined}
        placeholder={PALETTE.placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <div id={list} role="listbox" aria-label={PALETTE.resultList} className="options" tabIndex={-1}>
        {commands.map((command, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={`${command.hint} ${command.label}`}
            id={`${list}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === at}
            onClick={() => run(command)}
            onMouseMove={() => setChosen(n)}
          >
            <Seen text={command.label} />
            <span className="muted">{command.hint}</span>
          </div>
        ))}
      </div>
      <p className="loading" role="status">
        {isSearching ? PALETTE.searching : commands.length === 0 ? PALETTE.nothing : ''}
      </p>
    </>
  );
}
