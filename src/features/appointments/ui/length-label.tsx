import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import { priceOf } from '#/features/catalogue/prices/rules.ts';
import { priceText } from '#/features/catalogue/rules.ts';
import { minutesText } from './session-texts.ts';

export function LengthLabel({ service, minutes }: { service: ServiceSummary | null; minutes: number }) {
  return (
    <span>
      <span className="block">{minutesText(minutes)}</span>
      {service && (
        <>
          <span className="sr-only"> · </span>
          <span className="block">{priceText(priceOf(service, minutes))}</span>
        </>
      )}
    </span>
  );
}
