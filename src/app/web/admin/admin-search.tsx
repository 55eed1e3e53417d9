import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field } from '#/web/components/field.tsx';
import { adminLinksFor } from './admin-links.ts';
import { shortestWords, useSearchText } from './search-text.ts';
import { failureText } from '#/web/failures.ts';

/** Finds pages and people; Ctrl K or ⌘ K opens it. Names never reach the URL, only ids. */
export function AdminSearch({ className, onOpen }: { className: string; onOpen?: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className={className}
        onClick={() => {
          onOpen?.();
          setOpen(true);
        }}
      >
        <Search />
        {m.admin_search()}
      </Button>
      <SearchDialog open={open} onOpenChange={setOpen} />
    </>
  );
}

/** Opens on Ctrl K or ⌘ K. Use once per page. */
export function AdminSearchKey() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      // Another dialog may hold unsaved input.
      if (event.shiftKey || event.altKey || document.querySelector('[role$="dialog"][data-state="open"]'))
        return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return <SearchDialog open={open} onOpenChange={setOpen} />;
}

function SearchDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={m.admin_search_title()} first={field}>
      <Finder field={field} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Finder({ field, onClose }: { field: RefObject<HTMLInputElement | null>; onClose: () => void }) {
  const { demo } = useSite();
  const navigate = useNavigate();
  const { words, type } = useSearchText();
  const searches = words.length >= shortestWords;
  const found = useQuery({
    ...api.names.find.queryOptions({ input: { search: words } }),
    enabled: searches,
    placeholderData: (last) => last,
  });
  const people = searches ? (found.data ?? []) : [];
  const follow = (value: string) => {
    onClose();
    void navigate(value);
  };
  return (
    <div className="min-h-80">
      <Field
        label={m.admin_search_label()}
        error={found.isError && `${m.admin_search_failed()} ${failureText(found.error)}`}
      >
        <Combobox
          ref={field}
          value=""
          onChange={follow}
          offers={[
            ...adminLinksFor(demo).map(({ to, name }) => ({ value: to, label: name() })),
            ...people.map(({ id, name, email }) => ({
              value: `/admin/people/${id}`,
              label: `${name} · ${email}`,
            })),
          ]}
          searching={!found.isError && (!searches || found.isFetching)}
          onType={type}
          autoComplete="off"
          maxLength={200}
        />
      </Field>
    </div>
  );
}
