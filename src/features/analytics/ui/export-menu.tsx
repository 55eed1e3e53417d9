import { ChevronDown, Download, FileSpreadsheet, FileText } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Menu } from '#/web/components/menu.tsx';
import { toast } from '#/web/components/toast.tsx';
import { downloadFrom } from '#/web/download.ts';
import type { Range } from '../report/rules.ts';
import { failureText } from '#/web/failures.ts';

export function ExportMenu({ range }: { range: Range | undefined }) {
  const save = useMutation({
    mutationFn: (format: 'csv' | 'pdf') =>
      downloadFrom(
        `/api/analytics/report.${format}?${new URLSearchParams({ ...range })}`,
        `${m.analytics_report_file()}-${range?.from}-${range?.to}.${format}`,
      ),
    onError: (error) => toast.failed(m.growth_progress_download_failed(), failureText(error)),
  });
  return (
    <Menu
      trigger={
        <Button
          variant="secondary"
          size="sm"
          busy={save.isPending}
          busyLabel={m.analytics_export_busy()}
          disabled={!range}
        >
          <Download />
          {m.analytics_export()}
          <ChevronDown />
        </Button>
      }
      items={[
        { label: m.analytics_export_csv(), icon: <FileSpreadsheet />, onSelect: () => save.mutate('csv') },
        { label: m.analytics_export_pdf(), icon: <FileText />, onSelect: () => save.mutate('pdf') },
      ]}
    />
  );
}
