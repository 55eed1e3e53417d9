import { ChevronDown, Download, FileSpreadsheet, FileText } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Menu } from '#/web/components/menu.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { Range } from '../report/rules.ts';

export function ExportMenu({ range }: { range: Range | undefined }) {
  const [busy, setBusy] = useState(false);
  const save = async (format: 'csv' | 'pdf') => {
    setBusy(true);
    try {
      const answer = await fetch(`/api/analytics/report.${format}?${new URLSearchParams({ ...range })}`);
      if (!answer.ok) throw new Error('no report');
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await answer.blob());
      link.download = `${m.analytics_report_file()}-${range?.from}-${range?.to}.${format}`;
      link.click();
      // The browser has started the download.
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch {
      toast.failed(m.analytics_export_failed(), m.web_check_connection());
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      trigger={
        <Button
          variant="secondary"
          size="sm"
          busy={busy}
          busyLabel={m.analytics_export_busy()}
          disabled={!range}
        >
          <Download />
          {m.analytics_export()}
          <ChevronDown />
        </Button>
      }
      items={[
        { label: m.analytics_export_csv(), icon: <FileSpreadsheet />, onSelect: () => void save('csv') },
        { label: m.analytics_export_pdf(), icon: <FileText />, onSelect: () => void save('pdf') },
      ]}
    />
  );
}
