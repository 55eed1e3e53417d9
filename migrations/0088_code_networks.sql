-- HMAC of the network of the program that asked for the code; null for a browser, whose cookie tells.
alter table sign_in_codes add column network text;
