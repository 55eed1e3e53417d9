-- Somebody whom a specialist entered themself, and who hasn't claimed the account that was made for their sessions.
create table client_records (
  person_id uuid primary key references users on delete cascade,
  provider_id uuid not null references providers on delete cascade,
  -- Of the booking that it was made with.
  idempotency_key uuid not null,
  -- In lower case.
  email text,
  phone text,
  -- How often an invitation was asked to be mailed to that address, and when last.
  sends smallint not null,
  sent_at timestamptz,
  -- When the address's owner asked for no more emails.
  declined_at timestamptz,
  created_at timestamptz not null,
  unique (provider_id, idempotency_key)
);
create index client_records_email on client_records (email) where email is not null;

-- The links that were mailed to a record's address; all of them end once one is used, or the address changes.
create table client_claims (
  -- SHA-256 of what is secret in the link, base64url.
  token_hash text primary key,
  person_id uuid not null references client_records on delete cascade,
  expires_at timestamptz not null
);
create index client_claims_person on client_claims (person_id);

-- Accounts that nobody has claimed are few, and are left out of the directory and its counts.
create index users_unclaimed on users (id) include (created_at) where email like '%@unclaimed.invalid';
