/**
 * A moving picture of a page as somebody uses it. Frames are pictures of the real page; how long each is shown is said here, so
 * that the pace does not depend on how busy the machine is. A page has no pointer in its pictures, so one is drawn onto them,
 * with the file that is dragged, and a line above says what happens.
 */
import { writeFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright';
import { above, onto } from './compose.ts';
import { type Frame, writeGif } from './gif.ts';
import { type Picture, readPng } from './png.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

const FRAME_MS = 60;
const FRAMES_OF_A_WAY = 10;
const FRAMES_OF_SCROLLING = 5;
const CAPTION_HEIGHT = 46;
const FONT = "'IBM Plex Sans', sans-serif";

export class Recording {
  readonly #page: Page;
  /** Where lines and pointers are drawn. */
  readonly #drawing: Page;
  readonly #scale: number;
  readonly #frames: Frame[] = [];
  #seen: Picture | null = null;
  #caption: Picture | null = null;
  #pointer: Picture | null = null;
  #at: Point = { x: 0, y: 0 };

  private constructor(page: Page, drawing: Page, scale: number) {
    this.#page = page;
    this.#drawing = drawing;
    this.#scale = scale;
  }

  /** @param at - where the pointer is at first, in pixels of the page */
  static async of(page: Page, at: Point): Promise<Recording> {
    const drawing = await page.context().newPage();
    const scale = await page.evaluate(() => devicePixelRatio);
    const recording = new Recording(page, drawing, scale);
    recording.#at = at;
    await recording.carry('');
    return recording;
  }

  /** Writes above the following frames what happens in them. */
  async say(text: string): Promise<void> {
    const { width } = this.#page.viewportSize() ?? { width: 1280 };
    this.#caption = await this.#drawn(
      { width, height: CAPTION_HEIGHT },
      `<body style="margin:0;background:#16323f;color:#fff;font:600 20px/${CAPTION_HEIGHT}px ${FONT};padding:0 20px">${text}`,
    );
  }

  /** Gives the pointer a file of this name to drag; none with an empty name. */
  async carry(file: string): Promise<void> {
    const label =
      'position:absolute;left:20px;top:22px;background:#fff;color:#111;border:1px solid #667;border-radius:6px;padding:6px 12px';
    this.#pointer = await this.#drawn(
      { width: 260, height: 70 },
      `<body style="margin:0;font:600 16px ${FONT}"><svg width="22" height="28" viewBox="0 0 22 28" style="display:block">
       <path d="M1 1v21l5-4 4 9 4-2-4-8h7z" fill="#111" stroke="#fff" stroke-width="1.5"/></svg>
       ${file === '' ? '' : `<span style="${label}">${file}</span>`}`,
    );
  }

  /** Shows the page as it is now. */
  async hold(milliseconds: number): Promise<void> {
    this.#seen = readPng(await this.#page.screenshot());
    this.#show(milliseconds);
  }

  /** Moves the pointer over the page as it is now. */
  async move(to: Point): Promise<void> {
    const from = this.#at;
    this.#seen = readPng(await this.#page.screenshot());
    for (let n = 1; n <= FRAMES_OF_A_WAY; n++) {
      const part = (1 - Math.cos((Math.PI * n) / FRAMES_OF_A_WAY)) / 2;
      this.#at = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      this.#show(FRAME_MS);
    }
  }

  async moveTo(target: Locator): Promise<void> {
    const { x, y, width, height } = await placeOf(target);
    await this.move({ x: x + width / 2, y: y + height / 2 });
  }

  async click(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    await this.moveTo(target);
    await target.hover();
    await this.hold(500);
    await target.click();
  }

  /** Scrolls until this is so far from the upper end of the window. */
  async scrollTo(target: Locator, top: number): Promise<void> {
    const { y } = await placeOf(target);
    await this.#page.mouse.move(this.#at.x, this.#at.y);
    for (let n = 0; n < FRAMES_OF_SCROLLING; n++) {
      await this.#page.mouse.wheel(0, (y - top) / FRAMES_OF_SCROLLING);
      await this.hold(FRAME_MS);
    }
  }

  /** Writes it as GIF. @returns its size in bytes */
  write(path: string): number {
    const file = writeGif(this.#frames);
    writeFileSync(path, file);
    return file.length;
  }

  #show(milliseconds: number): void {
    if (this.#seen === null || this.#pointer === null) return;
    const at = { x: this.#at.x * this.#scale, y: this.#at.y * this.#scale };
    const pointed = onto(this.#seen, this.#pointer, at);
    this.#frames.push({ picture: this.#caption === null ? pointed : above(this.#caption, pointed), milliseconds });
  }

  async #drawn(size: { readonly width: number; readonly height: number }, html: string): Promise<Picture> {
    await this.#drawing.setViewportSize(size);
    await this.#drawing.setContent(html);
    return readPng(await this.#drawing.screenshot({ omitBackground: true }));
  }
}

async function placeOf(target: Locator) {
  const box = await target.boundingBox();
  if (box === null) throw new Error('there is nothing to point at');
  return box;
}
