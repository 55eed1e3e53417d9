-- Why an administrator moved a session to where it is; both of its people read it.
alter table appointments add column moved_reason text check (char_length(moved_reason) between 1 and 500);
-- In which order administrators look through all of them, in one status or in each.
create index appointments_status_start on appointments (status, starts_at, id);
-- Whose rows the one above has, too.
drop index appointments_unanswered;
