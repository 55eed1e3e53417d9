import { CalendarCheck, Search, UserRound } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Container, SectionHeading } from '#/web/components/page.tsx';

export function HowItWorks() {
  const steps = [
    { Icon: Search, title: m.landing_how_1_title(), text: m.landing_how_1_text() },
    { Icon: UserRound, title: m.landing_how_2_title(), text: m.landing_how_2_text() },
    { Icon: CalendarCheck, title: m.landing_how_3_title(), text: m.landing_how_3_text() },
  ];
  return (
    <section
      id="how-it-works"
      aria-labelledby="how-title"
      className="-scroll-mt-8 border-t border-line bg-card py-16 sm:py-20"
    >
      <Container>
        <SectionHeading id="how-title" title={m.landing_how_title()} centered>
          {m.landing_how_text()}
        </SectionHeading>
        <ol className="mt-10 grid gap-8 md:grid-cols-3">
          {steps.map(({ Icon, title, text }, index) => (
            <li key={title} className="flex gap-4 md:flex-col md:items-center md:text-center">
              <span
                aria-hidden
                className="relative grid size-14 shrink-0 place-items-center rounded-full bg-primary-soft text-primary"
              >
                <Icon className="size-6" />
                <span className="absolute -top-1 -right-1 grid size-6 place-items-center rounded-full bg-primary text-sm font-semibold text-on-primary">
                  {index + 1}
                </span>
              </span>
              <div>
                <h3 className="text-xl">{title}</h3>
                <p className="mt-1 max-w-sm text-quiet">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Container>
    </section>
  );
}
