import { useId } from 'react';

interface FileFieldProps {
  readonly label: string;
  readonly accept: string;
  readonly onFile: (file: File | null) => void;
  readonly isFilter?: boolean;
}

/** Chooses a file from the disk. */
export function FileField({ label, accept, onFile, isFilter = false }: FileFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        {...(isFilter ? { 'data-filter': true } : {})}
        onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
      />
    </div>
  );
}
