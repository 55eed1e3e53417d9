import { escapedHtml } from '#/kernel/text.ts';
import { m } from '#/texts/messages.js';
import type { locales } from '#/texts/runtime.js';

export type Locale = (typeof locales)[number];

/** Key prefix of account deletion emails, which survive erasure until sent. */
export const deletionKeyPrefix = 'account-deleted:';

/** A notification's content, before a channel formats it. */
export interface Letter {
  subject: string;
  /** Null leaves out the greeting name. */
  name: string | null;
  text: readonly string[];
  quote?: { text: string; source: string };
  facts?: readonly { label: string; value: string }[];
  more?: readonly string[];
  action?: { label: string; url: string };
  note?: string;
  /** Unsubscribe page, in the footer of optional emails. */
  unsubscribe?: { label: string; url: string };
}

export interface MailSite {
  /** Public base URL without a trailing slash. */
  appUrl: string;
  siteName: string;
  supportEmail: string;
  locale: Locale;
}

export interface SetLetter {
  subject: string;
  text: string;
  html: string;
}

/** Renders plain text and HTML: inline styles, no images, readable in light and dark mode. */
export function setLetter(letter: Letter, site: MailSite): SetLetter {
  const subject = oneLine(letter.subject);
  return { subject, text: plainText(letter, site), html: hypertext(letter, subject, site) };
}

function greetingOf({ name }: Letter, locale: Locale): string {
  return name === null
    ? m.mail_greeting_plain({}, { locale })
    : m.mail_greeting({ name: oneLine(name) }, { locale });
}

function plainText(letter: Letter, { siteName, supportEmail, locale }: MailSite): string {
  const { text, quote, facts = [], more = [], action, note, unsubscribe } = letter;
  return [
    greetingOf(letter, locale),
    ...text,
    quote ? `${quote.text}\n— ${quote.source}` : '',
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...more,
    action ? `${action.label}:\n${action.url}` : '',
    note ?? '',
    `${m.mail_closing({}, { locale })}\n${siteName}`,
    `-- \n${m.mail_questions({ email: supportEmail }, { locale })}\n${
      unsubscribe ? `${unsubscribe.label}:\n${unsubscribe.url}\n` : ''
    }`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

const font = `-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
/** Theme colors (theme.css) as hex, since email clients don't support newer formats. */
const light = {
  page: `margin:0;padding:24px 12px;background:#fcfaf5;color:#1b2333;font:16px/1.6 ${font}`,
  card: 'max-width:560px;margin:0 auto;padding:28px 24px;background:#ffffff;border:1px solid #e3ddd2;border-radius:12px',
  brand: 'margin:0 0 20px;font:600 22px/1.3 Georgia,serif;color:#0d5274',
  paragraph: 'margin:0 0 16px',
  label: 'color:#565e6d;font-size:14px',
  button:
    'display:inline-block;margin:4px 0 12px;padding:12px 22px;background:#0d5274;color:#ffffff;border-radius:10px;font-weight:600;text-decoration:none',
  small: 'margin:0 0 16px;color:#565e6d;font-size:14px',
  link: 'color:#0d5274;word-break:break-all',
  quietLink: 'color:#0d5274',
  quote:
    'margin:0 0 16px;padding:2px 0 2px 16px;border-left:3px solid #d9ab3f;font:20px/1.5 Georgia,serif;white-space:pre-line',
  source: 'display:block;margin-top:6px;font:15px/1.4 Georgia,serif;color:#565e6d',
  footer: 'max-width:560px;margin:16px auto 0;padding:0 24px;color:#565e6d;font-size:14px',
};
const dark = `@media (prefers-color-scheme:dark){
.page{background:#11161f!important;color:#f0ece4!important}
.card{background:#181e29!important;border-color:#333b49!important}
.brand,.link{color:#7cc0e8!important}
.quiet{color:#aab1bd!important}
.button{background:#7cc0e8!important;color:#11161f!important}
}`;

function linkInstead(address: string, locale: Locale): string {
  const url = escapedHtml(address);
  return `<p class="quiet" style="${light.small}">${escapedHtml(m.mail_link_instead({}, { locale }))}<br><a class="link" style="${light.link}" href="${url}">${url}</a></p>`;
}

function hypertext(letter: Letter, subject: string, { siteName, supportEmail, locale }: MailSite): string {
  const { text, quote, facts = [], more = [], action, note, unsubscribe } = letter;
  const paragraph = (words: string) => `<p style="${light.paragraph}">${escapedHtml(words)}</p>`;
  return [
    '<!doctype html>',
    `<html lang="${escapedHtml(locale)}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapedHtml(subject)}</title>`,
    `<style>${dark}</style>`,
    '</head>',
    `<body class="page" style="${light.page}">`,
    `<div class="card" style="${light.card}">`,
    `<p class="brand" style="${light.brand}">${escapedHtml(siteName)}</p>`,
    paragraph(greetingOf(letter, locale)),
    ...text.map(paragraph),
    ...(quote
      ? [
          `<blockquote style="${light.quote}">${escapedHtml(quote.text)}<span class="quiet" style="${light.source}">${escapedHtml(quote.source)}</span></blockquote>`,
        ]
      : []),
    ...facts.map(
      ({ label, value }) =>
        `<p style="${light.paragraph}"><span class="quiet" style="${light.label}">${escapedHtml(label)}</span><br><strong>${escapedHtml(value)}</strong></p>`,
    ),
    ...more.map(paragraph),
    ...(action
      ? [
          `<p style="${light.paragraph}"><a class="button" style="${light.button}" href="${escapedHtml(action.url)}">${escapedHtml(action.label)}</a></p>`,
        ]
      : []),
    ...(note ? [paragraph(note)] : []),
    paragraph(m.mail_closing({}, { locale })).replace('</p>', `<br>${escapedHtml(siteName)}</p>`),
    ...(action ? [linkInstead(action.url, locale)] : []),
    '</div>',
    `<p class="quiet" style="${light.footer}">${escapedHtml(m.mail_questions({ email: supportEmail }, { locale }))}${
      unsubscribe
        ? `<br><a class="link" style="${light.quietLink}" href="${escapedHtml(unsubscribe.url)}">${escapedHtml(unsubscribe.label)}</a>`
        : ''
    }</p>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** Without line breaks and control characters. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}
