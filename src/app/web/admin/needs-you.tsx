import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { concerns, useAttention } from './attention.ts';

/** What waits for the administrator's decision, most urgent first. */
export function NeedsYou() {
  const attention = useAttention();
  return (
    <section aria-labelledby="needs-you" className="mt-8">
      <h2 id="needs-you" className="mb-4 text-xl">
        {m.attention_title()}
      </h2>
      <Card className="p-2!">
        <Fetched
          query={attention}
          failure={m.attention_failed()}
          skeleton={<Skeleton className="m-3 h-40" />}
        >
          {(waiting) =>
            waiting.length === 0 ? (
              <p className="px-3 py-2.5 text-quiet">{m.attention_empty()}</p>
            ) : (
              <ul className="divide-y divide-line lg:grid lg:grid-cols-2 lg:gap-x-4 lg:divide-none">
                {waiting.map(({ concern, count }) => (
                  <li key={concern}>
                    <Link
                      to={concerns[concern].to}
                      className="flex min-h-12 items-center gap-3 rounded-control px-3 py-2 hover:bg-sunken"
                    >
                      <span className="min-w-0 flex-1 font-semibold">
                        {concerns[concern].text({ count })}
                      </span>
                      <ChevronRight aria-hidden className="size-5 shrink-0 text-quiet" />
                    </Link>
                  </li>
                ))}
              </ul>
            )
          }
        </Fetched>
      </Card>
    </section>
  );
}
