import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, ArrowUpRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import limits from 'virtual:limits/growth.devotionals.edit';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { changedQuery } from '#/web/changed-query.ts';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, Textarea, TextField, SelectField } from '#/web/components/field.tsx';
import { Options } from '#/web/components/options.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { SectionHeading } from '#/web/components/page.tsx';
import { SearchField } from '#/web/components/search-field.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { monthText, momentText } from '#/web/times.ts';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureCode } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { deviceZone } from '#/kernel/date-text.ts';
import { dayText, yearDays } from '../devotionals/rules.ts';
import type { DevotionalEntry } from '../devotionals/contract.ts';

const months = Array.from({ length: 12 }, (_, index) => index + 1);

const daysSkeleton = (
  <div className="space-y-2">
    {[1, 2, 3, 4, 5].map((one) => (
      <Skeleton key={one} className="h-19" />
    ))}
  </div>
);

export function DevotionalsPanel() {
  const [query, setQuery] = useSearchParams();
  const day = yearDays.find((one) => one === query.get('day')) ?? null;
  const search = query.get('search')?.trim().slice(0, 100) ?? '';
  const asked = Number(query.get('month'));
  // A linked day opens its own month.
  const [thisMonth] = useState(() => new Date().getMonth() + 1);
  const month = months.find((one) => one === asked) ?? (day ? Number(day.slice(0, 2)) : thisMonth);
  const searchInput = useRef<HTMLInputElement>(null);
  const list = useQuery(api.growth.devotionals.year.queryOptions({ input: search ? { search } : { month } }));

  return (
    <>
      <SectionHeading as="h1" title={m.devotionals_admin_title()}>
        {m.devotionals_admin_text()}
      </SectionHeading>
      <div
        className={classes(
          'mt-6 grid gap-4 sm:grid-cols-[12rem_minmax(0,24rem)]',
          day !== null && 'max-lg:hidden',
        )}
      >
        <SelectField
          label={m.devotionals_admin_month()}
          value={month}
          onChange={(event) => {
            if (searchInput.current) searchInput.current.value = '';
            setQuery(changedQuery(query, { month: event.target.value, search: null, day: null }), {
              replace: true,
            });
          }}
        >
          <Options of={months} text={(one) => monthText(`2024-${String(one).padStart(2, '0')}`)} />
        </SelectField>
        <SearchField
          label={m.devotionals_admin_search()}
          placeholder={m.devotionals_admin_search_hint()}
          maxLength={100}
          input={searchInput}
          value={search}
          onSearch={(words) => setQuery(changedQuery(query, { search: words, day: null }), { replace: true })}
        />
      </div>
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <div className={day ? 'max-lg:hidden' : undefined}>
          <p role="status" className="sr-only">
            {search && list.data ? m.devotionals_admin_found({ count: list.data.length }) : ''}
          </p>
          <Fetched query={list} skeleton={daysSkeleton}>
            {(found) =>
              found.length === 0 ? (
                <EmptyState as="h2" illustration={<WindowIllustration />} title={m.devotionals_admin_none()}>
                  {m.devotionals_admin_none_text()}
                </EmptyState>
              ) : (
                <nav aria-label={m.devotionals_admin_days()}>
                  <Card
                    as="ul"
                    className="divide-y divide-line overflow-hidden p-0! lg:max-h-[calc(100dvh-7rem)] lg:overflow-y-auto"
                  >
                    {found.map((one) => (
                      <li key={one.day}>
                        <Link
                          to={changedQuery(query, { day: one.day })}
                          preventScrollReset
                          aria-current={one.day === day ? 'page' : undefined}
                          className="block px-4 py-1.5 hover:bg-sunken focus-visible:-outline-offset-3 aria-[current=page]:bg-primary-soft"
                        >
                          <span className="flex flex-wrap items-center justify-between gap-x-3 text-sm text-quiet">
                            {dayText(one.day)} · {one.reference}
                            {one.edited && <Badge>{m.devotionals_admin_edited()}</Badge>}
                          </span>
                          <span className="block leading-snug font-semibold break-words">{one.title}</span>
                        </Link>
                      </li>
                    ))}
                  </Card>
                </nav>
              )
            }
          </Fetched>
        </div>
        {day ? (
          <Card
            as="section"
            aria-labelledby="day"
            className="lg:sticky lg:top-24 lg:max-h-[calc(100dvh-7rem)] lg:overflow-y-auto"
          >
            <Link
              to={changedQuery(query, { day: null })}
              className="mb-2 inline-flex min-h-11 items-center gap-2 font-semibold text-primary lg:hidden"
            >
              <ArrowLeft aria-hidden className="size-4.5" />
              {m.devotionals_admin_back()}
            </Link>
            <Opened key={day} day={day} />
          </Card>
        ) : (
          <Card className="text-quiet max-lg:hidden">{m.devotionals_admin_choose()}</Card>
        )}
      </div>
    </>
  );
}

