-- Rises with every change, so that nobody changes or deletes a service that they haven't seen as it is.
alter table services
  add version integer not null default 1,
  add check (char_length(title) between 1 and 100),
  add check (char_length(description) between 1 and 1000),
  -- US cents.
  add check (price_cents <= 1000000);
-- Whether appointments still need a service that is to be deleted.
create index appointments_service on appointments (service_id);
