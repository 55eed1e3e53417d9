import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

/** The page's content width (1120 px) with its side margins. */
export function Container({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes('mx-auto w-full max-w-page px-4 sm:px-6', className)} />;
}

/** The first stop of the tab key: leads to the element with the id `content` (a `<main tabIndex={-1}>`). */
export function SkipLink() {
  return (
    <a
      href="#content"
      onClick={skip}
      className="fixed top-3 left-3 z-60 -translate-y-24 rounded-control bg-primary px-5 py-2.5 font-semibold text-on-primary shadow-soft focus:translate-y-0"
    >
      {m.web_skip_to_content()}
    </a>
  );
}

/** As the link does by itself, but without a step in the history: a part that isn't hydrated yet would be drawn anew. */
function skip(event: MouseEvent): void {
  const content = document.getElementById('content');
  if (!content) return;
  event.preventDefault();
  content.scrollIntoView();
  content.focus();
}

const headings = {
  h1: 'text-2xl sm:text-3xl',
  h2: 'text-2xl sm:text-3xl',
  h3: 'text-xl',
};

/** A section's heading with an optional line of introduction, and an action at its far end. */
export function SectionHeading({
  as: Heading = 'h2',
  id,
  title,
  children,
  action,
  centered = false,
  className,
}: {
  as?: 'h1' | 'h2' | 'h3';
  /** For the section's aria-labelledby, or a link into the page. */
  id?: string;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  centered?: boolean;
  className?: string;
}) {
  return (
    <div
      className={classes(
        'flex flex-wrap items-end gap-x-6 gap-y-3',
        centered ? 'flex-col items-center! text-center' : 'justify-between',
        className,
      )}
    >
      <div className="max-w-reading">
        <Heading id={id} className={headings[Heading]}>
          {title}
        </Heading>
        {children && <div className="mt-2 text-lg text-quiet">{children}</div>}
      </div>
      {action}
    </div>
  );
}

/** Words for screen readers only, such as the end of a link that reads 'Learn More'. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
