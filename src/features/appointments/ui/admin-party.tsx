import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { isUnclaimed } from '#/features/accounts/rules.ts';
import { m } from '#/texts/messages.js';
import type { AdministeredAppointment } from '../administration/contract.ts';

/** A client or provider. People without an account have no page. */
export function Party({ id, name, email }: AdministeredAppointment['client']) {
  const unclaimed = isUnclaimed({ email });
  return (
    <span className="min-w-0">
      {unclaimed ? (
        <span className="break-words">{name}</span>
      ) : (
        <PersonLink id={id} className="break-words">
          {name}
        </PersonLink>
      )}
      <span className="block text-sm break-all text-quiet">
        {unclaimed ? m.appointments_admin_no_account() : email}
      </span>
    </span>
  );
}
