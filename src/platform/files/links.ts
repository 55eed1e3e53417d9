import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StoredFile } from './files.ts';

export function pathOf({ id, name }: Pick<StoredFile, 'id' | 'name'>): string {
  return `/files/${id}/${encodeURIComponent(name)}`;
}

export function signedPath(
  secret: string,
  file: Pick<StoredFile, 'id' | 'name'>,
  until: Temporal.Instant,
): string {
  const expires = Math.floor(until.epochMilliseconds / 1_000);
  return `${pathOf(file)}?expires=${expires}&signature=${signatureOf(secret, file.id, expires)}`;
}

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
