import { FILTER_INPUT } from './texts.ts';

interface FilterInputProps {
  readonly placeholder: string;
  readonly size: number;
  readonly value: string;
  /** Undefined where nothing is typed: the address then has nothing about it. */
  readonly onChange: (value: string | undefined) => void;
}

/** Narrows the list of a screen down as it is typed into; `/` goes to it. */
export function FilterInput({ placeholder, size, value, onChange }: FilterInputProps) {
  return (
    <input
      data-filter
      aria-label={FILTER_INPUT.filter}
      placeholder={placeholder}
      size={size}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
