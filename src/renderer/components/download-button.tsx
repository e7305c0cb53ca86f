import { useMutation } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import type { RouteName } from '../../api/index.ts';
import { type CallInput, fetchFile, sentenceOf } from '../api/call.ts';
import { download } from '../api/download.ts';
import { saveBlob } from '../api/save-file.ts';
import { toast } from '../ui/toasts.tsx';

interface DownloadButtonProps extends Omit<ComponentProps<'button'>, 'onClick' | 'type' | 'disabled'> {
  /** The route that answers with the file. */
  readonly file: RouteName;
  readonly input?: CallInput;
  /** What the file is called, where the route names none: a text that screens and programs read as well. */
  readonly as?: string;
}

/** Saves a file that the service has. Not a link: an address alone opens nothing. */
export function DownloadButton({ file, input = {}, as, children, ...button }: DownloadButtonProps) {
  const save = useMutation({
    mutationFn: async () => (as === undefined ? download(file, input) : saveBlob(as, await fetchFile(file, input))),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <button {...button} type="button" disabled={save.isPending} onClick={() => save.mutate()}>
      {children}
    </button>
  );
}
