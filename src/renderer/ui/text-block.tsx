import { ScrollArea } from './scroll-area.tsx';
import { Seen } from './seen.tsx';

/** A text of several lines as it is, such as a program. */
export function TextBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <ScrollArea className="block" label={label}>
      <pre>
        <Seen text={text} lines />
      </pre>
    </ScrollArea>
  );
}
