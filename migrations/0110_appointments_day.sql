-- No query uses it, but every booking would keep it.
drop index appointments_day;
