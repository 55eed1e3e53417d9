import type { Download } from './http/downloads.ts';
import type { Upload } from './http/uploads.ts';
import type { Frame } from './realtime/frames.ts';

interface Parts<Config, Handlers> {
  /** Procedures by their first name in the API. */
  handlers: (config: Config) => Handlers;
  uploads?: readonly Upload[];
  downloads?: readonly Download[];
  /** Messages from sockets. */
  frames?: readonly Frame[];
}

type Feature<Config, Handlers> = Required<Parts<Config, Handlers>>;

/** Declares a feature's handlers, uploads, downloads and socket messages. */
export function defineFeature<Handlers, Config = unknown>(
  parts: Parts<Config, Handlers>,
): Feature<Config, Handlers> {
  return { uploads: [], downloads: [], frames: [], ...parts };
}
