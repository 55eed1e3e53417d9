-- An administrator gave an account another address. Until its days are over, whoever has the former one can undo or
-- confirm that.
create table address_changes (
  id uuid primary key,
  -- Later changes of one account are undone with an earlier one.
  position bigint generated always as identity,
  user_id uuid not null references users on delete cascade,
  former_address text not null,
  -- SHA-256 of the token in the link that was mailed there; null where nobody had shown that the address was theirs.
  token text unique,
  changed_at timestamptz not null
);
create index address_changes_user on address_changes (user_id);
