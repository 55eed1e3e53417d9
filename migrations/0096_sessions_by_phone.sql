-- Whether a texted code opened the session, which then ends with the number.
alter table sessions add column by_phone boolean not null default false;
