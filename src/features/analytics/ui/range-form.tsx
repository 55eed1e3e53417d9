import { useRef, useState, type SubmitEvent } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { TextField } from '#/web/components/field.tsx';
import {
  earliest,
  presetRange,
  presets,
  rangeProblem,
  type Preset,
  type Range,
  type RangeProblem,
} from '../report/rules.ts';

const presetNames: Readonly<Record<Preset, () => string>> = {
  this_month: m.analytics_range_this_month,
  last_month: m.analytics_range_last_month,
  six_months: m.analytics_range_six_months,
  twelve_months: m.analytics_range_twelve_months,
  this_year: m.analytics_range_this_year,
};

const problemTexts: Readonly<Record<RangeProblem['reason'], () => string>> = {
  range_from_missing: m.analytics_range_from_missing,
  range_to_missing: m.analytics_range_to_missing,
  range_too_early: m.analytics_range_too_early,
  range_in_future: m.analytics_range_in_future,
  range_reversed: m.analytics_range_reversed,
  range_too_long: m.analytics_range_too_long,
};

export function RangeForm({
  shown,
  today,
  onChange,
}: {
  shown: Range;
  today: string;
  onChange: (range: Range) => void;
}) {
  const [typed, setTyped] = useState(shown);
  const [problem, setProblem] = useState<RangeProblem | null>(null);
  const inputs = { from: useRef<HTMLInputElement>(null), to: useRef<HTMLInputElement>(null) };
  const show = (event: SubmitEvent) => {
    event.preventDefault();
    const found = rangeProblem(typed, today);
    setProblem(found);
    if (found) inputs[found.field].current?.focus();
    else onChange(typed);
  };
  const choose = (range: Range) => {
    setTyped(range);
    setProblem(null);
    onChange(range);
  };
  return (
    <form noValidate onSubmit={show} aria-label={m.analytics_range()} className="grid gap-3">
      <div role="group" aria-label={m.analytics_range()} className="flex flex-wrap gap-2">
        {presets.map((preset) => {
          const range = presetRange(preset, today);
          const chosen = range.from === shown.from && range.to === shown.to;
          return (
            <button
              key={preset}
              type="button"
              aria-pressed={chosen}
              onClick={() => choose(range)}
              className={classes(
                'min-h-11 rounded-full border px-3.5 text-sm font-semibold transition-colors duration-150',
                chosen
                  ? 'border-primary bg-primary-soft text-primary'
                  : 'border-control bg-card hover:bg-sunken',
              )}
            >
              {presetNames[preset]()}
            </button>
          );
        })}
      </div>
      <div className="flex flex-wrap items-start gap-2 sm:gap-3">
        {(['from', 'to'] as const).map((field) => (
          <TextField
            key={field}
            label={field === 'from' ? m.analytics_range_from() : m.analytics_range_to()}
            error={problem?.field === field && problemTexts[problem.reason]()}
            className="w-44 max-sm:min-w-32 max-sm:flex-1"
            ref={inputs[field]}
            type="date"
            min={earliest}
            max={today}
            value={typed[field]}
            onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
          />
        ))}
        <Button type="submit" variant="secondary" className="mt-7.5 min-h-12">
          {m.analytics_range_show()}
        </Button>
      </div>
    </form>
  );
}
