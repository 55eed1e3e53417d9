-- Refuses a save over another window's.
alter table journal_entries add column version integer not null default 1;
alter table session_notes add column version integer not null default 1;
alter table private_notes add column version integer not null default 1;
