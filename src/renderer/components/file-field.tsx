import { Labelled } from './labelled.tsx';

interface FileFieldProps {
  readonly label: string;
  readonly accept: string;
  readonly onFile: (file: File | null) => void;
  readonly isFilter?: boolean;
}

/** Chooses a file from the disk. */
export function FileField({ label, accept, onFile, isFilter = false }: FileFieldProps) {
  return (
    <Labelled label={label}>
      {(ties) => (
        <input
          {...ties}
          type="file"
          accept={accept}
          {...(isFilter ? { 'data-filter': true } : {})}
          onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
        />
      )}
    </Labelled>
  );
}
