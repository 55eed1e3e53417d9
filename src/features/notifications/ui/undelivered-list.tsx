import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { DataTable, type Column } from '#/web/components/data-table.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { SectionHeading } from '#/web/components/page.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText, failureCode } from '#/web/failures.ts';
import { useOwnZone, ZoneLine } from '#/web/own-zone.tsx';
import { momentText } from '#/web/times.ts';
import type { UndeliveredMail } from '../contract.ts';
import { expiredText, faultText, kindText } from './undelivered-texts.ts';

type Cursor = { beforeAt: string; beforeId: string } | undefined;

export function UndeliveredList() {
  const list = useInfiniteQuery(
    api.undelivered.list.infiniteOptions({
      input: (beyond: Cursor) => ({ limit: 25, ...beyond }),
      initialPageParam: undefined as Cursor,
      getNextPageParam: ({ more, mails }) => {
        const last = more ? mails.at(-1) : undefined;
        return last && { beforeAt: last.failedAt, beforeId: last.id };
      },
    }),
  );
  const first = list.data?.pages[0];
  const zone = useOwnZone();
  return (
    <>
      <ButtonLink to="/admin/analytics" variant="quiet" className="-ml-5">
        <ArrowLeft aria-hidden />
        {m.undelivered_back()}
      </ButtonLink>
      <SectionHeading
        as="h1"
        title={m.undelivered_title()}
        className="mt-2"
        action={(first?.sendable ?? 0) > 0 && <SendAllButton />}
      />
      <div className="mt-6">
        <Fetched query={list} failure={m.undelivered_failed_load()}>
          {({ pages }) => {
            const { total } = pages[0]!;
            if (total === 0)
              return (
                <Card>
                  <EmptyState as="h2" title={m.undelivered_empty_title()}>
                    {m.undelivered_empty_text()}
                  </EmptyState>
                </Card>
              );
            return (
              <>
                <p className="mb-2 text-quiet">{m.undelivered_count({ count: total })}</p>
                <ZoneLine timeZone={zone} className="mb-2 text-sm text-quiet" />
                <Mails mails={pages.flatMap(({ mails }) => mails)} />
                <MoreButton query={list} />
              </>
            );
          }}
        </Fetched>
      </div>
    </>
  );
}

function useRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: api.undelivered.key() });
}

function SendAllButton() {
  const refresh = useRefresh();
  const send = useMutation(
    api.undelivered.sendAllAgain.mutationOptions({
      onSuccess: ({ sent, expired }) =>
        toast.done(
          sentText(sent),
          expired > 0 ? m.undelivered_sent_all_expired({ count: expired }) : undefined,
        ),
      onError: (error) => toast.failed(m.undelivered_send_failed(), failureText(error)),
      onSettled: refresh,
    }),
  );
  return (
    <Button variant="secondary" busy={send.isPending} onClick={() => send.mutate({})}>
      {m.undelivered_send_all()}
    </Button>
  );
}

function sentText(count: number): string {
  if (count === 0) return m.undelivered_sent_none_title();
  return m.undelivered_sent_all_title({ count });
}

function Mails({ mails }: { mails: readonly UndeliveredMail[] }) {
  const [asked, setAsked] = useState<UndeliveredMail | null>(null);
  const zone = useOwnZone();
  return (
    <>
      <DataTable
        caption={m.undelivered_list()}
        columns={[...columnsIn(zone), actionsColumn(setAsked)]}
        rows={mails}
      />
      {asked && <DismissDialog mail={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function actionsColumn(onDismiss: (mail: UndeliveredMail) => void): Column<UndeliveredMail> {
  return {
    id: 'actions',
    label: m.web_actions(),
    cell: (mail) => (
      <span className="flex flex-wrap gap-2 lg:flex-nowrap lg:justify-end">
        {!mail.expired && <SendButton mail={mail} />}
        <Button
          variant="quiet"
          size="sm"
          aria-label={m.undelivered_dismiss_label({ kind: kindText(mail), to: mail.to })}
          onClick={() => onDismiss(mail)}
        >
          {m.undelivered_dismiss()}
        </Button>
      </span>
    ),
  };
}

const columnsIn = (zone: string): readonly Column<UndeliveredMail>[] => [
  {
    id: 'kind',
    label: m.undelivered_kind(),
    cell: (mail) => <span className="font-semibold">{kindText(mail)}</span>,
  },
  {
    id: 'to',
    label: m.undelivered_to(),
    cell: ({ to }) => (
      <span className="min-w-0 wrap-anywhere">
        {to.slice(0, to.lastIndexOf('@'))}
        <wbr />
        {to.slice(to.lastIndexOf('@'))}
      </span>
    ),
  },
  {
    id: 'failed',
    label: m.undelivered_failed_at(),
    cell: ({ failedAt }) => <time dateTime={failedAt}>{momentText(failedAt, zone)}</time>,
  },
  {
    id: 'fault',
    label: m.web_reason(),
    cell: (mail) => (
      <span className="min-w-0">
        {faultText(mail)}
        {mail.code && (
          <span className="block text-sm text-quiet">{m.undelivered_code({ code: mail.code })}</span>
        )}
        {mail.expired && <span className="mt-1 block">{expiredText(mail)}</span>}
      </span>
    ),
  },
];

function SendButton({ mail }: { mail: UndeliveredMail }) {
  const refresh = useRefresh();
  const send = useMutation(
    api.undelivered.sendAgain.mutationOptions({
      onSuccess: () => toast.done(m.undelivered_sent_title(), m.undelivered_sent_text()),
      onError: (error) => toast(refusalToast(error, mail)),
      onSettled: refresh,
    }),
  );
  return (
    <Button
      variant="secondary"
      size="sm"
      className="whitespace-nowrap"
      busy={send.isPending}
      aria-label={m.undelivered_send_label({ kind: kindText(mail), to: mail.to })}
      onClick={() => send.mutate({ mailId: mail.id })}
    >
      {m.web_send_again()}
    </Button>
  );
}

function refusalToast(error: unknown, mail: UndeliveredMail) {
  if (failureCode(error) === 'not_found')
    return { title: m.undelivered_gone_title(), description: m.undelivered_gone_text() };
  return {
    tone: 'destructive' as const,
    title: m.undelivered_send_failed(),
    description: failureText(error, { mail_expired: () => expiredText(mail) }),
  };
}

function DismissDialog({ mail, onClose }: { mail: UndeliveredMail; onClose: () => void }) {
  const refresh = useRefresh();
  const dismiss = useMutation(
    api.undelivered.dismiss.mutationOptions({
      onSuccess: () => toast.done(m.undelivered_dismissed()),
      onError: (error) => {
        // Another administrator already handled it.
        if (failureCode(error) === 'not_found') return;
        toast.failed(m.undelivered_dismiss_failed(), failureText(error));
      },
      onSettled: async () => {
        await refresh();
        onClose();
      },
    }),
  );
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={m.undelivered_dismiss_title()}
      description={m.undelivered_dismiss_text({ kind: kindText(mail), to: mail.to })}
      confirmLabel={m.undelivered_dismiss()}
      busy={dismiss.isPending}
      onConfirm={() => dismiss.mutate({ mailId: mail.id })}
    />
  );
}
