import type { SessionType } from '#/features/providers/contract.ts';
import { isSessionOver } from '#/web/session-end.ts';
import { hasStoredData, markStored, storedValue } from './mark.ts';

/** Limited to what attending a session requires. */
export interface StoredSession {
  id: string;
  /** Null in discreet mode. */
  service: string | null;
  specialist: string;
  startsAt: string;
  endsAt: string;
  sessionType: SessionType;
  confirmed: boolean;
  location: string | null;
}

export interface StoredSessions {
  owner: string;
  /** Fetched at, in epoch milliseconds. */
  at: number;
  /** Display time zone. Older copies lack it and use the device's. */
  timeZone?: string;
  sessions: readonly StoredSession[];
}

const database = 'italk';
const table = 'kept';
const key = 'sessions';
const choice = 'italk.keep';

/** On by default. */
export function mayKeep(): boolean {
  return storedValue(choice) !== 'off';
}

/** Turning it off erases stored sessions. */
export async function setMayKeep(allowed: boolean): Promise<void> {
  if (allowed) localStorage.removeItem(choice);
  else localStorage.setItem(choice, 'off');
  if (!allowed) await clearSessions();
}

export async function storeSessions(kept: StoredSessions): Promise<void> {
  markStored(true);
  await inTable('readwrite', (store) => store.put(kept, key));
}

/** Returns stored sessions that haven't ended, or null. Erases them once the sign-in session expires. */
export async function storedSessions(): Promise<StoredSessions | null> {
  if (!hasStoredData()) return null;
  if (isSessionOver()) {
    await clearSessions();
    return null;
  }
  const kept = (await inTable('readonly', (store) => store.get(key))) as StoredSessions | undefined;
  if (!kept) return null;
  const now = Date.now();
  return { ...kept, sessions: kept.sessions.filter(({ endsAt }) => Date.parse(endsAt) > now) };
}

export async function clearSessions(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(database);
    // Other open pages release the database themselves.
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error!));
  });
  markStored(false);
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
