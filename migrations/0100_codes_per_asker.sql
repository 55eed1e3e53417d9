-- One code per browser, or per program and network: strangers' requests don't end a person's code.
alter table sign_in_codes drop constraint sign_in_codes_address_key;
create index sign_in_codes_address on sign_in_codes (address);
