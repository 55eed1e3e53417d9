import { Ban, MoonStar, Plus } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import type { AgendaDay, AgendaView } from '../agenda/contract.ts';
import { dayItems, type DayItem } from '../agenda/rules.ts';
import { sessionTypeText } from './session-texts.ts';
import { dateText, timeText, zoneText } from '#/web/times.ts';
import { entryStatusText, offText, openText, restName, sessionCount, spanText } from './calendar-texts.ts';
import type { CalendarActions } from './calendar-timeline.tsx';

const tones = { pending: 'gold', confirmed: 'primary', completed: 'sage', no_show: 'clay' } as const;

export function DayList({
  day,
  view,
  now,
  acts,
}: {
  day: AgendaDay;
  view: AgendaView;
  /** Epoch milliseconds; null until known. */
  now: number | null;
  acts: CalendarActions;
}) {
  const { timeZone } = view;
  const items = dayItems(day, view.blocks, now);
  return (
    <>
      <p className="text-quiet">
        {day.off ? <strong className="font-semibold text-ink">{offText(day.off)}. </strong> : null}
        {openText(day, timeZone)}
      </p>
      {sessionCount(day) === 0 && <p className="mt-2 font-medium">{m.schedule_day_empty()}</p>}
      <ol className="mt-3 grid gap-2">
        {items.map((item) => (
          <li key={`${item.kind} ${item.kind === 'session' ? item.entry.id : item.start}`}>
            <Row item={item} view={view} acts={acts} />
          </li>
        ))}
      </ol>
    </>
  );
}

const row = 'flex w-full items-start gap-3 rounded-control border px-4 py-2.5 text-left';

function Row({ item, view, acts }: { item: DayItem; view: AgendaView; acts: CalendarActions }) {
  const { timeZone } = view;
  const span = spanText(item.start, item.end, timeZone);
  if (item.kind === 'rest') {
    return (
      <div className={`${row} border-transparent bg-dusk text-on-dusk`}>
        <MoonStar aria-hidden className="mt-1 size-4.5 shrink-0" />
        <span>
          <span className="block font-semibold">{restName(view)}</span>
          <span className="text-sm">{span}</span>
        </span>
      </div>
    );
  }
  if (item.kind === 'free') {
    const startsAt = new Date(item.start).toISOString();
    const free = {
      from: timeText(startsAt, timeZone),
      to: timeText(new Date(item.end).toISOString(), timeZone),
    };
    return (
      <button
        type="button"
        aria-label={m.schedule_free_book({ ...free, date: dateText(startsAt, timeZone) })}
        onClick={() => acts.onFree(item.start)}
        className="flex min-h-11 w-full items-center gap-3 rounded-control border border-dashed border-control px-4 py-1.5 text-left text-quiet hover:border-sage hover:bg-sage-soft hover:text-ink"
      >
        <Plus aria-hidden className="size-4.5 shrink-0 text-sage" />
        {m.schedule_free_span(free)}
      </button>
    );
  }
  if (item.kind === 'block') {
    return (
      <button
        type="button"
        onClick={() => acts.onBlock(item.block)}
        className={`${row} border-control bg-sunken hover:border-ink`}
      >
        <Ban aria-hidden className="mt-1 size-4.5 shrink-0 text-quiet" />
        <span className="min-w-0">
          <span className="block font-semibold">{m.schedule_blocked()}</span>
          <span className="block text-sm">{span}</span>
          {item.block.note && <span className="block text-sm text-quiet">{item.block.note}</span>}
        </span>
      </button>
    );
  }
  const { entry } = item;
  return (
    <button
      type="button"
      onClick={() => acts.onEntry(entry)}
      className={`${row} flex-wrap border-line bg-card shadow-soft hover:bg-sunken`}
    >
      <span className="min-w-0 flex-1 basis-48">
        <span className="block text-sm text-quiet tabular-nums">{span}</span>
        <span className="block font-semibold">{entry.clientName}</span>
        <span className="block text-sm text-quiet">
          {entry.service} · {sessionTypeText(entry.sessionType)}
        </span>
      </span>
      <span className="flex flex-wrap gap-1.5">
        <Badge tone={tones[entry.status]}>{entryStatusText(entry)}</Badge>
        {entry.kind === 'emergency' && <Badge tone="clay">{m.booking_kind_emergency()}</Badge>}
      </span>
    </button>
  );
}

export function PrintedDay({ day, view }: { day: AgendaDay; view: AgendaView }) {
  const { timeZone } = view;
  return (
    <div className="hidden print:block">
      <p>
        {m.schedule_printed_zone({ zone: zoneText(timeZone) })}. {openText(day, timeZone)}
      </p>
      <table className="mt-4 w-full border-collapse text-left">
        <thead>
          <tr>
            {[
              m.schedule_column_time(),
              m.schedule_column_client(),
              m.schedule_column_service(),
              m.web_status(),
            ].map((name) => (
              <th key={name} scope="col" className="border-b border-control py-1.5 pr-4">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {day.entries.map((entry) => (
            <tr key={entry.id}>
              <td className="border-b border-line py-1.5 pr-4">
                {spanText(entry.startsAt, entry.endsAt, timeZone)}
              </td>
              <td className="border-b border-line py-1.5 pr-4">{entry.clientName}</td>
              <td className="border-b border-line py-1.5 pr-4">
                {entry.service}, {sessionTypeText(entry.sessionType)}
              </td>
              <td className="border-b border-line py-1.5">{entryStatusText(entry)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
