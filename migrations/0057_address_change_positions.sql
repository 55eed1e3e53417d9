-- Positions by the database's clock, in microseconds: changes of one account wait for each other.
alter table address_changes alter column position drop identity;
alter table address_changes
  alter column position set default (extract(epoch from clock_timestamp()) * 1000000)::bigint;
