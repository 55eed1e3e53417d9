import { useSite } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { useDisplayZone } from '#/web/own-zone.tsx';
import { zoneText } from '#/web/times.ts';

/** Returns the visitor's time zone, or the site's if only the browser knows it. */
export function useShownZone(): string {
  const { timeZone } = useSite();
  return useDisplayZone() ?? timeZone;
}

/** Names the zone of the page's times. In documents, `web/times-script.ts` puts in the visitor's. */
export function ZoneNamed({ className }: { className?: string }) {
  const { timeZone } = useSite();
  const known = useDisplayZone();
  return (
    <p className={className}>
      <span data-own-zone={m.finding_zone({ zone: '*' })} suppressHydrationWarning>
        {known
          ? m.finding_zone({ zone: zoneText(known) })
          : m.web_times_in_zone({ zone: zoneText(timeZone) })}
      </span>
      <noscript> {m.finding_next_without_script()}</noscript>
    </p>
  );
}
