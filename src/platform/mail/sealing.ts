import type { Selectable, Updateable } from 'kysely';
import type { Ctx } from '../context.ts';
import { sealedColumn as column } from '../sealed-column.ts';
import type { MailAttachment, MailsTable } from './tables.ts';

export const sealed = {
  subject: column('mails', 'sealed_subject'),
  text: column('mails', 'sealed_text'),
  html: column('mails', 'sealed_html'),
  attachments: column('mails', 'sealed_attachments'),
  unsubscribeUrl: column('mails', 'sealed_unsubscribe_url'),
} as const;

export interface MailContent {
  subject: string;
  text: string;
  html: string;
  attachments: readonly MailAttachment[];
  /** One-click unsubscribe link. */
  unsubscribeUrl: string | null;
}

type SealedContent = Pick<
  Selectable<MailsTable>,
  'sealed_subject' | 'sealed_text' | 'sealed_html' | 'sealed_attachments' | 'sealed_unsubscribe_url'
>;

/** Values that erase an email's content. */
export const noContent = {
  subject: '',
  text_body: '',
  html_body: '',
  attachments: null,
  unsubscribe_url: null,
  sealed_subject: null,
  sealed_text: null,
  sealed_html: null,
  sealed_attachments: null,
  sealed_unsubscribe_url: null,
} satisfies Updateable<MailsTable>;

export function sealContent(
  { keyring }: Pick<Ctx, 'keyring'>,
  id: string,
  { subject, text, html, attachments, unsubscribeUrl }: MailContent,
): SealedContent {
  return {
    sealed_subject: sealed.subject.seal(keyring, id, subject),
    sealed_text: sealed.text.seal(keyring, id, text),
    sealed_html: sealed.html.seal(keyring, id, html),
    sealed_attachments:
      attachments.length > 0 ? sealed.attachments.seal(keyring, id, JSON.stringify(attachments)) : null,
    sealed_unsubscribe_url:
      unsubscribeUrl === null ? null : sealed.unsubscribeUrl.seal(keyring, id, unsubscribeUrl),
  };
}

type ContentRow = SealedContent &
  Pick<
    Selectable<MailsTable>,
    'id' | 'subject' | 'text_body' | 'html_body' | 'attachments' | 'unsubscribe_url'
  >;

/** Decrypts an email's content; empty once sent. */
export function contentOf(ctx: Pick<Ctx, 'keyring'>, row: ContentRow): MailContent {
  const { keyring } = ctx;
  const { id } = row;
  const attachments = sealed.attachments.openIfAny(keyring, id, row.sealed_attachments);
  return {
    subject: subjectOf(ctx, row),
    text: sealed.text.openOrClear(keyring, id, row.sealed_text, row.text_body) ?? '',
    html: sealed.html.openOrClear(keyring, id, row.sealed_html, row.html_body) ?? '',
    attachments:
      attachments === null ? (row.attachments ?? []) : (JSON.parse(attachments) as MailAttachment[]),
    unsubscribeUrl: sealed.unsubscribeUrl.openOrClear(
      keyring,
      id,
      row.sealed_unsubscribe_url,
      row.unsubscribe_url,
    ),
  };
}

export function subjectOf(
  { keyring }: Pick<Ctx, 'keyring'>,
  { id, sealed_subject, subject }: Pick<ContentRow, 'id' | 'sealed_subject' | 'subject'>,
): string {
  return sealed.subject.openOrClear(keyring, id, sealed_subject, subject) ?? '';
}
