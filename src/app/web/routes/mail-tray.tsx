import { data, useRevalidator } from 'react-router';
import { MailTray } from '#/features/notifications/ui/mail-tray.tsx';
import { m } from '#/texts/messages.js';
import { pageRequest } from '../contexts.ts';
import { isMissing } from '../load-errors.ts';
import { siteHead, unlisted } from '../page-meta.ts';
import type { Route } from './+types/mail-tray.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { mailTray } = context.get(pageRequest).api;
  const id = new URL(request.url).searchParams.get('mail');
  // Only demos have this page; an unknown email id still shows the list.
  const mails = await mailTray.list({ limit: 100 }).catch((error: unknown) => {
    throw isMissing(error) ? data(null, { status: 404 }) : error;
  });
  const opened =
    id &&
    (await mailTray.get({ id }).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return 'gone' as const;
    }));
  return { mails, opened: opened || null };
}

export const meta = unlisted(m.mail_tray_title);

export default function MailTrayPage({ loaderData: { mails, opened }, matches }: Route.ComponentProps) {
  const { revalidate, state } = useRevalidator();
  return (
    <MailTray
      mails={mails}
      opened={opened}
      timeZone={siteHead(matches).site.timeZone}
      busy={state === 'loading'}
      onRefresh={() => void revalidate()}
    />
  );
}
