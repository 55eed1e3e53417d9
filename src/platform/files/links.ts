import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OpenLink, StoredFile } from './files.ts';

export function pathOf({ id, name }: Pick<StoredFile, 'id' | 'name'>): string {
  return `/files/${id}/${encodeURIComponent(name)}`;
}

/** Names the person it's made for. */
export function signedPath(
  secret: string,
  file: Pick<StoredFile, 'id' | 'name'>,
  { personId, made: { epochMilliseconds: made }, until }: OpenLink,
): string {
  const expires = Math.floor(until.epochMilliseconds / 1_000);
  const signature = signatureOf(secret, file.id, personId, made, expires);
  return `${pathOf(file)}?for=${personId}&made=${made}&expires=${expires}&signature=${signature}`;
}

/** Checks everything but the person. */
export function openLinkOf(
  secret: string,
  id: string,
  query: URLSearchParams,
  now: Temporal.Instant,
): OpenLink | null {
  const personId = query.get('for') ?? '';
  const made = query.get('made') ?? '';
  const expires = query.get('expires') ?? '';
  const signature = Buffer.from(query.get('signature') ?? '');
  if (!/^\d{1,13}$/.test(made) || !/^\d{1,11}$/.test(expires)) return null;
  const wanted = Buffer.from(signatureOf(secret, id, personId, Number(made), Number(expires)));
  if (wanted.length !== signature.length || !timingSafeEqual(wanted, signature)) return null;
  const until = Temporal.Instant.fromEpochMilliseconds(Number(expires) * 1_000);
  if (Temporal.Instant.compare(now, until) >= 0) return null;
  return { personId, made: Temporal.Instant.fromEpochMilliseconds(Number(made)), until };
}

function signatureOf(secret: string, id: string, ...parts: [string, number, number]): string {
  const signed = ['files.link', id, ...parts].join(':');
  return createHmac('sha256', secret).update(signed).digest('base64url');
}
