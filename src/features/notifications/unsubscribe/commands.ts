import { AppError } from '#/kernel/errors.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { MailChoice, OptionalMail } from '../contract.ts';
import { requireMailChoice, unsubscribeToken, mailColumns } from './policies.ts';

export interface LinkParts {
  appUrl: string;
  secret: string;
}

/** Builds the unsubscribe page URL and the one-click URL (RFC 8058). */
export function unsubscribeLinks(
  { appUrl, secret }: LinkParts,
  kind: OptionalMail,
  personId: string,
): { page: string; oneClick: string } {
  const token = unsubscribeToken(secret, kind, personId);
  return {
    page: `${appUrl}/unsubscribe?token=${token}`,
    oneClick: `${appUrl}/api/unsubscribe?token=${token}`,
  };
}

/** Returns whether the token's person gets its kind of email. Throws `not_found` for an invalid token. */
export async function mailChoice(ctx: Ctx, secret: string, token: string): Promise<MailChoice> {
  const { kind, on } = await requireMailChoice(ctx, secret, token);
  return { kind, on };
}

/** Turns the token's kind of email on or off. Throws `not_found` for an invalid token. */
export async function setMailChoice(
  ctx: Ctx,
  secret: string,
  { token, on }: { token: string; on: boolean },
): Promise<MailChoice> {
  return transact(ctx, async (tx) => {
    const { kind, personId } = await requireMailChoice(tx, secret, token);
    const column = mailColumns[kind];
    const changed = await tx.db
      .updateTable('profiles')
      .set({ [column]: on })
      .where('id', '=', personId)
      .where(column, '!=', on)
      .returning('id')
      .executeTakeFirst();
    if (changed) {
      await recordDone(tx, {
        action: 'preferences_changed',
        subject: { kind: 'person', id: personId },
        details: { ...changesIn({ [column]: !on }, { [column]: on }), by: 'mailed_link' },
      });
    }
    return { kind, on };
  });
}

/** Bytes; email clients send a single field. */
const maxBytes = 1_000;
/** That field, URL-encoded or multipart. */
const pressed = /(?:^|&)List-Unsubscribe=One-Click(?:&|$)|name="?List-Unsubscribe"?\r\n\r\nOne-Click\r\n/m;

/**
 * Handles one-click unsubscribe (RFC 8058). Requests carry no cookie or origin, so the token alone authorizes them; all
 * it can do is unsubscribe. Browsers opening the URL are redirected to the confirmation page.
 */
export async function answerOneClick(ctx: Ctx, request: Request, authSecret: string): Promise<Response> {
  const token = new URL(request.url).searchParams.get('token') ?? '';
  if (request.method === 'GET' || request.method === 'HEAD') {
    const location = `/unsubscribe?token=${encodeURIComponent(token)}`;
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
  }
  const size = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(size <= maxBytes)) throw new AppError('invalid', 'body_too_large');
  if (!pressed.test(await request.text())) throw new AppError('invalid', 'malformed');
  await setMailChoice(ctx, authSecret, { token, on: false });
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
}
