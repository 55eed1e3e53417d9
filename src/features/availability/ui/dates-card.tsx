import { useMutation } from '@tanstack/react-query';
import { CalendarOff, CalendarPlus, Pencil, X } from 'lucide-react';
import { useId, useState } from 'react';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText } from '#/web/failures.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import type { AvailabilityView } from '../contract.ts';
import { useAvailability } from './availability-queries.ts';
import { groupedDates, type DateSpan } from './date-spans.ts';
import { clockText, datesText } from './day-texts.ts';

const DateDialog = lazyPart(async () => (await import('./date-dialog.tsx')).DateDialog);

const shownFirst = 8;

export function DatesCard({ view, onNews }: { view: AvailabilityView; onNews: (news: string) => void }) {
  const id = useId();
  const [open, setOpen] = useState<{ span: DateSpan | null; off: boolean } | null>(null);
  const [all, setAll] = useState(false);
  const spans = groupedDates(view.dates);
  return (
    <Card as="section" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} className="text-xl">
        {m.availability_dates()}
      </h2>
      <p className="mt-1 text-quiet">{m.availability_dates_text()}</p>
      {spans.length === 0 ? (
        <p className="mt-4 rounded-control bg-sunken px-4 py-3 text-quiet">{m.availability_dates_none()}</p>
      ) : (
        <ul className="mt-4 divide-y divide-line border-y border-line">
          {(all ? spans : spans.slice(0, shownFirst)).map((span) => (
            <DateEntry
              key={span.from}
              span={span}
              places={view.places}
              onChange={() => setOpen({ span, off: span.windows.length === 0 })}
              onNews={onNews}
            />
          ))}
        </ul>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        {!all && spans.length > shownFirst && (
          <Button variant="quiet" size="sm" onClick={() => setAll(true)}>
            {m.web_show_all({ count: spans.length })}
          </Button>
        )}
        <Button variant="secondary" size="sm" onClick={() => setOpen({ span: null, off: true })}>
          <CalendarOff />
          {m.availability_dates_add_off()}
        </Button>
        <Button variant="secondary" size="sm" onClick={() => setOpen({ span: null, off: false })}>
          <CalendarPlus />
          {m.availability_dates_add_hours()}
        </Button>
      </div>
      {open && <DateDialog view={view} {...open} onNews={onNews} onClose={() => setOpen(null)} />}
    </Card>
  );
}

function DateEntry({
  span,
  places,
  onChange,
  onNews,
}: {
  span: DateSpan;
  places: AvailabilityView['places'];
  onChange: () => void;
  onNews: (news: string) => void;
}) {
  const { show } = useAvailability();
  const { from, to, windows, note, holiday } = span;
  const name = datesText(from, to);
  const failed = (error: unknown) => toast.failed(failureText(error));
  const undo = useMutation({
    ...api.availability.setDates.mutationOptions(),
    onSuccess: (stored) => {
      show(stored);
      onNews(m.availability_date_saved({ date: name }));
    },
    onError: failed,
  });
  const remove = useMutation({
    ...api.availability.removeDate.mutationOptions(),
    onSuccess: (stored) => {
      show(stored);
      toast({
        title: m.availability_date_removed({ date: name }),
        action: {
          label: m.web_undo(),
          altText: m.availability_date_undo_alt(),
          onSelect: () => undo.mutate({ from, to, windows: [...windows], note }),
        },
      });
    },
    onError: failed,
  });
  const placeName = (id: string | null | undefined) => places.find((place) => place.id === id)?.name;
  return (
    <li className="flex items-start gap-2 py-2">
      <div className="min-w-0 flex-1 py-2">
        <p className="font-semibold">{name}</p>
        <p className="text-quiet tabular-nums">
          {windows.length === 0 ? (
            <Badge>{holiday ?? m.availability_date_off()}</Badge>
          ) : (
            windows
              .map((window) =>
                [
                  m.availability_date_range({ from: clockText(window.from), to: clockText(window.to) }),
                  placeName(window.placeId),
                ]
                  .filter(Boolean)
                  .join(', '),
              )
              .join('; ')
          )}
          {note && !holiday && <span className="ml-2 wrap-anywhere">{note}</span>}
        </p>
      </div>
      <Button
        variant="quiet"
        size="icon"
        aria-label={m.availability_date_change({ date: name })}
        onClick={onChange}
      >
        <Pencil />
      </Button>
      <Button
        variant="quiet"
        size="icon"
        aria-label={m.availability_date_remove({ date: name })}
        busy={remove.isPending}
        onClick={() => remove.mutate({ from, to })}
      >
        <X />
      </Button>
    </li>
  );
}
