import type { Settings } from './settings-type.ts';

/** A setting as people give it: on the command line, in the environment, or in the configuration file. */
export interface SettingDefinition {
  readonly key: keyof Settings;
  readonly flag: string;
  /** How help calls the value; undefined for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly fallback: Settings[keyof Settings];
  /** @returns the value, or undefined where the text is not one */
  readonly parse: (text: string) => Settings[keyof Settings] | undefined;
  /** Whether it can be changed by the interface, and then holds at once or after a restart; undefined where it cannot. */
  readonly change?: 'at-once' | 'restart';
  /** Never answered, logged or noted anywhere. */
  readonly secret?: true;
}

/** A whole number in this range; for the definition of a setting. The range is a member, for documents. */
export function whole(min: number, max: number) {
  const parse = (text: string): number | undefined => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return Object.assign(parse, { range: [min, max] as const });
}
