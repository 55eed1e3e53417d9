-- Notices on their way to the listeners of every process. Unlogged: after a crash, all of them reconnect and look again.
create unlogged table outbox (
  id bigint generated always as identity primary key,
  channel text not null,
  payload text not null
);
