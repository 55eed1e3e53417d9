-- The chain covers where an entry came from without keeping it: a salted hash stays, salt and address go with the account.
alter table audit_entries add column address_mark bytea check (length(address_mark) = 32);
alter table audit_personal add column salt bytea check (length(salt) = 16);
create trigger audit_personal_unchanged before update on audit_personal
  for each row execute function audit_is_append_only();

-- Whose accounts are erased: where their entries came from is gone with them.
create table audit_erased (
  person_id uuid primary key
);

-- How the digest of a seal's entry is made: 1 leaves out the mark of its address.
alter table audit_seals add column version smallint not null default 1 check (version in (1, 2));

-- What the last walk over the whole chain found: JSON null is whole, otherwise the first break.
create table audit_checks (
  checked_at timestamptz primary key,
  entries bigint not null,
  broken jsonb not null
);
