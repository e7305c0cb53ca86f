import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { RecordingSettings } from '../../../src/recorder/mcp/recording.ts';
import { type ProcessEnd, proxyStdio } from '../../../src/recorder/mcp/stdio-proxy.ts';
import { Collector, recordingSettings } from './support.ts';

/** A proxy in this process, before a server in another; what a client would write goes into `input`. */
export class Proxied {
  readonly recorder = new Collector();
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly signals = new EventEmitter();
  readonly sent: Buffer[] = [];
  readonly received: Buffer[] = [];
  readonly #settings: Partial<RecordingSettings>;
  readonly #graceMs: number | undefined;
  end: Promise<ProcessEnd> = Promise.resolve({ code: null, signal: null });

  constructor({ graceMs, ...settings }: Partial<RecordingSettings> & { graceMs?: number } = {}) {
    this.#settings = settings;
    this.#graceMs = graceMs;
  }

  start(...args: string[]): this {
    this.input.on('data', (chunk: Buffer) => this.sent.push(chunk));
    this.output.on('data', (chunk: Buffer) => this.received.push(chunk));
    this.end = proxyStdio(
      {
        command: process.execPath,
        args,
        input: this.input,
        output: this.output,
        closeOutput: () => this.output.end(),
        signals: this.signals,
        ...(this.#graceMs !== undefined && { graceMs: this.#graceMs }),
      },
      recordingSettings(this.recorder, this.#settings),
    );
    return this;
  }

  /** Starts a server whose code is given, which is little. */
  script(code: string): this {
    return this.start('--input-type=module', '-e', code);
  }

  get answers(): string {
    return Buffer.concat(this.received).toString('utf8');
  }
}
