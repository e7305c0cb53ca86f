import { useEffect, useRef } from 'react';
import { Labelled } from './labelled.tsx';

interface FileFieldProps {
  readonly label: string;
  readonly accept: string;
  readonly onFile?: (file: File | null) => void;
  /** Where several may be chosen. */
  readonly onFiles?: (files: readonly File[]) => void;
  readonly isFilter?: boolean;
  /** A file that did not come by the field, such as one that was dropped: the field shows it all the same. */
  readonly dropped?: File | null;
}

/** Chooses a file, or files, from the disk. */
export function FileField({ label, accept, onFile, onFiles, isFilter = false, dropped = null }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (dropped === null || input.current === null) return;
    const files = new DataTransfer();
    files.items.add(dropped);
    // Set by the page, the field tells nobody.
    input.current.files = files.files;
  }, [dropped]);
  return (
    <Labelled label={label}>
      {(ties) => (
        <input
          {...ties}
          ref={input}
          type="file"
          accept={accept}
          {...(isFilter ? { 'data-filter': true } : {})}
          multiple={onFiles !== undefined}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            onFile?.(files[0] ?? null);
            onFiles?.(files);
          }}
        />
      )}
    </Labelled>
  );
}

interface FolderFieldProps {
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Chooses a folder with all that is below it. */
export function FolderField({ label, onFiles }: FolderFieldProps) {
  return (
    <Labelled label={label}>
      {(ties) => (
        <input
          {...ties}
          ref={(input) => {
            if (input !== null) input.webkitdirectory = true;
          }}
          type="file"
          onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])}
        />
      )}
    </Labelled>
  );
}
