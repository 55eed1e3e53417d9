import { Download } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { useToast } from '#/web/components/toast.tsx';

export function ReportButton() {
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const answer = await fetch('/api/me/progress-report.pdf');
      if (!answer.ok) throw new Error('no report');
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await answer.blob());
      link.download = `${m.growth_report_file()}.pdf`;
      link.click();
      // The download has started by then.
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch {
      toast.failed(m.growth_progress_download_failed(), m.web_check_connection());
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="secondary"
      busy={busy}
      busyLabel={m.growth_progress_downloading()}
      className="max-sm:w-full"
      onClick={() => void download()}
    >
      <Download />
      {m.growth_progress_download()}
    </Button>
  );
}
