import type { Download } from './http/downloads.ts';
import type { Upload } from './http/uploads.ts';
import type { Frame } from './realtime/frames.ts';

interface Parts<Config, Handlers> {
  name: string;
  /** Procedures by their first name in the API. */
  handlers: (config: Config) => Handlers;
  uploads?: readonly Upload[];
  downloads?: readonly Download[];
  /** Messages from sockets. */
  frames?: readonly Frame[];
}

export type Feature<Config, Handlers> = Required<Parts<Config, Handlers>>;

/** What a feature gives to the program. */
export function defineFeature<Handlers, Config = unknown>(
  parts: Parts<Config, Handlers>,
): Feature<Config, Handlers> {
  return { uploads: [], downloads: [], frames: [], ...parts };
}
