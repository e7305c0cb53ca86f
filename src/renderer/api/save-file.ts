const KEPT_MS = 60_000;

/** Gives a file to the person at the browser, who decides where it goes. */
export function saveFile(name: string, content: string, type: string): void {
  saveBlob(name, new Blob([content], { type: `${type};charset=utf-8` }));
}

/** The same of what is a file already. */
export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
