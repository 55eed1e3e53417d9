import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

/** Content width (1120 px) with margins. */
export function Container({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes('mx-auto w-full max-w-page px-4 sm:px-6', className)} />;
}

/** First tab stop; jumps to the element with ID `content` (a `<main tabIndex={-1}>`). */
export function SkipLink() {
  return (
    <a
      href="#content"
      onClick={skipToContent}
      className="fixed top-3 left-3 z-60 -translate-y-24 rounded-control bg-primary px-5 py-2.5 font-semibold text-on-primary shadow-soft focus:translate-y-0"
    >
      {m.web_skip_to_content()}
    </a>
  );
}

/** Mimics the link without a history entry, which would rerender parts not yet hydrated. */
function skipToContent(event: MouseEvent): void {
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

export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>;
}
