import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OpenLink, StoredFile } from './files.ts';

export function pathOf({ id, name }: Pick<StoredFile, 'id' | 'name'>): string {
  return `/files/${id}/${encodeURIComponent(name)}`;
}

/** Names the person it's made for. */
export function signedPath(
  secret: string,
  file: Pick<StoredFile, 'id' | 'name'>,
  { personId, until }: OpenLink,
): string {
  const expires = Math.floor(until.epochMilliseconds / 1_000);
  const signature = signatureOf(secret, file.id, personId, expires);
  return `${pathOf(file)}?for=${personId}&expires=${expires}&signature=${signature}`;
}

/** Checks everything but the person. */
export function openLinkOf(
  secret: string,
  id: string,
  query: URLSearchParams,
  now: Temporal.Instant,
): OpenLink | null {
  const personId = query.get('for') ?? '';
  const expires = query.get('expires') ?? '';
  const signature = Buffer.from(query.get('signature') ?? '');
  if (!/^\d{1,11}$/.test(expires)) return null;
  const wanted = Buffer.from(signatureOf(secret, id, personId, Number(expires)));
  if (wanted.length !== signature.length || !timingSafeEqual(wanted, signature)) return null;
  const until = Temporal.Instant.fromEpochMilliseconds(Number(expires) * 1_000);
  return Temporal.Instant.compare(now, until) < 0 ? { personId, until } : null;
}

function signatureOf(secret: string, id: string, personId: string, expires: number): string {
  return createHmac('sha256', secret).update(`files.link:${id}:${personId}:${expires}`).digest('base64url');
}
