/** Text that is HTML already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Markup | readonly Markup[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function textOf(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Markup with values in it: whatever is no markup itself is text. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.map((part, index) => part + textOf(values[index] ?? '')).join(''));
}

const STYLE = `
body { font: 15px/1.45 "IBM Plex Sans", system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1.5rem; color: #16181d; background: #fff; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 1rem; }
.draft { border: 2px solid #8a3b00; background: #fff4ea; color: #5c2700; padding: .75rem 1rem; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; font-size: .875rem; }
th, td { border: 1px solid #b9bec9; padding: .4rem .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th { background: #eef0f4; } .code { font-family: "JetBrains Mono", ui-monospace, monospace; font-size: .75rem; }
.blank { color: #8a3b00; font-style: italic; } .line { display: inline-block; min-width: 14rem; border-bottom: 1px solid #16181d; height: 1.2em; }
small { color: #4b5160; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; } }
`;

/** A whole document that runs nothing and loads nothing. */
export function page(title: string, body: Markup): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${textOf(title)}</title>
<style>${STYLE}</style>
</head>
<body>${body.text}
</body>
</html>
`;
}
