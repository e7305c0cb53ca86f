/** Whatever is not seen, or turns the direction of what is: controls, formats, separators, unassigned and private. */
const UNSEEN = /([\p{C}\p{Zl}\p{Zp}])/u;

/** A name that somebody gave, set off from the text around it; what it hides stands there by its number. */
export function Seen({ text }: { readonly text: string }) {
  let offset = 0;
  return (
    <bdi>
      {text.split(UNSEEN).map((part) => {
        const key = offset;
        offset += part.length;
        if (!UNSEEN.test(part)) return part;
        return (
          <span key={key} className="unseen" title="A character that is not seen">
            U+{(part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}
          </span>
        );
      })}
    </bdi>
  );
}
