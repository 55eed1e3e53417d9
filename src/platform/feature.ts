import type { Ctx } from './context.ts';
import type { SealedColumn } from './crypto/sealed-column.ts';
import type { Download } from './http/downloads.ts';
import type { Upload } from './http/uploads.ts';
import type { Reaction } from './jobs/reactions.ts';
import type { Transport } from './mail/mail.ts';
import type { PersonalPart } from './personal.ts';
import type { Frame } from './realtime/frames.ts';

export interface ReactionParts {
  /** The public URL without a trailing slash. */
  appUrl: string;
  /** Null keeps emails in the tray. */
  transport: Transport | null;
}

/** A public page that depends on the database. */
export interface ListedPage {
  path: string;
  changed?: Date | null;
}

interface Parts<Config, Handlers> {
  /** Procedures by their first name in the API. */
  handlers: (config: Config) => Handlers;
  uploads?: readonly Upload[];
  downloads?: readonly Download[];
  /** Messages from sockets. */
  frames?: readonly Frame[];
  /** Event handlers, each with its own job queue. */
  reactions?: (parts: ReactionParts) => readonly Reaction[];
  /** Parts of export and erasure, dependents first. */
  personal?: readonly PersonalPart[];
  /** Hourly cleanup, in order. */
  tidy?: readonly ((ctx: Ctx) => Promise<unknown>)[];
  /** Encrypted columns, for key rotation. */
  sealed?: readonly SealedColumn[];
  sitemap?: (ctx: Ctx) => Promise<readonly ListedPage[]>;
}

type Feature<Config, Handlers> = Required<Parts<Config, Handlers>>;

/** Declares what a feature gives to the program; src/app goes over every feature's parts. */
export function defineFeature<Handlers, Config = unknown>(
  parts: Parts<Config, Handlers>,
): Feature<Config, Handlers> {
  return {
    uploads: [],
    downloads: [],
    frames: [],
    reactions: () => [],
    personal: [],
    tidy: [],
    sealed: [],
    sitemap: () => Promise.resolve([]),
    ...parts,
  };
}
