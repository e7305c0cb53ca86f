import { EventEmitter } from 'node:events';

export interface MenuItemOptions {
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly checked?: boolean;
  readonly accelerator?: string;
  readonly enabled?: boolean;
  readonly id?: string;
  readonly click?: (item: unknown, window: unknown, event: unknown) => unknown;
  readonly submenu?: readonly MenuItemOptions[] | Menu;
}

/** A menu, to be looked at and clicked by label. */
export class Menu {
  readonly items: readonly MenuItemOptions[];
  static #application: Menu | null = null;

  constructor(items: readonly MenuItemOptions[] = []) {
    this.items = items.map((item) =>
      item.submenu === undefined || item.submenu instanceof Menu ? item : { ...item, submenu: new Menu(item.submenu) },
    );
  }

  static buildFromTemplate = (template: readonly MenuItemOptions[]): Menu => new Menu(template);
  static setApplicationMenu = (menu: Menu | null): void => {
    Menu.#application = menu;
  };
  static getApplicationMenu = (): Menu | null => Menu.#application;

  getMenuItemById(id: string): MenuItemOptions | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu instanceof Menu ? item.submenu.getMenuItemById(id) : null;
      if (found !== null) return found;
    }
    return null;
  }
}

/** Trays that were shown and not taken away. */
export class Tray extends EventEmitter {
  static readonly all: Tray[] = [];
  menu: Menu | null = null;
  readonly image: unknown;
  constructor(image: unknown) {
    super();
    this.image = image;
    Tray.all.push(this);
  }
  setToolTip = (): void => undefined;
  setContextMenu(menu: Menu | null): void {
    this.menu = menu;
  }
  destroy(): void {
    Tray.all.splice(Tray.all.indexOf(this), 1);
  }
  isDestroyed = (): boolean => !Tray.all.includes(this);
}

/** Notifications that were shown. */
export class Notification extends EventEmitter {
  static readonly shown: Notification[] = [];
  static isSupported = (): boolean => true;
  readonly title: string;
  readonly body: string;
  constructor({ title = '', body = '' }: { title?: string; body?: string } = {}) {
    super();
    this.title = title;
    this.body = body;
  }
  show(): void {
    Notification.shown.push(this);
  }
  close = (): void => undefined;
}
