import type { KeyObject } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Actor } from '#/kernel/actor.ts';
import type { AuthoredTable } from './author-key.ts';
import type { Keyring } from './keyring.ts';

/** Tables by name. Each feature and platform module augments it in its own `tables.ts`. */
export interface Database {}

/** Event payloads (IDs only). Features augment it in their `commands.ts`. */
export interface Events {}

export interface Ctx {
  db: Kysely<Database>;
  actor: Actor;
  requestId: string;
  /** Client IP address, resolved through trusted proxies; null for jobs and the system. */
  address: string | null;
  now(): Temporal.Instant;
  newId(): string;
  /** Sends an event to its reactions. Requires a transaction; commits with it. */
  emit: Emit;
  /** Encrypts private text and file keys. */
  keyring: Keyring;
  /** Encrypts private notes about clients only; shares no key with `keyring`. */
  privateNotes: Keyring;
  /** Tables whose text only its author's key opens. */
  authored: readonly AuthoredTable[];
  /** Derived from the session cookie, and stored nowhere; opens the author key while the person is signed in. */
  sessionKey?: KeyObject;
  /** The session cookie's token, hashed, and what sends the next one with the answer; only requests have it. */
  sessionToken?: { digest: string; send(next: string): void };
  /** Takes reads that may be seconds old. */
  replica?: Replica | undefined;
  /** Throws if the actor may no longer act. */
  requireActing?: (ctx: Ctx) => Promise<void>;
}

/** A hot standby of the database. */
export interface Replica {
  /** Null unless it keeps up. */
  current(): Promise<Kysely<Database> | null>;
  /** Leaves it alone for a while. */
  failed(error: unknown): void;
}

export type ProcessContext = Omit<Ctx, 'actor' | 'requestId' | 'address' | 'sessionKey' | 'sessionToken'>;

/** A context whose `db` is an open transaction; only `transact` creates it. */
export interface TxCtx extends Ctx {
  db: Transaction<Database>;
}

export type Emit = <E extends keyof Events>(
  tx: TxCtx,
  event: E,
  payload: Events[E],
  options?: { startAfter?: Temporal.Instant },
) => Promise<void>;
