-- Passkeys can be the second step instead of an app's codes. A secret beside them is of an app being set up.
alter table second_factors alter column secret drop not null;
alter table second_factors add column by_passkey boolean not null default false;
alter table second_factors add constraint second_factors_kind check (secret is not null or by_passkey);
