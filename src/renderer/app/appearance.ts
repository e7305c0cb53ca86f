/** How the page looks; kept in the browser, for it belongs to the screen and not to the account. */
export interface Appearance {
  readonly theme: 'system' | 'light' | 'dark';
  readonly contrast: 'normal' | 'more';
}

const KEY = 'countersign.appearance';
const THEMES: readonly string[] = ['system', 'light', 'dark'];

export function storedAppearance(): Appearance {
  const [theme = '', contrast] = (localStorage.getItem(KEY) ?? '').split(' ');
  return {
    theme: THEMES.includes(theme) ? (theme as Appearance['theme']) : 'system',
    contrast: contrast === 'more' ? 'more' : 'normal',
  };
}

export function applyAppearance({ theme, contrast }: Appearance): void {
  document.documentElement.dataset['theme'] = theme;
  document.documentElement.dataset['contrast'] = contrast;
}

export function storeAppearance(appearance: Appearance): void {
  localStorage.setItem(KEY, `${appearance.theme} ${appearance.contrast}`);
  applyAppearance(appearance);
  window.dispatchEvent(new Event('countersign:appearance'));
}
