import { Copy, Download } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';

export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const { toast } = useToast();
  const text = `${codes.join('\n')}\n`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast({ tone: 'success', title: m.second_step_codes_copied() }),
      () => toast({ tone: 'destructive', title: m.second_step_codes_not_copied() }),
    );
  return (
    <div className="grid gap-4">
      <Notice tone="success" title={m.second_step_on()}>
        {m.second_step_codes_text()}
      </Notice>
      <ul
        aria-label={m.second_step_codes()}
        className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-card border border-line bg-sunken p-4 font-semibold tabular-nums"
      >
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={() => void copy()}>
          <Copy />
          {m.second_step_copy()}
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="italk-codes.txt"
          className="inline-flex min-h-11 items-center gap-2 rounded-control px-3 font-semibold text-primary hover:bg-sunken [&_svg]:size-4.5"
        >
          <Download />
          {m.second_step_download()}
        </a>
      </div>
    </div>
  );
}
