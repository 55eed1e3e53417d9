import { Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

const lit = 'fill-gold stroke-gold-edge';

export function Stars({ rating }: { rating: number }) {
  return (
    <span className="inline-flex gap-0.5">
      {[1, 2, 3, 4, 5].map((star) => (
        <Star
          key={star}
          strokeWidth={1.5}
          className={classes('size-4.5', star <= Math.round(rating) ? lit : 'stroke-control')}
        />
      ))}
      <span className="sr-only">{m.web_rating({ rating })}</span>
    </span>
  );
}

export function Rating({ rating, children }: { rating: number; children?: ReactNode }) {
  const shown = rating.toFixed(1);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 text-sm">
      <Star strokeWidth={1.5} className={classes('size-4.5', lit)} />
      <span className="sr-only">{m.web_rating({ rating: shown })}</span>
      <span aria-hidden className="font-semibold tabular-nums">
        {shown}
      </span>
      {children && <span className="text-quiet">{children}</span>}
    </span>
  );
}
