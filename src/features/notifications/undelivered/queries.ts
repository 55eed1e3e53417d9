import { sql } from 'kysely';
import { authorize } from '#/features/access/rules.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { UndeliveredMail } from '../contract.ts';
import { codeOf, classifyFault, maskedAddress } from './rules.ts';

interface Page {
  beforeAt?: string | undefined;
  beforeId?: string | undefined;
  limit: number;
}

export async function undeliveredMails(
  ctx: Ctx,
  { beforeAt, beforeId, limit }: Page,
): Promise<{ mails: UndeliveredMail[]; more: boolean; total: number; sendable: number }> {
  authorize(ctx.actor, ['manage_settings']);
  const now = new Date(ctx.now().epochMilliseconds);
  const failed = ctx.db.selectFrom('mails').where('failed_at', 'is not', null);
  const [rows, counted] = await Promise.all([
    failed
      .select(['id', 'recipient', 'kind', 'created_at', 'failed_at', 'fault', 'expires_at'])
      .$if(beforeAt !== undefined && beforeId !== undefined, (query) =>
        query.where(sql<boolean>`(failed_at, id) < (${beforeAt}::timestamptz, ${beforeId}::uuid)`),
      )
      .orderBy('failed_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute(),
    failed
      .select(({ fn, eb }) => [
        fn.countAll<number>().as('total'),
        fn
          .countAll<number>()
          .filterWhere(eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
          .as('sendable'),
      ])
      .executeTakeFirstOrThrow(),
  ]);
  return {
    mails: rows.slice(0, limit).map(({ id, recipient, kind, created_at, failed_at, fault, expires_at }) => ({
      id,
      to: maskedAddress(recipient),
      kind,
      writtenAt: isoOf(created_at),
      failedAt: isoOf(failed_at!),
      fault: classifyFault(fault!),
      code: codeOf(fault!),
      expired: expires_at !== null && expires_at <= now,
    })),
    more: rows.length > limit,
    ...counted,
  };
}

export async function countUndelivered(ctx: Ctx): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('mails')
    .where('failed_at', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
