-- What came in by the contact form, for administrators to read and close.
create extension if not exists pg_trgm;

create table contact_messages (
  id uuid primary key,
  -- Of the form that it was sent with: each sends once.
  form_id uuid not null unique,
  person_id uuid references users on delete set null,
  name text not null check (char_length(name) between 1 and 200),
  email text not null check (char_length(email) between 1 and 254),
  subject text not null check (char_length(subject) between 1 and 200),
  message text not null check (char_length(message) between 1 and 5000),
  sent_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  closed_at timestamptz,
  closed_by uuid references users on delete set null,
  note text not null default '' check (char_length(note) <= 2000),
  check ((state = 'closed') = (closed_at is not null))
);
create index contact_messages_newest on contact_messages (state, sent_at desc, id desc);
create index contact_messages_person on contact_messages (person_id) where person_id is not null;
create index contact_messages_closed_by on contact_messages (closed_by) where closed_by is not null;
create index contact_messages_email on contact_messages (lower(email));
-- The inbox's search: the words anywhere, in either case.
create index contact_messages_search on contact_messages
  using gin (lower(name || ' ' || email || ' ' || subject || ' ' || message) gin_trgm_ops);

-- The answer to a mail goes to whoever it speaks of, not to the machine that sends it.
alter table mails add column reply_to text;
create index mails_reply_to on mails (lower(reply_to)) where reply_to is not null;
