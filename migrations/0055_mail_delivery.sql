-- Mails that can't be delivered are kept and shown, and urgent ones go before others.
alter table mails
  add column urgent boolean not null default false,
  add column claimed_until timestamptz,
  add column failed_at timestamptz,
  add column fault text,
  add check ((failed_at is null) = (fault is null)),
  add check (failed_at is null or sent_at is null);

create index mails_failed on mails (failed_at, id) where failed_at is not null;
