import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import type { ServiceSummary } from '../contract.ts';
import { priceText } from '../rules.ts';
import { ServiceIcon } from './service-icon.tsx';

/** `children` appear below the description. */
export function ServiceCard({
  service,
  onBook,
  children,
}: {
  service: ServiceSummary;
  onBook: () => void;
  children?: ReactNode;
}) {
  return (
    <Card as="li" className="flex flex-col">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ServiceIcon service={service} />
        <div className="min-w-0 flex-1 basis-32">
          <h3 className="text-xl">
            <Link to={`/service/${service.id}`} className="py-2 hover:underline">
              {service.title}
            </Link>
          </h3>
          <p className="text-sm text-quiet">
            {m.site_price_note({ minutes: service.durationMinutes, price: priceText(service.priceCents) })}
          </p>
        </div>
      </div>
      <p className="mt-4">{service.description}</p>
      {children}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2 pt-5">
        <ButtonLink
          about={m.site_about_service({ service: service.title })}
          to={`/service/${service.id}`}
          variant="quiet"
          className="-ml-3 px-3!"
        >
          {m.services_learn_more()}
        </ButtonLink>
        <Button about={m.site_for_service({ service: service.title })} variant="secondary" onClick={onBook}>
          {m.site_book_session()}
        </Button>
      </div>
    </Card>
  );
}
