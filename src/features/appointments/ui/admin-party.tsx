import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { isUnclaimed } from '#/features/accounts/rules.ts';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import type { AdministeredAppointment } from '../administration/contract.ts';

/** A client or provider; without an account, no link. `dense` leaves out the email on narrow screens. */
export function Party({
  person: { id, name, email },
  dense = false,
}: {
  person: AdministeredAppointment['client'];
  dense?: boolean;
}) {
  const unclaimed = isUnclaimed({ email });
  return (
    <span className="min-w-0">
      {unclaimed ? (
        <span className="break-words">{name}</span>
      ) : (
        <PersonLink id={id} className="relative break-words">
          {name}
        </PersonLink>
      )}
      <span className={classes('block text-sm break-all text-quiet', dense && 'max-lg:hidden')}>
        {unclaimed ? m.appointments_admin_no_account() : email}
      </span>
    </span>
  );
}
