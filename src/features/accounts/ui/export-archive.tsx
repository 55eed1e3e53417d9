import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useRef } from 'react';
import { m } from '#/texts/messages.js';
import { api, useLiveQueries } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason } from '#/web/failures.ts';
import { longDateText } from '#/web/times.ts';
import type { ExportView } from '../export/contract.ts';
import { exportTerms } from '../rules.ts';
import { accountFailureText } from './failure-text.ts';
import { useViewer } from './session.tsx';

/** Milliseconds; polls because realtime events can get lost. */
const lookEvery = 2_000;

export function ExportArchive() {
  const queries = useQueryClient();
  const box = useRef<HTMLDivElement>(null);
  const list = api.exports.list.queryOptions();
  const query = useQuery({
    ...list,
    refetchInterval: ({ state }) => (isUnderWay(state.data?.[0]) ? lookEvery : false),
  });
  useLiveQueries(api.exports.list.key(), 'export.changed');
  const show = (changed: ExportView) => {
    queries.setQueryData(list.queryKey, (before: ExportView[] = []) => [
      changed,
      ...before.filter(({ id }) => id !== changed.id),
    ]);
    // The pressed button no longer exists.
    box.current?.focus();
  };
  const request = useMutation({
    ...api.exports.request.mutationOptions(),
    onSuccess: (asked) => {
      const listed = queries.getQueryData(list.queryKey)?.some(({ id }) => id === asked.id);
      // A listed archive is newer than this answer, which says that it waits.
      if (!listed) show(asked);
      else if (!box.current?.contains(document.activeElement)) box.current?.focus();
    },
  });

  return (
    <Fetched
      query={query}
      failure={m.accounts_export_load_failed()}
      skeleton={<Skeleton className="h-11 max-w-60" />}
    >
      {(archives) => {
        const [latest] = archives;
        const again = (label: string) => (
          <Button variant="secondary" busy={request.isPending} onClick={() => request.mutate({})}>
            {label}
          </Button>
        );
        return (
          <div ref={box} tabIndex={-1} className="grid gap-4 outline-none">
            <div role="status" aria-live="polite" className="sr-only">
              {progressAnnouncement(latest)}
            </div>
            {request.isError && (
              <Notice tone="destructive" title={m.accounts_export_refused()}>
                {failureReason(request.error) === 'too_many_exports'
                  ? m.accounts_export_too_many({ count: exportTerms.aDay })
                  : accountFailureText(request.error)}
              </Notice>
            )}
            {latest && isUnderWay(latest) && <Progress percent={latest.progress} />}
            {latest?.state === 'ready' && <Ready archive={latest} onRemoved={show} />}
            {latest?.state === 'failed' && (
              <Notice tone="destructive" title={m.accounts_export_failed()} action={again(m.web_try_again())}>
                {m.accounts_export_failed_text()}
              </Notice>
            )}
            {latest?.state === 'expired' && <p className="text-quiet">{m.accounts_export_expired()}</p>}
            {!isUnderWay(latest) && latest?.state !== 'failed' && (
              <div>{again(m.accounts_export_request())}</div>
            )}
          </div>
        );
      }}
    </Fetched>
  );
}

function Progress({ percent }: { percent: number }) {
  return (
    <div className="max-w-reading">
      <p className="mb-2 flex justify-between gap-4 font-semibold">
        <span id="export-progress">{m.accounts_export_preparing()}</span>
        <span className="tabular-nums">{m.accounts_export_percent({ percent })}</span>
      </p>
      <progress
        aria-labelledby="export-progress"
        max={100}
        value={percent}
        className="block h-3 w-full appearance-none overflow-hidden rounded-full border-0 bg-sunken [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-primary [&::-webkit-progress-value]:transition-[inline-size]"
      />
      <p className="mt-2 text-quiet">{m.accounts_export_preparing_text()}</p>
    </div>
  );
}

function Ready({ archive, onRemoved }: { archive: ExportView; onRemoved: (archive: ExportView) => void }) {
  const viewer = useViewer();
  const failed = (title: string) => (error: unknown) => toast.failed(title, accountFailureText(error));
  const open = useMutation({
    ...api.exports.open.mutationOptions(),
    onSuccess: ({ download }) => {
      const link = document.createElement('a');
      link.href = download!;
      link.download = '';
      link.click();
    },
    onError: failed(m.accounts_export_open_failed()),
  });
  const remove = useMutation({
    ...api.exports.remove.mutationOptions(),
    onSuccess: (removed) => {
      toast.done(m.accounts_export_removed());
      onRemoved(removed);
    },
    onError: failed(m.accounts_export_remove_failed()),
  });
  const exportId = archive.id;
  return (
    <Notice
      tone="success"
      title={m.accounts_export_ready()}
      action={
        <>
          <Button size="sm" busy={open.isPending} onClick={() => open.mutate({ exportId })}>
            <Download />
            {m.web_download()}
          </Button>
          <Button
            variant="secondary"
            size="sm"
            busy={remove.isPending}
            onClick={() => remove.mutate({ exportId })}
          >
            {m.accounts_export_remove()}
          </Button>
        </>
      }
    >
      <p>
        {m.accounts_export_ready_text({ date: longDateText(archive.expiresAt!, viewer?.timeZone ?? null) })}
      </p>
      <p className="mt-2">{m.accounts_export_remove_text()}</p>
    </Notice>
  );
}

function isUnderWay(archive: ExportView | undefined): boolean {
  return archive?.state === 'waiting' || archive?.state === 'running';
}

/** Announced in quarters, to keep screen readers quiet. */
function progressAnnouncement(archive: ExportView | undefined): string {
  if (archive?.state === 'ready') return m.accounts_export_ready();
  if (!archive || !isUnderWay(archive)) return '';
  const quarter = Math.floor(archive.progress / 25) * 25;
  return `${m.accounts_export_preparing()} ${m.accounts_export_percent({ percent: quarter })}`;
}
