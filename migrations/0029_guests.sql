-- Whom the client of a session for several people asks to come, by mail. Whoever accepts does so with an account of their own.
create table session_guests (
  id uuid primary key,
  appointment_id uuid not null references appointments on delete cascade,
  -- As the client typed it; once accepted, as the guest wants to be read by the others.
  name text not null check (length(name) between 1 and 100),
  -- As the client typed it; gone 30 days after the session, with those who never accepted.
  email text,
  -- SHA-256 of what is secret in the invitation's link, in hexadecimal digits; null until its mail is written.
  token_hash text unique,
  -- The session's start as that mail named it; null until it is written.
  told_start timestamptz,
  state text not null check (state in ('invited', 'accepted', 'declined', 'withdrawn', 'left')),
  -- Who accepted; also who accepted once and left, or was withdrawn.
  person_id uuid references users,
  invited_at timestamptz not null,
  -- How often the invitation was asked to be mailed, and when last.
  sends smallint not null check (sends >= 1),
  sent_at timestamptz not null,
  answered_at timestamptz,
  check (state <> 'accepted' or person_id is not null)
);
create unique index session_guests_one_of_person on session_guests (appointment_id, person_id)
  where state = 'accepted';
-- Nobody is asked twice at one address.
create unique index session_guests_one_of_address on session_guests (appointment_id, lower(email))
  where state in ('invited', 'accepted');
create index session_guests_appointment on session_guests (appointment_id);
create index session_guests_person on session_guests (person_id) where person_id is not null;
create index session_guests_email on session_guests (lower(email)) where email is not null;

-- Who agreed that what is said in a session for several people stays there: the client once they invite, each guest as they accept.
create table session_consents (
  appointment_id uuid not null references appointments on delete cascade,
  person_id uuid not null references users,
  agreed_at timestamptz not null,
  primary key (appointment_id, person_id)
);
create index session_consents_person on session_consents (person_id);
