import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '#/kernel/actor.ts';
import type { Keyring } from './crypto/keyring.ts';
import type { Database } from './db/database.ts';
import type { Events } from './jobs/events.ts';

/** What every query and command is given: the database, who acts, and when. */
export interface Ctx {
  db: Kysely<Database>;
  actor: Actor;
  /** Goes into logs, audit entries, jobs and mail headers. */
  requestId: string;
  /** The trusted network address of a person's request; null for jobs and the system. */
  address: string | null;
  now(): Temporal.Instant;
  newId(): string;
  /** Sends an event to every reaction that listens for it; only inside a transaction, with which it commits. */
  emit: Emit;
  /** Seals what only its author may read. */
  keyring: Keyring;
  /** Seals private notes about clients, and nothing else; none of its keys is one of `keyring`'s. */
  privateNotes: Keyring;
}

/** What every context of a running program shares: who acts, and for which request, is all that differs. */
export type Ground = Omit<Ctx, 'actor' | 'requestId' | 'address'>;

/** A context whose `db` is an open transaction; `transact` is the only way to get one. */
export interface TxCtx extends Ctx {
  db: Transaction<Database>;
}

/** Sends one job per reaction in the open transaction; with `startAfter`, not before that instant. */
export type Emit = <E extends keyof Events>(
  tx: TxCtx,
  event: E,
  payload: Events[E],
  options?: { startAfter?: Temporal.Instant },
) => Promise<void>;
