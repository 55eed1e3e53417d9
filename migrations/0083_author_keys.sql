-- The key of a person's journal and private notes, wrapped by secrets that only they have.
create table author_keys (
  person_id uuid primary key references users on delete cascade,
  -- Argon2id parameters, salt, and the key wrapped with what the password derives from them.
  by_password text not null,
  -- A new password was set without the former one, so it doesn't open the key.
  password_replaced boolean not null default false,
  -- Null until the person creates a recovery key.
  by_recovery_key text,
  recovery_key_at timestamptz,
  created_at timestamptz not null
);

-- Wrapped with a key derived from the session's cookie; the database has only another hash of that.
alter table sessions add column author_key text;

-- False for text from earlier releases, until its author next signs in with a password.
alter table journal_entries add column by_author boolean not null default false;
alter table private_notes add column by_author boolean not null default false;
create index journal_entries_by_server on journal_entries (person_id) where not by_author;
create index private_notes_by_server on private_notes (provider_id) where not by_author;
