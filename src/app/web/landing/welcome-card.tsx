import { Lock } from 'lucide-react';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { HandsIllustration } from '#/web/components/illustrations/hands.tsx';
import { Container } from '#/web/components/page.tsx';

export function WelcomeCard() {
  const { hipaaAttested, demo } = useSite();
  return (
    <Container>
      <section
        aria-labelledby="welcome"
        className="grid items-center gap-x-10 gap-y-6 rounded-card border border-line bg-card p-6 shadow-soft sm:p-8 md:grid-cols-[11rem_1fr_auto]"
      >
        <HandsIllustration className="max-w-44 max-md:hidden" />
        <div className="max-w-reading">
          <h2 id="welcome" className="text-xl sm:text-2xl">
            {m.landing_welcome_title()}
          </h2>
          <p className="mt-2">{m.landing_welcome_text()}</p>
          <p className="mt-3 flex gap-2 text-sm text-quiet">
            <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
            {hipaaAttested || demo ? m.landing_private_attested() : m.landing_private()}
          </p>
        </div>
        <ButtonLink to="/services">{m.landing_start()}</ButtonLink>
      </section>
    </Container>
  );
}
