import { Download } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import { download } from '#/web/download.ts';
import type { ListInput, Cursor } from '../users/contract.ts';
import { counted, userFailureText } from './users-texts.ts';

/** UTF-8 byte order mark for spreadsheet apps. */
const mark = '\ufeff';

export function ExportUsers({
  narrowed,
  disabled,
}: {
  narrowed: Pick<ListInput, 'search' | 'role' | 'status' | 'lacksFactor'>;
  disabled: boolean;
}) {
  const [count, setCount] = useState<number | null>(null);

  const save = async () => {
    setCount(0);
    try {
      const parts = [mark];
      let rows = 0;
      let beyond: Cursor | null = null;
      do {
        const part: { text: string; rows: number; beyond: Cursor | null } = await api.directory.export.call({
          ...narrowed,
          ...(beyond ? { beyond } : {}),
        });
        parts.push(part.text);
        rows += part.rows;
        beyond = part.beyond;
        setCount(rows);
      } while (beyond);
      download({ name: 'users.csv', content: new Blob(parts, { type: 'text/csv;charset=utf-8' }) });
      toast.done(m.users_exported(), m.users_exported_text({ count: counted(rows) }));
    } catch (error) {
      toast.failed(m.users_export_failed(), userFailureText(error));
    } finally {
      setCount(null);
    }
  };
  return (
    <Button
      variant="secondary"
      busy={count !== null}
      busyLabel={m.users_exporting({ count: counted(count ?? 0) })}
      disabled={disabled}
      onClick={() => void save()}
    >
      <Download className="max-sm:hidden" />
      {m.users_export()}
    </Button>
  );
}
