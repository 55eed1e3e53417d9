-- A number that gets sign-in codes by text, confirmed by one. Of at most one account.
create table sign_in_phones (
  user_id uuid primary key references users on delete cascade,
  -- E.164.
  number text not null unique,
  created_at timestamptz not null
);
