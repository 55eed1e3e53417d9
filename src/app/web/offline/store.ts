import type { SessionType } from '#/features/providers/contract.ts';
import { isSessionOver } from '#/web/session-end.ts';
import { isAnythingKept, noteKept, remembered } from './mark.ts';

/** A session as it can be read without a network: no more than what a person needs to be there. */
export interface KeptSession {
  id: string;
  /** Null: the person keeps it discreet. */
  service: string | null;
  specialist: string;
  startsAt: string;
  endsAt: string;
  sessionType: SessionType;
  confirmed: boolean;
  /** Where it takes place, for sessions in person. */
  location: string | null;
}

/** What this device keeps, for the one person who is signed in on it. */
export interface KeptSessions {
  owner: string;
  /** When it was fetched, in epoch milliseconds. */
  at: number;
  /** The zone in which the person is told times; what was kept before it was kept too is told in the device's. */
  timeZone?: string;
  sessions: readonly KeptSession[];
}

const database = 'italk';
const table = 'kept';
const key = 'sessions';
const choice = 'italk.keep';

/** Whether the person lets this device keep their sessions; they do until they say otherwise. */
export function mayKeep(): boolean {
  return remembered(choice) !== 'off';
}

/** Remembers the person's choice; what was kept goes with a no. */
export async function setMayKeep(allowed: boolean): Promise<void> {
  if (allowed) localStorage.removeItem(choice);
  else localStorage.setItem(choice, 'off');
  if (!allowed) await forgetSessions();
}

/** Keeps a person's sessions in place of whatever was kept before. */
export async function keepSessions(kept: KeptSessions): Promise<void> {
  noteKept(true);
  await inTable('readwrite', (store) => store.put(kept, key));
}

/** What is kept, without the sessions that are over by now; null for nothing. It is erased once the sign-in has ended. */
export async function keptSessions(): Promise<KeptSessions | null> {
  if (!isAnythingKept()) return null;
  if (isSessionOver()) {
    await forgetSessions();
    return null;
  }
  const kept = (await inTable('readonly', (store) => store.get(key))) as KeptSessions | undefined;
  if (!kept) return null;
  const now = Date.now();
  return { ...kept, sessions: kept.sessions.filter(({ endsAt }) => Date.parse(endsAt) > now) };
}

/** Erases what is kept. */
export async function forgetSessions(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(database);
    // Another page that has it open lets go of it by itself.
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error!));
  });
  noteKept(false);
}

async function inTable(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const db = await open();
  try {
    return await answerOf(act(db.transaction(table, mode).objectStore(table)));
  } finally {
    db.close();
  }
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(table));
  const db = await answerOf(request);
  db.addEventListener('versionchange', () => db.close());
  return db;
}

function answerOf<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error!));
  });
}
