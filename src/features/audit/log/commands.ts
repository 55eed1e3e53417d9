import { authorize, selfOf } from '#/features/access/rules.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { csvLines } from '#/platform/csv.ts';
import { transact } from '#/platform/db/transact.ts';
import { m } from '#/texts/messages.js';
import { categoryNames } from '../actions/rules.ts';
import { recordDone, recordView } from '../commands.ts';
import { auditContract, type LogEntry, type LogFilter, type LogFormat } from '../contract.ts';
import { logPage, type Recorded, walkLog } from './queries.ts';
import { actionText, actorText, detailsText } from './rules.ts';

export async function readLog(
  ctx: Ctx,
  people: Recorded,
  {
    beforeAt,
    beforeId,
    ...input
  }: LogFilter & { about?: string[]; beforeAt?: string; beforeId?: string; limit: number },
): ReturnType<typeof logPage> {
  await recordView(ctx, { action: 'audit.log_read' });
  const before = beforeAt && beforeId ? { at: beforeAt, id: beforeId } : null;
  return logPage(ctx, people, { ...input, before });
}

/** Encrypts the filter, so only the requester can use the path. */
export function exportPath(ctx: Ctx, { format, ...filter }: LogFilter & { format: LogFormat }): string {
  const asked = ctx.keyring.seal(JSON.stringify(filter), exportKey(ctx));
  return `/api/admin/audit-log.${format}?${new URLSearchParams({ asked }).toString()}`;
}

function exportKey(ctx: Ctx): string {
  return `audit.export:${selfOf(ctx)}`;
}

function filterIn(ctx: Ctx, query: URLSearchParams): LogFilter {
  const asked = query.get('asked');
  if (asked === null) return { search: '' };
  try {
    return JSON.parse(ctx.keyring.open(asked, exportKey(ctx))) as LogFilter;
  } catch {
    throw new AppError('invalid', 'malformed');
  }
}

export interface AuditParts {
  people: Recorded;
  requireFresh: (ctx: Ctx) => Promise<void>;
}

/**
 * Records the export, then streams it in constant memory. Throws invalid `malformed` for forged filters, and like
 * `requireFresh`.
 */
export async function exportLog(
  ctx: Ctx,
  { people, requireFresh }: AuditParts,
  format: LogFormat,
  query: URLSearchParams,
): Promise<ReadableStream<Uint8Array>> {
  authorize(ctx.actor, auditContract.list['~orpc'].meta.access);
  await requireFresh(ctx);
  const filter = filterIn(ctx, query);
  await transact(ctx, (tx) =>
    recordDone(tx, {
      action: 'audit.log_exported',
      details: { format, searched: filter.search !== '', category: filter.category ?? null },
    }),
  );
  const texts = format === 'csv' ? csvTexts(ctx, people, filter) : jsonTexts(ctx, people, filter);
  return ReadableStream.from(whileActing(ctx, texts)).pipeThrough(new TextEncoderStream());
}

/** Ends a long export with its reader's rights. */
async function* whileActing(ctx: Ctx, texts: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const text of texts) {
    await ctx.requireActing?.(ctx);
    yield text;
  }
}

async function* csvTexts(ctx: Ctx, people: Recorded, filter: LogFilter): AsyncGenerator<string> {
  const names = [
    m.audit_column_timestamp(),
    m.audit_column_user(),
    m.audit_column_action(),
    m.web_category(),
    m.audit_column_details(),
    m.audit_column_address(),
    m.web_status(),
    m.audit_column_email(),
    m.audit_column_entry(),
  ];
  yield `\ufeff${csvLines([names])}`;
  for await (const entries of walkLog(ctx, people, filter))
    if (entries.length > 0)
      yield csvLines(
        entries.map((entry) => [
          entry.at,
          actorText(entry.actor),
          actionText(entry.action),
          categoryNames[entry.category](),
          detailsText(entry),
          entry.address,
          entry.success ? m.audit_status_success() : m.audit_failed(),
          entry.actor.email,
          entry.id,
        ]),
      );
}

async function* jsonTexts(ctx: Ctx, people: Recorded, filter: LogFilter): AsyncGenerator<string> {
  let first = true;
  yield '[';
  for await (const entries of walkLog(ctx, people, filter)) {
    if (entries.length === 0) continue;
    yield `${first ? '\n' : ',\n'}${entries.map((entry) => JSON.stringify(recordOf(entry))).join(',\n')}`;
    first = false;
  }
  yield '\n]\n';
}

function recordOf(entry: LogEntry): Record<string, unknown> {
  const { id, at, actor, action, category, subject, details, address, success } = entry;
  return {
    id,
    timestamp: at,
    user: actorText(actor),
    action: actionText(action),
    category,
    details: detailsText(entry),
    ipAddress: address,
    success,
    recorded: { actor, action, subject, details },
  };
}
