import { Star } from 'lucide-react';
import { useId } from 'react';
import limits from 'virtual:limits/reviews.write';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Field, Textarea, TextInput, FieldError } from '#/web/components/field.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { isRefusal } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { classes } from '#/web/components/classes.ts';
import type { Naming, OwnReview } from '../contract.ts';
import { authorName } from '../rules.ts';
import { reviewFailure } from './failure-text.ts';

const namings: readonly { value: Naming; description: () => string }[] = [
  { value: 'initial', description: m.reviews_named_initial },
  { value: 'full', description: m.reviews_named_full },
  { value: 'anonymous', description: m.reviews_named_anonymous },
];

interface Values {
  rating: number | null;
  text: string;
  named: Naming;
  place: string;
}

export function ReviewForm({
  id,
  appointmentId,
  review,
  fullName,
  onBusy,
  onSent,
  onSettled,
}: {
  id: string;
  appointmentId: string;
  review: OwnReview | null;
  fullName: string;
  onBusy: (busy: boolean) => void;
  onSent: () => void;
  onSettled: () => void;
}) {
  const form = useForm<Values>({
    values: {
      rating: review?.rating ?? null,
      text: review?.text ?? '',
      named: review?.named ?? 'initial',
      place: review?.place ?? '',
    },
    version: review?.state ?? 'new',
    limits,
    sentence: (field) => (field === 'rating' ? m.reviews_rating_required() : undefined),
    failureText: (error) => reviewFailure(error).text,
    save: async ({ rating, ...rest }) => {
      onBusy(true);
      try {
        await api.reviews.write.call({ appointmentId, rating: rating!, ...rest });
        onSent();
        onSettled();
      } catch (error) {
        if (isRefusal(error)) onSettled();
        throw error;
      } finally {
        onBusy(false);
      }
    },
  });
  const { register, choice, errorOf } = form;
  const text = form.watch('text');
  const left = limits.text!.max! - text.length;
  const problem = form.failure && reviewFailure(form.error);

  return (
    <form {...form.props} id={id} className="grid gap-5">
      <RatingChoice {...choice('rating')} error={errorOf('rating')} />
      <div>
        <Field label={m.reviews_words()} optional hint={m.reviews_words_hint()}>
          <Textarea {...register('text')} rows={5} maxLength={limits.text!.max} />
        </Field>
        <CrisisHelp text={text} className="mt-3" />
        {left < 300 && (
          <p className="mt-1 text-sm text-quiet" aria-live="polite">
            {m.web_characters_left({ count: left })}
          </p>
        )}
      </div>
      <ChoiceGroup
        legend={m.reviews_named()}
        choices={namings.map(({ value, description }) => ({
          value,
          label: authorName(fullName, value) ?? m.reviews_a_client(),
          description: description(),
        }))}
        {...choice('named')}
      />
      <Field label={m.reviews_place()} optional hint={m.reviews_place_hint()}>
        <TextInput {...register('place')} maxLength={limits.place!.max} />
      </Field>
      <p className="text-sm text-quiet">{m.reviews_moderated()}</p>
      <FailureAlert {...problem} />
    </form>
  );
}

const words = [
  m.reviews_rating_1,
  m.reviews_rating_2,
  m.reviews_rating_3,
  m.reviews_rating_4,
  m.reviews_rating_5,
] as const;

/** Five stars as radio buttons: one tab stop, moved with arrow keys. */
function RatingChoice({
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
        <div className="flex flex-wrap gap-0.5">
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
          {value === null ? !error && m.reviews_rating_required() : words[value - 1]?.()}
        </p>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
