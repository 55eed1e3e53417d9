import type { Backups } from './backup/backups.ts';
import type { Config } from './config.ts';
import type { AuthoredTable } from './author-key.ts';
import type { Ctx } from './context.ts';
import type { SealedColumn } from './sealed-column.ts';
import type { Download } from './http/downloads.ts';
import type { Upload } from './http/uploads.ts';
import type { Reaction } from './jobs/reactions.ts';
import type { Schedule } from './jobs/scheduler.ts';
import type { Log } from './log.ts';
import type { Transport } from './mail/mail.ts';
import type { PersonalPart } from './personal.ts';
import type { Channel } from './realtime/channels.ts';
import type { Frame } from './realtime/frames.ts';
import type { Sms } from './sms/sms.ts';

export interface ReactionParts extends Pick<Config, 'appUrl'> {
  /** Null keeps emails in the tray. */
  transport: Transport | null;
  /** Null: no texts. */
  sms: Sms | null;
}

/** Placeholder for configured parts, to list every reaction. */
export const standInParts: ReactionParts = {
  appUrl: '',
  transport: () => Promise.resolve(),
  sms: { countries: [], perDay: 0, send: () => Promise.resolve() },
};

export interface ScheduleParts extends Pick<Config, 'appUrl' | 'authSecret' | 'backupDir'> {
  backups: Backups;
  /** Gets each audit entry; null in the demo. */
  auditLog: Pick<Log, 'info'> | null;
}

/** A public page that depends on the database. */
export interface ListedPage {
  path: string;
  changed?: Date | null;
}

interface Parts<ApiConfig, Handlers> {
  /** Procedures by their first name in the API. */
  handlers: (config: ApiConfig) => Handlers;
  uploads?: readonly Upload[];
  downloads?: readonly Download[];
  /** Messages from sockets. */
  frames?: readonly Frame[];
  /** Topics of other programs. */
  channels?: readonly Channel[];
  /** Event handlers, each with its own job queue. */
  reactions?: (parts: ReactionParts) => readonly Reaction[];
  /** Timed work. */
  schedules?: (parts: ScheduleParts) => readonly Schedule[];
  /** Parts of export and erasure, dependents first. */
  personal?: readonly PersonalPart[];
  /** Hourly cleanup, in order. */
  tidy?: readonly ((ctx: Ctx) => Promise<unknown>)[];
  /** Encrypted columns, for key rotation. */
  sealed?: readonly SealedColumn[];
  /** Tables whose text only its author can open. */
  authored?: readonly AuthoredTable[];
  sitemap?: (ctx: Ctx) => Promise<readonly ListedPage[]>;
}

type Feature<ApiConfig, Handlers> = Required<Parts<ApiConfig, Handlers>>;

/** Declares a feature's parts, which src/app combines. */
export function defineFeature<Handlers, ApiConfig = unknown>(
  parts: Parts<ApiConfig, Handlers>,
): Feature<ApiConfig, Handlers> {
  return {
    uploads: [],
    downloads: [],
    frames: [],
    channels: [],
    reactions: () => [],
    schedules: () => [],
    personal: [],
    tidy: [],
    sealed: [],
    authored: [],
    sitemap: () => Promise.resolve([]),
    ...parts,
  };
}
