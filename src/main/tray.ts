import { Menu, nativeImage, Tray } from 'electron';

interface TrayActions {
  open(): void;
  quit(): void;
}

/** The sign that the service keeps running without a window: shown while it may, and gone with the application. */
export class TraySign {
  readonly #image: string;
  readonly #actions: TrayActions;
  #tray: Tray | null = null;

  constructor(image: string, actions: TrayActions) {
    this.#image = image;
    this.#actions = actions;
  }

  show(on: boolean): void {
    if (!on) {
      this.#tray?.destroy();
      this.#tray = null;
      return;
    }
    if (this.#tray !== null) return;
    const image = nativeImage.createFromPath(this.#image);
    // On macOS the system colours it, for light and dark bars.
    image.setTemplateImage(process.platform === 'darwin');
    this.#tray = new Tray(image);
    this.#tray.setToolTip('Countersign is running for agents');
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { id: 'tray-open', label: 'Open Countersign', click: () => this.#actions.open() },
        { type: 'separator' },
        { id: 'tray-quit', label: 'Quit, and seal the open epoch', click: () => this.#actions.quit() },
      ]),
    );
    this.#tray.on('click', () => this.#actions.open());
  }
}
