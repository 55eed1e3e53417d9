-- Addresses whose owner wants no email from a specialist, also in records made later.
create table client_opt_outs (
  provider_id uuid not null references providers on delete cascade,
  -- SHA-256 of the mailbox.
  address_digest text not null,
  primary key (provider_id, address_digest)
);
insert into client_opt_outs (provider_id, address_digest)
  select distinct provider_id, encode(sha256(convert_to(
    regexp_replace(split_part(email, '@', 1), '\+.*|\.', '', 'g') || '@' || split_part(email, '@', 2), 'UTF8')), 'hex')
  from client_records where declined_at is not null and email is not null;
