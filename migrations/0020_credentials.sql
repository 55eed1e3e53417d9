-- A specialist's own page: which version of it is stored, so that nobody writes over what they haven't seen.
alter table providers add version integer not null default 1;

-- What licenses or ordains a specialist. What is approved stands on their page; a change waits for an administrator.
create table provider_credentials (
  id uuid primary key,
  provider_id uuid not null references providers on delete cascade,
  kind text not null check (kind in ('licence', 'ordination')),
  number text not null check (char_length(number) <= 100),
  -- The board, or the church.
  issuer text not null check (char_length(issuer) <= 200),
  -- Where it holds, such as 'New York'.
  region text not null check (char_length(region) <= 100),
  -- The last day on which it holds; null for one without an end.
  expires_on date,
  -- The approved one that this takes the place of, once it is approved itself.
  replaces uuid references provider_credentials on delete set null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'replaced')),
  -- Why it wasn't approved, for the specialist to read.
  reason text check (char_length(reason) <= 500),
  submitted_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references users on delete set null,
  check ((state = 'pending') = (decided_at is null))
);
-- One waits at a time.
create unique index provider_credentials_pending on provider_credentials (provider_id) where state = 'pending';
create index provider_credentials_provider on provider_credentials (provider_id, state);
-- The administrators' queue, longest first.
create index provider_credentials_waiting on provider_credentials (submitted_at, id) where state = 'pending';
create index provider_credentials_replaces on provider_credentials (replaces) where replaces is not null;
create index provider_credentials_decided_by on provider_credentials (decided_by) where decided_by is not null;
