-- Links sent to both addresses confirm it.
create table email_change_requests (
  user_id uuid primary key references users on delete cascade,
  -- Its links name it; a new request gets another.
  id uuid not null unique,
  address text not null,
  -- Stays signed in after the change.
  session_id uuid not null,
  former_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_change_requests_expiry on email_change_requests (expires_at);

-- Confirmed from both addresses: sign-in stays open.
alter table address_changes add column by_owner boolean not null default false;
