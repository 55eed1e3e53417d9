import { useMutation } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { FieldError } from '#/web/components/field.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { ResourceDetail } from '../library/contract.ts';
import { resourceFailureText } from './resource-texts.ts';

const stars = [1, 2, 3, 4, 5] as const;

export function ResourceRating({ resource: { id, ownRating } }: { resource: ResourceDetail }) {
  const { revalidate } = useRevalidator();
  const [chosen, setChosen] = useState(ownRating);
  const [missing, setMissing] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const rate = useMutation({
    mutationFn: (rating: number) => api.resources.rate.call({ resourceId: id, rating }),
    onSuccess: async () => {
      toast.done(m.resources_rate_saved());
      await revalidate();
    },
    onError: (error) => toast.failed(m.resources_rate_failed(), resourceFailureText(error)),
  });
  const save = () => {
    if (chosen !== null) return rate.mutate(chosen);
    setMissing(true);
    first.current?.focus();
  };
  return (
    <Card className="max-w-reading print:hidden">
      <fieldset aria-describedby="rate-hint" className="min-w-0">
        <legend className="font-serif text-xl font-semibold">{m.resources_rate_legend()}</legend>
        <p id="rate-hint" className="mt-1 text-sm text-quiet">
          {m.resources_rate_hint()}
        </p>
        <div className="mt-3 flex flex-wrap">
          {stars.map((count) => (
            <label
              key={count}
              className="relative grid size-11 place-items-center rounded-control hover:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-primary"
            >
              <input
                ref={count === 1 ? first : undefined}
                type="radio"
                name="rating"
                value={count}
                checked={chosen === count}
                onChange={() => {
                  setChosen(count);
                  setMissing(false);
                }}
                aria-label={m.reviews_stars_only({ count })}
                className="absolute inset-0 size-full cursor-pointer appearance-none rounded-control outline-none"
              />
              <Star
                strokeWidth={1.5}
                className={classes(
                  'size-7',
                  chosen !== null && count <= chosen ? 'fill-gold stroke-gold-edge' : 'stroke-control',
                )}
              />
            </label>
          ))}
        </div>
        {missing && <FieldError id="rate-error">{m.resources_rate_missing()}</FieldError>}
      </fieldset>
      <Button variant="secondary" size="sm" className="mt-4" busy={rate.isPending} onClick={save}>
        {m.resources_rate_save()}
      </Button>
    </Card>
  );
}
