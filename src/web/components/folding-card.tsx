import { ChevronDown } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Card } from './card.tsx';
import { classes } from './classes.ts';

/** Phones fold it to its title and summary. */
export function FoldingCard({
  level: Heading = 'h2',
  title,
  summary,
  className,
  children,
}: {
  level?: 'h2' | 'h3';
  title: string;
  summary?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className={classes('max-sm:p-0!', className)}>
      <Heading id={id} className={classes(Heading === 'h2' ? 'text-xl' : 'text-lg', 'max-sm:hidden')}>
        {title}
      </Heading>
      <details className="group/fold sm:[&::details-content]:[block-size:auto] sm:[&::details-content]:[content-visibility:visible]">
        <summary className="flex min-h-16 cursor-pointer list-none items-center justify-between gap-3 rounded-card px-5 py-3 sm:supports-[selector(::details-content)]:hidden [&::-webkit-details-marker]:hidden">
          <span className="min-w-0">
            <span className="block font-serif text-lg font-semibold">{title}</span>
            {summary && <span className="block truncate text-sm text-quiet">{summary}</span>}
          </span>
          <ChevronDown
            aria-hidden
            className="size-5 shrink-0 text-quiet transition-transform duration-150 group-open/fold:rotate-180"
          />
        </summary>
        <div className="max-sm:px-5 max-sm:pt-1 max-sm:pb-5">{children}</div>
      </details>
    </Card>
  );
}
