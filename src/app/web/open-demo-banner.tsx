import { TriangleAlert } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Container } from '#/web/components/page.tsx';

export function OpenDemoBanner() {
  return (
    <aside aria-label={m.site_open_demo_label()} className="bg-clay-soft print:hidden">
      <Container className="flex items-start gap-3 py-2.5">
        <TriangleAlert className="mt-0.5 size-5 shrink-0 text-clay" />
        <p>{m.site_open_demo()}</p>
      </Container>
    </aside>
  );
}
