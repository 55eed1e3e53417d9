import { Star } from 'lucide-react';
import { useId } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { FieldError } from '#/web/components/field.tsx';

const words = [
  m.reviews_rating_1,
  m.reviews_rating_2,
  m.reviews_rating_3,
  m.reviews_rating_4,
  m.reviews_rating_5,
] as const;

/** Five stars as radio buttons: one tab stop, moved with arrow keys. */
export function RatingChoice({
  value,
  onChange,
  error,
}: {
  value: number | null;
  onChange: (rating: number) => void;
  error?: string | undefined;
}) {
  const id = useId();
  return (
    <fieldset
      role="radiogroup"
      aria-describedby={error ? `${id}-error` : undefined}
      aria-invalid={error ? true : undefined}
      className="min-w-0"
    >
      <legend className="mb-1.5 font-semibold">{m.reviews_rating()}</legend>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="flex gap-0.5">
          {words.map((word, index) => {
            const count = index + 1;
            const label = m.reviews_stars({ count, word: word() });
            return (
              <label
                key={count}
                className="relative grid size-12 place-items-center rounded-control has-focus-visible:outline-3 has-focus-visible:outline-offset-1 has-focus-visible:outline-primary hover:bg-sunken"
              >
                <input
                  type="radio"
                  name={id}
                  value={count}
                  checked={count === value}
                  aria-label={label}
                  onChange={() => onChange(count)}
                  className="absolute inset-0 size-full cursor-pointer appearance-none rounded-control outline-none"
                />
                <Star
                  aria-hidden
                  strokeWidth={1.5}
                  className={classes(
                    'size-8',
                    count <= (value ?? 0) ? 'fill-gold stroke-gold-edge' : 'stroke-control',
                  )}
                />
              </label>
            );
          })}
        </div>
        <p aria-hidden className={value === null ? 'text-quiet' : 'font-semibold'}>
          {value === null ? m.reviews_rating_none() : words[value - 1]?.()}
        </p>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
