import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { useRef, useState, type SubmitEvent } from 'react';
import limits from 'virtual:limits/accounts.updateProfile';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, FieldError, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { refusalReason } from '#/web/limits.ts';
import { accountFailureText } from './failure-text.ts';

const maxAreas = limits.mentalHealthFocus!.max!;
const areaLimit = limits['mentalHealthFocus.*']!;

export function FocusAreas({
  areas,
  suggestions,
  onEdit,
}: {
  areas: readonly string[];
  suggestions: readonly string[];
  onEdit: () => void;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      {areas.length === 0 ? (
        <p className="text-quiet">{m.accounts_focus_none()}</p>
      ) : (
        <ul className="flex flex-wrap gap-2">
          {areas.map((area) => (
            <li key={area}>
              <Badge tone="primary" className="px-3 py-1 text-base wrap-anywhere">
                {area}
              </Badge>
            </li>
          ))}
        </ul>
      )}
      <Button
        variant="secondary"
        className="mt-5"
        onClick={() => {
          onEdit();
          setOpen(true);
        }}
      >
        {m.accounts_focus_edit()}
      </Button>
      {open && <EditDialog areas={areas} suggestions={suggestions} onClose={() => setOpen(false)} />}
    </>
  );
}

function EditDialog({
  areas,
  suggestions,
  onClose,
}: {
  areas: readonly string[];
  suggestions: readonly string[];
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState(areas);
  const [own, setOwn] = useState('');
  const [error, setError] = useState<string | null>(null);
  const full = chosen.length >= maxAreas;
  const has = (area: string) => chosen.some((one) => isSameArea(one, area));
  // Deselected areas stay until the dialog closes.
  const [added, setAdded] = useState<readonly string[]>(areas);
  const offered = [...added, ...suggestions.filter((one) => !added.some((area) => isSameArea(area, one)))];

  const save = useMutation({
    ...api.accounts.updateProfile.mutationOptions(),
    onSuccess: (saved) => {
      queries.setQueryData(api.accounts.profile.queryKey(), saved);
      toast.done(m.accounts_focus_saved());
      onClose();
    },
  });

  const toggle = (area: string) => {
    setError(null);
    if (has(area)) setChosen(chosen.filter((one) => !isSameArea(one, area)));
    else if (full) setError(areaProblemText('full'));
    else setChosen([...chosen, area]);
  };
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const area = own.trim().replaceAll(/\s+/g, ' ');
    const reason = refusalReason(areaLimit, area) ?? (full && !has(area) ? 'full' : null);
    const problem = reason && areaProblemText(reason);
    setError(problem);
    input.current?.focus();
    if (problem) return;
    if (!offered.some((one) => isSameArea(one, area))) setAdded([...added, area]);
    if (!has(area)) setChosen([...chosen, offered.find((one) => isSameArea(one, area)) ?? area]);
    setOwn('');
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open && !save.isPending) onClose();
      }}
      title={m.accounts_focus_edit()}
      description={m.accounts_focus_text()}
      footer={
        <>
          <Button variant="secondary" onClick={onClose} disabled={save.isPending}>
            {m.web_cancel()}
          </Button>
          <Button busy={save.isPending} onClick={() => save.mutate({ mentalHealthFocus: [...chosen] })}>
            {m.accounts_focus_save()}
          </Button>
        </>
      }
    >
      <div className="grid gap-6">
        {save.isError && <Notice tone="destructive">{accountFailureText(save.error)}</Notice>}
        <fieldset className="min-w-0">
          <legend className="mb-2 font-semibold">{m.accounts_focus_choose()}</legend>
          {offered.length === 0 && <p className="text-quiet">{m.accounts_focus_no_suggestions()}</p>}
          <div className="flex flex-wrap gap-2">
            {offered.map((area) => (
              <label
                key={area}
                className="relative inline-flex min-h-11 items-center gap-2 rounded-full border border-control bg-card px-4 py-1.5 font-medium wrap-anywhere transition-colors duration-150 has-checked:border-primary has-checked:bg-primary-soft has-checked:text-primary-strong has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
              >
                <input
                  type="checkbox"
                  checked={has(area)}
                  onChange={() => toggle(area)}
                  className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-full outline-none"
                />
                <Check className="hidden size-4 shrink-0 peer-checked:block" />
                {area}
              </label>
            ))}
          </div>
        </fieldset>
        <form noValidate onSubmit={add}>
          <Field
            label={m.accounts_focus_own()}
            hint={m.accounts_focus_count({ count: chosen.length, max: maxAreas })}
          >
            <div className="flex gap-2">
              <TextInput
                ref={input}
                value={own}
                onChange={({ target }) => setOwn(target.value)}
                aria-invalid={error ? true : undefined}
                autoComplete="off"
              />
              <Button type="submit" variant="secondary" className="shrink-0">
                <Plus />
                {m.accounts_focus_add()}
              </Button>
            </div>
          </Field>
          <div role="alert">{error && <FieldError id="focus-error">{error}</FieldError>}</div>
        </form>
      </div>
    </Dialog>
  );
}

/** The server deduplicates case-insensitively. */
function isSameArea(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function areaProblemText(reason: string): string {
  if (reason === 'full') return m.accounts_focus_full({ max: maxAreas });
  return reason === 'too_large' ? m.web_too_long({ max: String(areaLimit.max) }) : m.accounts_focus_empty();
}
