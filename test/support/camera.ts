/** A camera for pages: Chromium's headless shell has none, not even a made one. Whoever tests says which QR code it is held to. */
import type { BrowserContext, Page } from 'playwright';
import { qrCode } from '../../src/reports/pdf/qr.ts';

/** How often it takes a picture, in milliseconds. */
const PICTURE_MS = 50;

/** Has the pages of a context find a camera, which is held to the first of these codes. @returns holds that of a page to another one */
export async function withCamera(
  context: BrowserContext,
  texts: readonly string[],
): Promise<(page: Page, code: number) => Promise<void>> {
  const codes = texts.map((text) => qrCode(text));
  await context.addInitScript(
    ({ codes: shown, everyMs }) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [1280, 720];
      const draw = (): void => {
        const { size = 0, dark = [] } = shown[Number(document.documentElement.dataset['heldTo'] ?? 0)] ?? {};
        const to = canvas.getContext('2d');
        if (to === null) return;
        const module = Math.floor(canvas.height / (size + 8));
        to.fillStyle = 'white';
        to.fillRect(0, 0, canvas.width, canvas.height);
        to.fillStyle = 'black';
        for (const [x, y, width] of dark) to.fillRect(300 + x * module, (4 + y) * module, width * module, module);
      };
      navigator.mediaDevices.getUserMedia = async () => {
        draw();
        setInterval(draw, everyMs);
        return canvas.captureStream();
      };
    },
    { codes, everyMs: PICTURE_MS },
  );
  return async (page, code) => {
    await page.evaluate((held) => {
      document.documentElement.dataset['heldTo'] = String(held);
    }, code);
  };
}
