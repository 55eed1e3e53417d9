import { Check, CircleAlert } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Notice } from '#/web/components/notice.tsx';
import { LoadFailed } from '#/web/components/fetched.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import type { BookForm } from './book-form.ts';
import { clashText } from './failure-text.ts';
import { shortDateText, timeText } from '#/web/times.ts';

export function SeriesPlan({ form }: { form: BookForm }) {
  const { series, clashes, zone, about } = form;
  if (series.isError) {
    return <LoadFailed title={m.booking_series_failed()} query={series} kept />;
  }
  if (!series.data) {
    return (
      <Loading label={m.booking_series_loading()}>
        <p className="mb-2 font-semibold">{m.booking_series()}</p>
        <div className="grid gap-1 sm:grid-cols-2">
          {Array.from({ length: form.draft.sessions }, (_, index) => (
            <Skeleton key={index} className="h-7" />
          ))}
        </div>
      </Loading>
    );
  }
  return (
    <section data-problem={clashes.length > 0 ? '' : undefined} aria-label={m.booking_series()}>
      <p className="mb-2 font-semibold">{m.booking_series()}</p>
      <ol className="grid gap-x-8 gap-y-1.5 sm:grid-cols-2">
        {series.data.map(({ startsAt, refusal }, index) => {
          const Mark = refusal ? CircleAlert : Check;
          return (
            <li key={startsAt} className="flex items-start gap-2">
              <Mark
                aria-hidden
                className={refusal ? 'mt-1 size-4.5 shrink-0 text-clay' : 'mt-1 size-4.5 shrink-0 text-sage'}
              />
              <span>
                <span className="sr-only">{m.booking_series_session({ index: index + 1 })} </span>
                <time dateTime={startsAt}>
                  {m.web_date_time({
                    date: shortDateText(startsAt, zone),
                    time: timeText(startsAt, zone),
                  })}
                </time>
                {refusal && (
                  <span className="block text-sm font-medium text-clay">{clashText(refusal, about)}</span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      <div tabIndex={-1} className="mt-3 rounded-control">
        {clashes.length > 0 ? (
          <Notice tone="destructive" title={clashTitle(clashes.length, series.data.length)}>
            {m.booking_series_clash_text()}
          </Notice>
        ) : (
          <p role="status" className="text-sm text-quiet">
            {m.booking_series_free({ count: series.data.length })}
          </p>
        )}
      </div>
    </section>
  );
}

function clashTitle(clashes: number, count: number): string {
  return m.booking_series_clashes({ clashes, count });
}
