import { sql, type Expression, type Selectable, type SqlBool } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { contentOf } from '#/platform/mail/sealing.ts';
import type { MailsTable } from '#/platform/mail/tables.ts';
import { rowsOf, type PersonalPart } from '#/platform/personal.ts';
import { deletionKeyPrefix } from './rules.ts';
import { m } from '#/texts/messages.js';

/**
 * Exports emails to a person or with their reply-to address, plus morning email times. Sent emails are reduced to their
 * key, which ends with the person's ID.
 */
export const notificationsPersonal: PersonalPart = {
  name: 'notifications',
  async collect(ctx, personId) {
    const stored = await ctx.db
      .selectFrom('mails')
      .selectAll()
      .where(await ofPerson(ctx, personId))
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const rows = stored.map((row) => readable(ctx, row));
    const mornings = await rowsOf(ctx.db, 'mornings', 'person_id', personId);
    return {
      tables: { mails: rows.map(withoutKeys), mornings },
      leftOut: rows.some(hasKeys) ? [m.notifications_left_out_links()] : [],
    };
  },
  async erase(tx, personId) {
    await tx.db.deleteFrom('mornings').where('person_id', '=', personId).execute();
    // Keep a recent account deletion email until it's sent; a second erasure removes the rest.
    const hourAgo = new Date(tx.now().subtract({ hours: 1 }).epochMilliseconds);
    await tx.db
      .deleteFrom('mails')
      .where(await ofPerson(tx, personId))
      .where(({ not, and, eb }) =>
        not(and([eb('key', 'like', `${deletionKeyPrefix}%`), eb('created_at', '>', hourAgo)])),
      )
      .execute();
  },
};

/** Matches emails by recipient, reply-to (any case) and key suffix. Each has an index. */
async function ofPerson({ db }: Ctx, personId: string): Promise<Expression<SqlBool>> {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  return sql<SqlBool>`(lower(recipient) = lower(${email}) or lower(reply_to) = lower(${email})
    or right(key, 37) = ${`:${personId}`})`;
}

/** Link tokens in text and HTML: after `token=`, after `#`, or in the path of older invitations. */
const keyInLink =
  /(?<=[?&](?:amp;)?token=)[^&\s"'<>]+|(?<=\/[\w/-]*(?:\?[^\s"'<>#]*)?#|\/invitation\/|%2Finvitation(?:%2F|%23))[\w-]{20,}/g;

/** Decrypts an email row. */
function readable(ctx: Ctx, row: Selectable<MailsTable>) {
  const {
    sealed_subject: _subject,
    sealed_text: _text,
    sealed_html: _html,
    sealed_attachments: _attachments,
    sealed_unsubscribe_url: _url,
    ...rest
  } = row;
  const { subject, text, html, attachments, unsubscribeUrl } = contentOf(ctx, row);
  return {
    ...rest,
    subject,
    text_body: text,
    html_body: html,
    attachments,
    unsubscribe_url: unsubscribeUrl,
  };
}

type Mail = ReturnType<typeof readable>;

function isOfCode(kind: string | null): boolean {
  return kind === 'sign_in_code' || kind === 'confirmation_code';
}

function hasKeys({ kind, text_body, html_body, unsubscribe_url }: Mail): boolean {
  return (
    isOfCode(kind) ||
    unsubscribe_url !== null ||
    text_body.search(keyInLink) >= 0 ||
    html_body.search(keyInLink) >= 0
  );
}

/**
 * Redacts link tokens, since exports may reach other people. Emails with tokens but no unsubscribe link exist for that
 * link, which may grant access, so their body is left out.
 */
function withoutKeys(mail: Mail) {
  const { unsubscribe_url, text_body, html_body, ...rest } = mail;
  if (unsubscribe_url === null && hasKeys(mail)) return { ...rest, text_body: null, html_body: null };
  return {
    ...rest,
    text_body: text_body.replaceAll(keyInLink, '…'),
    html_body: html_body.replaceAll(keyInLink, '…'),
  };
}
