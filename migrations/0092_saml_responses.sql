-- What a SAML provider posted, in base64, for the few seconds until the browser that asked comes for it. A post from
-- another site brings no cookie that says which browser that is.
alter table openid_requests add column response text;