function Opened({ day }: { day: string }) {
  const entry = useQuery(api.growth.devotionals.entry.queryOptions({ input: { day } }));
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="day" className="text-xl">
          {dayText(day)}
        </h2>
        <Link
          to={`/devotional/${day}`}
          className="inline-flex min-h-11 items-center gap-1.5 font-semibold text-primary hover:underline"
        >
          {m.devotionals_admin_view()}
          <ArrowUpRight aria-hidden className="size-4.5" />
        </Link>
      </div>
      <Fetched query={entry} skeleton={daysSkeleton}>
        {(one) => <DevotionalForm entry={one} />}
      </Fetched>
    </>
  );
}

const parts = ['title', 'reference', 'text', 'thought', 'prayer'] as const;
type Values = Record<(typeof parts)[number], string>;

/** Keeps unsaved text when another editor saves first. */
function DevotionalForm({ entry }: { entry: DevotionalEntry }) {
  const queries = useQueryClient();
  /** The version being edited. */
  const [version, setVersion] = useState(entry.version);
  const [conflict, setConflict] = useState(false);

  const showSaved = (saved: DevotionalEntry) => {
    queries.setQueryData(api.growth.devotionals.entry.queryKey({ input: { day: saved.day } }), saved);
    setVersion(saved.version);
    setConflict(false);
  };
  const form = useForm<Values>({
    values: valuesOf(entry),
    limits,
    sentence: (_, reason) => (reason === 'required' ? m.web_fill_in() : m.devotionals_admin_bad()),
    failureText: (error) =>
      failureCode(error) === 'conflict'
        ? m.devotionals_admin_conflict_text()
        : m.devotionals_admin_failed_text(),
    save: async (values) => {
      setConflict(false);
      try {
        const saved = await api.growth.devotionals.edit.call({ day: entry.day, version, ...values });
        form.takeSaved(valuesOf(saved));
        showSaved(saved);
        void queries.invalidateQueries({ queryKey: api.growth.devotionals.year.key() });
        toast.done(m.devotionals_admin_saved({ day: dayText(saved.day) }), m.devotionals_admin_saved_text());
      } catch (error) {
        setConflict(failureCode(error) === 'conflict');
        throw error;
      }
    },
  });
  const { register, errorOf, failure, busy } = form;
  const reload = useMutation({
    mutationFn: () => api.growth.devotionals.entry.call({ day: entry.day }),
    onSuccess: (fresh) => {
      form.reset(valuesOf(fresh));
      showSaved(fresh);
      form.props.ref.current?.querySelector<HTMLElement>('[name=title]')?.focus();
    },
  });

  const control = (part: keyof Values) => ({ ...register(part), required: true });
  return (
    <form {...form.props} className="mt-3 grid gap-4">
      <LeaveGuard unsaved={form.unsaved} part="day" />
      <TextField label={m.devotionals_admin_field_title()} error={errorOf('title')} {...control('title')} />
      <TextField
        label={m.devotionals_admin_field_reference()}
        hint={m.devotionals_admin_field_reference_hint()}
        error={errorOf('reference')}
        {...control('reference')}
      />
      <Field
        label={m.devotionals_admin_field_text()}
        hint={m.devotionals_admin_field_text_hint()}
        error={errorOf('text')}
      >
        <Textarea {...control('text')} rows={5} />
      </Field>
      <Field label={m.devotionals_admin_field_thought()} error={errorOf('thought')}>
        <Textarea {...control('thought')} rows={3} />
      </Field>
      <Field label={m.devotionals_admin_field_prayer()} error={errorOf('prayer')}>
        <Textarea {...control('prayer')} rows={2} />
      </Field>
      {failure && (
        <Notice
          tone="destructive"
          title={conflict ? m.devotionals_admin_conflict() : m.web_save_failed()}
          action={
            conflict && (
              <Button variant="secondary" size="sm" busy={reload.isPending} onClick={() => reload.mutate()}>
                {m.devotionals_admin_reload()}
              </Button>
            )
          }
        >
          {failure}
        </Notice>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-quiet">{editedText(entry)}</p>
        <Button type="submit" busy={busy} busyLabel={m.devotionals_admin_saving()} className="max-sm:w-full">
          {m.devotionals_admin_save()}
        </Button>
      </div>
    </form>
  );
}

function editedText({ editedAt, editedBy }: DevotionalEntry): string {
  if (!editedAt) return '';
  const when = momentText(editedAt, deviceZone());
  return editedBy
    ? m.devotionals_admin_edited_by({ when, name: editedBy })
    : m.devotionals_admin_edited_at({ when });
}

function valuesOf(entry: DevotionalEntry): Values {
  return Object.fromEntries(parts.map((part) => [part, entry[part]])) as Values;
}
