import { ArrowLeft, Download, Inbox, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { download } from '#/web/download.ts';
import { formatInstant } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { Container, SectionHeading } from '#/web/components/page.tsx';
import type { OpenedMail, TrayMail } from '../contract.ts';

export function MailTray({
  mails,
  opened,
  timeZone,
  busy,
  onRefresh,
}: {
  mails: readonly TrayMail[];
  /** Null: none selected. */
  opened: OpenedMail | 'gone' | null;
  /** IANA name. */
  timeZone: string;
  busy: boolean;
  onRefresh: () => void;
}) {
  return (
    <main id="content" tabIndex={-1} className="py-8 outline-none sm:py-12">
      <Container>
        <ButtonLink to="/" variant="quiet" className="-ml-5">
          <ArrowLeft aria-hidden />
          {m.web_back_home()}
        </ButtonLink>
        <SectionHeading
          as="h1"
          title={m.mail_tray_title()}
          className="mt-2"
          action={
            <Button variant="secondary" busy={busy} onClick={onRefresh}>
              {!busy && <RefreshCw aria-hidden />}
              {m.mail_tray_refresh()}
            </Button>
          }
        >
          {m.mail_tray_text()}
        </SectionHeading>
        {mails.length === 0 && !opened ? (
          <Card className="mt-8">
            <EmptyState as="h2" illustration={<WindowIllustration />} title={m.mail_tray_empty_title()}>
              {m.mail_tray_empty_text()}
            </EmptyState>
          </Card>
        ) : (
          <div className="mt-8 grid items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
            <MailList
              mails={mails}
              openedId={opened && opened !== 'gone' ? opened.id : null}
              timeZone={timeZone}
              hidden={opened !== null}
            />
            {opened ? (
              <Card as="section" aria-label={opened === 'gone' ? m.mail_tray_gone() : opened.subject}>
                <ButtonLink to="/dev/mail" variant="quiet" size="sm" className="mb-3 -ml-3.5 lg:hidden">
                  <ArrowLeft aria-hidden />
                  {m.mail_tray_back()}
                </ButtonLink>
                {opened === 'gone' ? (
                  <p>{m.mail_tray_gone()}</p>
                ) : (
                  <Opened mail={opened} timeZone={timeZone} />
                )}
              </Card>
            ) : (
              <Card className="flex items-center gap-3 text-quiet max-lg:hidden">
                <Inbox aria-hidden className="size-5" />
                {m.mail_tray_choose()}
              </Card>
            )}
          </div>
        )}
        <HelpNow className="mt-8 -ml-2" />
      </Container>
    </main>
  );
}

function MailList({
  mails,
  openedId,
  timeZone,
  hidden,
}: {
  mails: readonly TrayMail[];
  openedId: string | null;
  timeZone: string;
  hidden: boolean;
}) {
  return (
    <nav aria-label={m.mail_tray_list()} className={hidden ? 'max-lg:hidden' : undefined}>
      <ul className="space-y-2">
        {mails.map(({ id, subject, recipient, writtenAt }) => (
          <li key={id}>
            <Link
              to={`/dev/mail?mail=${id}`}
              aria-current={id === openedId ? 'page' : undefined}
              preventScrollReset
              className={classes(
                'block rounded-card border bg-card px-4 py-3 text-ink no-underline shadow-soft hover:bg-sunken',
                id === openedId ? 'border-primary' : 'border-line',
              )}
            >
              <span className="block font-semibold break-words">{subject}</span>
              <span className="block text-sm break-all text-quiet">{recipient}</span>
              <time dateTime={writtenAt} className="block text-sm text-quiet">
                {timeText(writtenAt, timeZone)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Opened({ mail, timeZone }: { mail: OpenedMail; timeZone: string }) {
  return (
    <>
      <h2 className="text-xl break-words">{mail.subject}</h2>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-quiet">{m.mail_tray_to()}</dt>
        <dd className="break-all">{mail.recipient}</dd>
        <dt className="text-quiet">{m.mail_tray_at()}</dt>
        <dd>
          <time dateTime={mail.writtenAt}>{timeText(mail.writtenAt, timeZone)}</time>
        </dd>
      </dl>
      <p className="mt-5 border-t border-line pt-5 break-words whitespace-pre-wrap">{withLinks(mail.text)}</p>
      <div className="mt-5 border-t border-line pt-4">
        {mail.attachments.length > 0 && <h3 className="text-base">{m.mail_tray_attachments()}</h3>}
        <div className="mt-2 flex flex-wrap gap-2">
          {mail.attachments.map(({ filename, contentType, content }) => (
            <SaveButton key={filename} name={filename} type={contentType} content={content}>
              {m.mail_tray_download({ name: filename })}
            </SaveButton>
          ))}
          {/* Download only: our CSP blocks the inline styles email clients need. */}
          <SaveButton name={`mail-${mail.id}.html`} type="text/html" content={mail.html}>
            {m.mail_tray_html()}
          </SaveButton>
        </div>
      </div>
    </>
  );
}

function SaveButton({
  name,
  type,
  content,
  children,
}: {
  name: string;
  type: string;
  content: string;
  children: ReactNode;
}) {
  const save = () => download({ name, content: new Blob([content], { type }) });
  return (
    <Button variant="secondary" size="sm" onClick={save}>
      <Download aria-hidden />
      {children}
    </Button>
  );
}

function withLinks(text: string): ReactNode[] {
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 1 ? (
      <a key={index} href={part} className="break-all text-primary underline">
        {part}
      </a>
    ) : (
      part
    ),
  );
}

function timeText(iso: string, timeZone: string): string {
  return formatInstant(iso, timeZone, { dateStyle: 'medium', timeStyle: 'long' });
}
