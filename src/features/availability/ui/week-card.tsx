import { Undo2 } from 'lucide-react';
import { useId, useState, useMemo } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { useNarrow } from '#/web/narrow.ts';
import { CopyButton, DaySwitch, type DayActions } from './day-controls.tsx';
import { daysText, openHoursText, shortWeekdayText, weekdayText } from './day-texts.ts';
import type { WeekPartProps, PartProps } from './problem-texts.ts';
import { HoursDialog, type EditedHours } from './hours-dialog.tsx';
import { copyDay, toggleDay, withDay, type TypedDay } from './week-draft.ts';
import { focusCell } from './week-grid-actions.ts';
import { WeekGrid } from './week-grid.tsx';
import { WeekRows } from './week-rows.tsx';
import { openMinutes } from './week-spans.ts';
import { presentZone, timeZoneOffers, zoneName } from '#/web/zones.ts';
import { Combobox } from '#/web/components/combobox.tsx';
import { Field } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { SeveralChoices } from '#/web/components/several-choices.tsx';
import { useForm } from '#/web/form.tsx';

/** Milliseconds until a closing dialog has restored focus. */
const afterClosing = 50;

/** A grid to draw in; on phones a row per day, to type in. */
export function WeekCard(props: WeekPartProps) {
  const { week, view, onAct, onUndo, onNews } = props;
  const id = useId();
  const alive = useHydrated();
  const narrow = useNarrow();
  const [edited, setEdited] = useState<EditedHours | null>(null);
  const [copying, setCopying] = useState<number | null>(null);
  const dayActs: DayActions = {
    onSwitch: ({ weekday, off }) => {
      const day = weekdayText(weekday);
      onAct(withDay(week, weekday, toggleDay));
      onNews(off ? m.availability_news_on({ day }) : m.availability_news_off({ day }));
    },
    onCopy: ({ weekday }) => setCopying(weekday),
  };
  const undo = () => {
    onUndo?.();
    onNews(m.availability_news_undone());
  };
  return (
    <Card as="section" aria-labelledby={id}>
      <div className="flex min-h-11 items-center gap-x-3">
        <h2 id={id} tabIndex={-1} className="text-xl">
          {m.availability_week()}
        </h2>
        <p className="flex-1 text-quiet tabular-nums">
          {openHoursText(week.days.reduce((sum, day) => sum + openMinutes(day), 0))}
        </p>
        {onUndo && (
          <Button variant="quiet" size="sm" className="-mr-3.5" onClick={undo}>
            <Undo2 />
            {m.web_undo()}
          </Button>
        )}
      </div>
      {(!alive || narrow) && (
        <div className="lg:hidden">
          <WeekRows {...props} {...dayActs} />
        </div>
      )}
      {!(alive && narrow) && (
        <div className="mt-2 max-lg:hidden">
          <DayHeads days={week.days} {...dayActs} />
          {/* Hour positions are inline styles, which the content security policy allows only from scripts. */}
          {alive ? (
            <WeekGrid {...props} onUndo={onUndo && undo} onEdit={setEdited} />
          ) : (
            <Skeleton className="h-120" />
          )}
        </div>
      )}
      <div className="mt-4 grid items-start gap-x-6 gap-y-4 sm:grid-cols-2">
        <ZoneField {...props} />
        <p className="text-quiet sm:mt-8">
          {view.places.length > 0 ? m.availability_places_text() : m.availability_places_none()}{' '}
          <Link
            to="/practice"
            className="font-semibold text-primary hover:text-primary-strong hover:underline"
          >
            {m.availability_places_link()}
          </Link>
        </p>
      </div>
      {edited && (
        <HoursDialog
          week={week}
          view={view}
          edited={edited}
          onDone={(next, news, key) => {
            onAct(next);
            onNews(news);
            setEdited(null);
            // The cell that opened the dialog may no longer exist.
            setTimeout(() => focusCell(key), afterClosing);
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {copying !== null && (
        <CopyDialog
          day={copying}
          onCopy={(days) => {
            onAct(copyDay(week, copying, days));
            onNews(m.availability_news_copied({ day: weekdayText(copying), days: daysText(days) }));
            setCopying(null);
          }}
          onClose={() => setCopying(null)}
        />
      )}
    </Card>
  );
}

function DayHeads({ days, onSwitch, onCopy }: { days: readonly TypedDay[] } & DayActions) {
  return (
    <ul className="grid grid-cols-7 pl-13">
      {days.map((day) => (
        <li key={day.weekday} className="pl-1">
          <p className="flex items-baseline gap-x-1.5">
            <span className="font-semibold">{shortWeekdayText(day.weekday)}</span>
            <span className="text-sm text-quiet tabular-nums">
              {day.off ? m.availability_date_off() : openHoursText(openMinutes(day))}
            </span>
          </p>
          <div className="flex items-center [&>button]:w-9">
            <DaySwitch day={day} onSwitch={onSwitch} />
            <CopyButton day={day} onCopy={onCopy} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function ZoneField({ week, view, problems, onChange }: PartProps) {
  const offers = useMemo(() => timeZoneOffers(), []);
  const zone = presentZone(week.timeZone);
  return (
    <div>
      <Field label={m.availability_zone()} hint={m.availability_zone_hint()} error={problems.timeZone}>
        <Combobox
          autoComplete="off"
          value={zone}
          onChange={(timeZone) => onChange({ ...week, timeZone })}
          offers={offers}
        />
      </Field>
      {zone !== presentZone(view.timeZone) && (
        <Notice className="mt-3">{m.availability_zone_changed({ zone: zoneName(zone) })}</Notice>
      )}
    </div>
  );
}

const workdays = ['1', '2', '3', '4', '5'];
const everyDay = [...workdays, '6', '7'];

/** Copies one day's hours to the chosen days. */
function CopyDialog({
  day,
  onCopy,
  onClose,
}: {
  day: number;
  onCopy: (days: number[]) => void;
  onClose: () => void;
}) {
  const form = useForm<{ days: string[] }>({
    values: { days: [] },
    check: ({ days }): { days?: string } => (days.length === 0 ? { days: m.web_days_missing() } : {}),
    save: async ({ days }) => onCopy(days.map(Number)),
  });
  const { value, onChange } = form.choice('days');
  const others = (days: readonly string[]) => days.filter((one) => one !== String(day));
  return (
    <FormDialog
      title={m.availability_copy_title({ day: weekdayText(day) })}
      description={m.availability_copy_text()}
      submitLabel={m.availability_copy()}
      form={form}
      onClose={onClose}
    >
      <div>
        <SeveralChoices
          legend={m.availability_copy_to()}
          error={form.errorOf('days')}
          choices={others(everyDay).map((one) => ({ value: one, label: weekdayText(Number(one)) }))}
          value={value}
          onChange={onChange}
        />
        <div className="mt-2 -ml-3.5 flex flex-wrap">
          <Button variant="quiet" size="sm" onClick={() => onChange(others(workdays))}>
            {m.availability_copy_workdays()}
          </Button>
          <Button variant="quiet" size="sm" onClick={() => onChange(others(everyDay))}>
            {m.availability_copy_all()}
          </Button>
        </div>
      </div>
    </FormDialog>
  );
}
