import { Link } from 'react-router';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { m } from '#/texts/messages.js';
import type { LogEntry } from '../contract.ts';
import { actorText, detailsText, subjectText } from '../log/rules.ts';

const pages: Readonly<Record<string, (id: string) => string>> = {
  person: (id) => `/admin/people/${id}`,
  provider: (id) => `/admin/people/${id}`,
  appointment: (id) => `/admin/appointments/${id}`,
  application: (id) => `/admin/applications/${id}`,
  contact_message: (id) => `/admin/inbox?message=${id}`,
};

export function ActorName({ actor }: Pick<LogEntry, 'actor'>) {
  if (actor.kind !== 'person' || !actor.id || !actor.name) return actorText(actor);
  return (
    <PersonLink id={actor.id} className="underline">
      {actor.name}
    </PersonLink>
  );
}

/** The entry’s subject and details. */
export function EntryDetails({
  entry: { subject, details },
}: {
  entry: Pick<LogEntry, 'subject' | 'details'>;
}) {
  const rest = detailsText({ subject: null, details });
  if (!subject) return rest;
  const { kind, id, name } = subject;
  const page = id && name && name !== m.web_erased_account() ? pages[kind]?.(id) : undefined;
  return (
    <>
      {page ? (
        <Link to={page} className="text-primary underline">
          {subjectText(subject)}
        </Link>
      ) : (
        subjectText(subject)
      )}
      {rest && ` · ${rest}`}
    </>
  );
}
