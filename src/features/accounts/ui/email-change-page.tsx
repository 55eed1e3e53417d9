import { useMutation, useQuery } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { failureReason, failureText } from '#/web/failures.ts';
import { emailChangeFailures } from './email-card.tsx';
import { MailedLinkPage } from './mailed-link.tsx';
import { useSession } from './session.tsx';

/** Confirms by a button: mail scanners open links. */
export function EmailChangePage({ token }: { token: string }) {
  const { refresh } = useSession();
  const read = useQuery({
    ...api.emailChange.read.queryOptions({ input: { token } }),
    enabled: token !== '',
  });
  const confirm = useMutation({
    ...api.emailChange.confirm.mutationOptions(),
    onSuccess: ({ changed }) => (changed ? refresh() : undefined),
  });
  const done = confirm.data;
  if (done)
    return (
      <MailedLinkPage title={m.email_change_page_title()}>
        <Notice
          tone="success"
          title={done.changed ? m.email_change_page_changed() : m.email_change_page_confirmed()}
        >
          {done.changed
            ? m.email_change_page_changed_text({ address: done.address })
            : done.side === 'former'
              ? m.email_change_page_open_new({ address: done.address })
              : m.email_change_page_open_former()}
        </Notice>
      </MailedLinkPage>
    );
  if (token === '' || isGone(read.error) || isGone(confirm.error))
    return (
      <MailedLinkPage title={m.email_change_page_title()}>
        <Notice title={m.address_change_gone()}>{m.email_change_page_gone()}</Notice>
        <ButtonLink to="/profile?tab=settings" variant="secondary" className="mt-5 w-full">
          {m.email_change_page_settings()}
        </ButtonLink>
      </MailedLinkPage>
    );
  return (
    <MailedLinkPage title={m.email_change_page_title()}>
      <Fetched query={read}>
        {({ address, side }) => (
          <div className="space-y-4">
            <p className="break-words">
              {(side === 'former' ? m.email_change_page_former : m.email_change_page_new)({ address })}
            </p>
            <p>{m.email_change_page_not_you()}</p>
            <Button className="w-full" busy={confirm.isPending} onClick={() => confirm.mutate({ token })}>
              {m.email_change_page_confirm()}
            </Button>
            <FailureAlert
              title={m.email_change_failed()}
              text={
                confirm.error &&
                failureText(confirm.error, {
                  ...emailChangeFailures,
                  address_taken: m.email_change_page_taken,
                  address_changed: m.email_change_page_taken,
                })
              }
            />
          </div>
        )}
      </Fetched>
    </MailedLinkPage>
  );
}

function isGone(error: unknown): boolean {
  return failureReason(error) === 'link_expired';
}
