import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Section } from '#/web/components/card.tsx';
import { DataTable, type Column } from '#/web/components/data-table.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText, failureCode, failureReason } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { momentText } from '#/web/times.ts';
import type { BackupsOverview, BackupView } from '../contract.ts';
import {
  durationText,
  figureText,
  frequencyText,
  originText,
  reasonText,
  sizeText,
  stateText,
} from './backup-texts.ts';

export function BackupsPanel() {
  const query = useQuery(api.backups.overview.queryOptions());
  useLiveQueries(api.backups.key(), 'backups.changed', 'site.changed');
  return (
    <Section level="h3" title={m.backups_title()} titleClassName="text-lg" className="mt-10 max-sm:mt-7">
      <div className="mt-3">
        <Fetched query={query} failure={m.backups_load_failed()}>
          {(overview) => <Overview overview={overview} />}
        </Fetched>
      </div>
    </Section>
  );
}

function Overview({ overview }: { overview: BackupsOverview }) {
  const { backups, frequency, dueAt, folder } = overview;
  const [latest] = backups;
  const zone = useOwnZone();
  const under = backups.find(({ state }) => state === 'waiting' || state === 'running');
  const due = dueAt ? m.backups_due({ when: momentText(dueAt, zone) }) : m.backups_due_now();
  const list = (
    <>
      {latest ? <BackupsTable backups={backups} /> : <p className="mt-4 text-quiet">{m.backups_none()}</p>}
      <p className="mt-4 max-w-prose text-sm text-quiet">{m.backups_kept()}</p>
      <p className="mt-2 max-w-prose text-sm text-quiet">
        {m.backups_where()} <code className="break-all">{folder}</code>
      </p>
    </>
  );
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 max-w-prose flex-1 basis-64">
          {frequencyText(frequency)} {!under && due}
        </p>
        <BackUpButton under={under} />
      </div>
      <p role="status" className="mt-2 text-sm text-quiet empty:hidden">
        {under && progressText(under)}
      </p>
      <BackupProblem overview={overview} />
      {latest ? (
        <details className="group mt-2">
          <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-control font-semibold text-primary [&::-webkit-details-marker]:hidden">
            {m.backups_list({ count: backups.length, when: momentText(timeOf(latest), zone) })}
            <ChevronDown
              aria-hidden
              className="size-5 shrink-0 transition-transform duration-150 group-open:rotate-180"
            />
          </summary>
          {list}
        </details>
      ) : (
        list
      )}
    </>
  );
}

function BackupsTable({ backups }: { backups: readonly BackupView[] }) {
  const [asked, setAsked] = useState<BackupView | null>(null);
  const zone = useOwnZone();
  return (
    <>
      <DataTable
        caption={m.backups_caption()}
        columns={[...columnsIn(zone), actionsColumn(zone, setAsked)]}
        rows={backups}
        className="mt-4"
      />
      {asked && <DeleteDialog backup={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function actionsColumn(zone: string, onDelete: (backup: BackupView) => void): Column<BackupView> {
  return {
    id: 'actions',
    label: m.web_actions(),
    actions: true,
    cell: (backup) =>
      backup.kept && (
        <Button
          variant="secondary"
          size="sm"
          aria-label={m.backups_delete_label({ when: momentText(timeOf(backup), zone) })}
          onClick={() => onDelete(backup)}
        >
          {m.web_delete()}
        </Button>
      ),
  };
}

function DeleteDialog({ backup, onClose }: { backup: BackupView; onClose: () => void }) {
  const queries = useQueryClient();
  const zone = useOwnZone();
  const remove = useMutation(
    api.backups.remove.mutationOptions({
      onSuccess: () => toast.done(m.backups_deleted()),
      onError: (error) => {
        // Another administrator already deleted it.
        if (failureCode(error) === 'not_found') return;
        toast.failed(m.backups_delete_failed(), failureText(error));
      },
      onSettled: async () => {
        await queries.invalidateQueries({ queryKey: api.backups.key() });
        onClose();
      },
    }),
  );
  return (
    <AlertDialog
      open
      onOpenChange={onClose}
      title={m.backups_delete_title()}
      description={m.backups_delete_text({ when: momentText(timeOf(backup), zone) })}
      confirmLabel={m.backups_delete_confirm()}
      onConfirm={() => remove.mutate({ backupId: backup.id })}
      busy={remove.isPending}
    />
  );
}

function timeOf({ startedAt, requestedAt }: BackupView): string {
  return startedAt ?? requestedAt;
}

function BackUpButton({ under }: { under: BackupView | undefined }) {
  const queries = useQueryClient();
  const request = useMutation(
    api.backups.request.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: api.backups.key() }),
      onError: (error) => {
        // Another administrator already requested one.
        if (failureReason(error) === 'backup_under_way')
          return queries.invalidateQueries({ queryKey: api.backups.key() });
        toast.failed(m.backups_request_failed(), m.backups_request_failed_text());
      },
    }),
  );
  return (
    <Button
      variant="secondary"
      busy={request.isPending || under !== undefined}
      onClick={() => request.mutate({})}
    >
      {under ? m.backups_under_way() : m.backups_now()}
    </Button>
  );
}

