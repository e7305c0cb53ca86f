/** How the page looks; kept in the browser, for it belongs to the screen and not to the account. */
export interface Appearance {
  readonly theme: 'system' | 'light' | 'dark';
  readonly contrast: 'normal' | 'more';
  /** Whether text from right to left is drawn as it is read, or character by character as it is stored. */
  readonly textOrder: 'reading' | 'logical';
}

const KEY = 'countersign.appearance';
const THEMES: readonly string[] = ['system', 'light', 'dark'];

export function storedAppearance(): Appearance {
  const [theme = '', contrast, textOrder] = (localStorage.getItem(KEY) ?? '').split(' ');
  return {
    theme: THEMES.includes(theme) ? (theme as Appearance['theme']) : 'system',
    contrast: contrast === 'more' ? 'more' : 'normal',
    textOrder: textOrder === 'logical' ? 'logical' : 'reading',
  };
}

export function applyAppearance({ theme, contrast, textOrder }: Appearance): void {
  document.documentElement.dataset['theme'] = theme;
  document.documentElement.dataset['contrast'] = contrast;
  document.documentElement.dataset['textOrder'] = textOrder;
}

export function storeAppearance(appearance: Appearance): void {
  localStorage.setItem(KEY, `${appearance.theme} ${appearance.contrast} ${appearance.textOrder}`);
  applyAppearance(appearance);
  window.dispatchEvent(new Event('countersign:appearance'));
}
