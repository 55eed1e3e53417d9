import { sql, type Expression, type Selectable, type SqlBool } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { contentOf } from '#/platform/mail/sealing.ts';
import type { MailsTable } from '#/platform/mail/tables.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { lastWord } from './identity/rules.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';

/** When a person gets the mails of the morning; the mails to them, and those that are answered to them; of those that were sent only the key is left, which ends with their number. */
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
    const mornings = await ctx.db
      .selectFrom('mornings')
      .selectAll()
      .where('person_id', '=', personId)
      .execute();
    return {
      tables: { mails: rows.map(withoutKeys), mornings },
      leftOut: rows.some(hasKeys) ? [m.notifications_left_out_links({}, { locale: baseLocale })] : [],
    };
  },
  async erase(tx, personId) {
    await tx.db.deleteFrom('mornings').where('person_id', '=', personId).execute();
    // That the account is deleted is still to be sent: what is left of that goes as the account is erased once more.
    const hourAgo = new Date(tx.now().subtract({ hours: 1 }).epochMilliseconds);
    await tx.db
      .deleteFrom('mails')
      .where(await ofPerson(tx, personId))
      .where(({ not, and, eb }) =>
        not(and([eb('key', 'like', `${lastWord}%`), eb('created_at', '>', hourAgo)])),
      )
      .execute();
  },
};

/** Whose mails they are tell their addresses, in whichever case, and their keys: an index finds each of the three. */
async function ofPerson({ db }: Ctx, personId: string): Promise<Expression<SqlBool>> {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  return sql<SqlBool>`(lower(recipient) = lower(${email}) or lower(reply_to) = lower(${email})
    or right(key, 37) = ${`:${personId}`})`;
}

/** A link's key, in text and HTML: after `token=`, after the # or, in session invitations of earlier releases, in the path. */
const keyInLink =
  /(?<=[?&](?:amp;)?token=)[^&\s"'<>]+|(?<=\/[\w/-]*#|\/invitation\/|%2Finvitation(?:%2F|%23))[\w-]{20,}/g;

/** A mail's row with what it says opened. */
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

function hasKeys({ text_body, html_body, unsubscribe_url }: Mail): boolean {
  return unsubscribe_url !== null || text_body.search(keyInLink) >= 0 || html_body.search(keyInLink) >= 0;
}

/**
 * A mail as it goes into an archive, which may come into other hands: without the keys of its links. One that can't be
 * stopped exists for its link, which lets its holder in, and is left out but for its subject.
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
