import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StoredFile } from './files.ts';

/** Makes the path of a file, as everybody sees it who may read it anyway. */
export function pathOf({ id, name }: Pick<StoredFile, 'id' | 'name'>): string {
  return `/files/${id}/${encodeURIComponent(name)}`;
}

/** Makes a path that opens the file until the instant, for whoever has it. */
export function signedPath(
  secret: string,
  file: Pick<StoredFile, 'id' | 'name'>,
  until: Temporal.Instant,
): string {
  const expires = Math.floor(until.epochMilliseconds / 1_000);
  return `${pathOf(file)}?expires=${expires}&signature=${signatureOf(secret, file.id, expires)}`;
}

/** Until when a path's query opens the file; null where it doesn't, or doesn't any more. */
export function opensUntil(
  secret: string,
  id: string,
  query: URLSearchParams,
  now: Temporal.Instant,
): Temporal.Instant | null {
  const expires = query.get('expires') ?? '';
  const signature = Buffer.from(query.get('signature') ?? '');
  if (!/^\d{1,11}$/.test(expires)) return null;
  const wanted = Buffer.from(signatureOf(secret, id, Number(expires)));
  if (wanted.length !== signature.length || !timingSafeEqual(wanted, signature)) return null;
  const until = Temporal.Instant.fromEpochMilliseconds(Number(expires) * 1_000);
  return Temporal.Instant.compare(now, until) < 0 ? until : null;
}

function signatureOf(secret: string, id: string, expires: number): string {
  return createHmac('sha256', secret).update(`files.link:${id}:${expires}`).digest('base64url');
}