function progressText({ state, rows, files }: BackupView): string {
  if (state === 'waiting') return m.backups_about_to_begin();
  return m.backups_progress({ rows: figureText(rows), files: figureText(files) });
}

function BackupProblem({
  overview: { backups, failures, lastDoneAt, dueAt },
}: {
  overview: BackupsOverview;
}) {
  const zone = useOwnZone();
  const failed = backups.find(({ state }) => state === 'failed');
  if (failures === 0 || !failed?.reason) return null;
  return (
    <Notice tone="destructive" title={m.backups_failed_title()} className="mt-4">
      <p>{reasonText(failed.reason)}</p>
      <p>
        {lastDoneAt ? m.backups_last_whole({ when: momentText(lastDoneAt, zone) }) : m.backups_never_whole()}{' '}
        {dueAt && m.backups_tried_again({ when: momentText(dueAt, zone) })}
      </p>
    </Notice>
  );
}

const tones = { waiting: 'neutral', running: 'primary', done: 'sage', failed: 'clay' } as const;

const columnsIn = (zone: string): readonly Column<BackupView>[] => [
  {
    id: 'when',
    label: m.backups_column_when(),
    className: 'lg:whitespace-nowrap',
    cell: (backup) => {
      const at = timeOf(backup);
      return (
        <time dateTime={at} className="font-semibold">
          {momentText(at, zone)}
        </time>
      );
    },
  },
  {
    id: 'state',
    label: m.web_status(),
    cell: (backup) => (
      <span className="min-w-0">
        <Badge tone={backup.removed ? 'neutral' : tones[backup.state]}>{stateText(backup)}</Badge>
        {backup.reason && <span className="mt-1 block text-sm">{reasonText(backup.reason)}</span>}
        {backup.missingFiles > 0 && (
          <span className="mt-1 block text-sm">
            {m.backups_missing({ count: figureText(backup.missingFiles) })}
          </span>
        )}
        {backup.fileName && !backup.removed && (
          <span className="mt-1 block text-sm break-all text-quiet">{backup.fileName}</span>
        )}
      </span>
    ),
  },
  {
    id: 'size',
    label: m.backups_column_size(),
    numeric: true,
    className: 'lg:whitespace-nowrap',
    cell: ({ fileName, bytes }) => (fileName ? sizeText(bytes) : m.backups_no_value()),
  },
  {
    id: 'duration',
    label: m.backups_column_duration(),
    numeric: true,
    className: 'lg:whitespace-nowrap',
    cell: (backup) => durationText(backup) ?? m.backups_no_value(),
  },
  { id: 'by', label: m.backups_column_by(), cell: originText },
];
