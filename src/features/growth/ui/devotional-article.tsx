import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Section } from '#/web/components/card.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import type { DevotionalText } from '../devotionals/contract.ts';
import { asQuoted, dayText } from '../devotionals/rules.ts';

export function DevotionalArticle({
  devotional: { day, title, reference, text, thought, prayer },
  isToday,
  actions,
}: {
  devotional: DevotionalText;
  isToday: boolean;
  actions?: ReactNode;
}) {
  return (
    <article className="mx-auto max-w-reading" aria-labelledby="devotional-title">
      <header className="text-center">
        <div className="mx-auto w-36 print:hidden">
          <OliveBranchIllustration />
        </div>
        <p className="mt-4 text-quiet">
          {isToday ? m.home_devotional() : m.devotional_eyebrow()} ·{' '}
          <time dateTime={`--${day}`}>{dayText(day)}</time>
        </p>
        <h1 id="devotional-title" className="mt-1.5 text-3xl sm:text-4xl">
          {title}
        </h1>
      </header>
      <figure className="mt-8 border-l-3 border-gold pl-5 sm:mt-10 sm:pl-8">
        <blockquote className="font-serif text-xl leading-relaxed text-pretty sm:text-2xl sm:leading-[1.5]">
          <p className="whitespace-pre-line">{asQuoted(text)}</p>
        </blockquote>
        <figcaption className="mt-4">
          <cite className="font-semibold not-italic">{reference}</cite>
          <span className="text-quiet"> · {m.devotional_source()}</span>
        </figcaption>
      </figure>
      <p className="mt-8 text-lg whitespace-pre-line sm:mt-10">{thought}</p>
      <Section
        title={m.devotional_prayer()}
        titleClassName="text-base text-quiet"
        className="mt-6 rounded-card bg-sunken px-5 py-4 sm:px-6 print:bg-transparent print:px-0"
      >
        <p className="mt-1 font-serif text-lg whitespace-pre-line italic">{prayer}</p>
      </Section>
      {actions}
    </article>
  );
}
