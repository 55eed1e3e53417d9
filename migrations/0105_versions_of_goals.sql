-- Refuses a save over another window's.
alter table goals add column version integer not null default 1;
