-- A database of Flagship 0.1.0 on PostgreSQL, by pg_dump --inserts --no-owner.
CREATE TABLE public._sqlx_migrations (
    version bigint NOT NULL,
    description text NOT NULL,
    installed_on timestamp with time zone DEFAULT now() NOT NULL,
    success boolean NOT NULL,
    checksum bytea NOT NULL,
    execution_time bigint NOT NULL
);
CREATE TABLE public.accounts (
    id bigint NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    country text NOT NULL,
    password_hash text,
    student boolean NOT NULL,
    created_at_ms bigint NOT NULL,
    confirmed_at_ms bigint
);
CREATE TABLE public.challenges (
    challenge_id text NOT NULL,
    definition text NOT NULL,
    hidden boolean NOT NULL,
    released boolean NOT NULL,
    release_at_ms bigint
);
CREATE TABLE public.flags (
    challenge_id text NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,
    case_insensitive boolean NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.journal (
    seq bigint NOT NULL,
    at_ms bigint NOT NULL,
    salt text NOT NULL,
    body text NOT NULL,
    hash text NOT NULL
);
CREATE TABLE public.mail_tokens (
    token_hash text NOT NULL,
    account_id bigint NOT NULL,
    purpose text NOT NULL,
    expires_at_ms bigint NOT NULL,
    used_at_ms bigint
);
CREATE TABLE public.meta (
    key text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.names (
    name_key text NOT NULL,
    account_id bigint NOT NULL
);
CREATE TABLE public.outbox (
    id bigint NOT NULL,
    address text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    created_at_ms bigint NOT NULL,
    next_at_ms bigint,
    attempts bigint NOT NULL,
    sent_at_ms bigint,
    last_error text
);
CREATE TABLE public.sessions (
    token_hash text NOT NULL,
    account_id bigint NOT NULL,
    expires_at_ms bigint NOT NULL,
    revoked boolean NOT NULL,
    rev bigint NOT NULL
);
CREATE TABLE public.solves (
    team_id bigint NOT NULL,
    challenge_id text NOT NULL,
    seq bigint NOT NULL
);
CREATE TABLE public.used_captchas (
    signature text NOT NULL,
    expires_at_ms bigint NOT NULL
);
CREATE TABLE public.wrong_flags (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    challenge_id text NOT NULL,
    at_ms bigint NOT NULL,
    digest text NOT NULL
);
INSERT INTO public._sqlx_migrations VALUES (1, 'event', '2026-11-21 16:04:26.415805+00', true, '\x8734df86a5a1835aa8e1682a85a2a2761af8e09c2dbbbe45d16a47b647f198252fa1c61c84a373cced72fc8e1fbedbdf', 12269455);
INSERT INTO public.accounts VALUES (4038592391420113135, 'Ants', 'ants@example.org', 'IT', '$argon2id$v=19$m=19456,t=2,p=1$3MJ9re8c2xLZJmnXSqNI4A$zxaoRnVdir4Zhk9Z+Af5NcDe1y1WH6wy8/XzHUj3XD4', true, 1795277066793, 1795277066793);
INSERT INTO public.accounts VALUES (4283363041395732421, 'Bees 🐝', 'bees@example.org', 'FR', '$argon2id$v=19$m=19456,t=2,p=1$0UnyBYu6uiTb6zUdwC56Rw$V9Ol9L9okVg3ii6uXerJwa2AsW6ZKI50SUcYHk5yQNU', false, 1795277066793, 1795277066793);
INSERT INTO public.accounts VALUES (8748165165069653295, 'Cats', 'cats@example.org', 'UN', '$argon2id$v=19$m=19456,t=2,p=1$ZLqGU5WFPt9LgFfoL8Kcxw$FL295B0fShOJH6DzfPMH7Dv9/5dTtRy4VeDMSd4+nKI', true, 1795277066793, 1795277066793);
INSERT INTO public.accounts VALUES (5253639715239799028, 'Dogs', 'dogs@example.org', 'IT', '$argon2id$v=19$m=19456,t=2,p=1$YDL1bSb7yk4BWWyD/c885g$t4fH0LXlVIy9ytq++RMeOsSBeG6QxDRDQ62HagsWLoo', false, 1795277067752, NULL);
INSERT INTO public.challenges VALUES ('hidden', '{"id":"hidden","name":"Challenge hidden","scoring":{"type":"dynamic","max":500,"min":50,"decay":15},"categories":["misc"],"description":"<p>What is it?</p>","attachments":[],"requirements":[],"position":null}', true, false, NULL);
INSERT INTO public.challenges VALUES ('one', '{"id":"one","name":"Challenge one","scoring":{"type":"dynamic","max":500,"min":50,"decay":15},"categories":["misc"],"description":"<p>What is it?</p>","attachments":[],"requirements":[],"position":null}', false, true, NULL);
INSERT INTO public.challenges VALUES ('two', '{"id":"two","name":"Challenge two","scoring":{"type":"dynamic","max":500,"min":50,"decay":15},"categories":["misc"],"description":"<p>What is it?</p>","attachments":[],"requirements":[],"position":null}', false, true, NULL);
INSERT INTO public.flags VALUES ('hidden', 1, 'exact', false, '9def04f6c279423a54e617a2857b2383c2f21ce9dbc65d1a52f21ffa70e902dd');
INSERT INTO public.flags VALUES ('one', 1, 'exact', false, '71e307f67ddb5b398b519a3457b660f818a9ae854e5fbae52bb95950439929ea');
INSERT INTO public.flags VALUES ('two', 1, 'exact', false, 'e965ea76c842ea238770d822ae442c853834dd455ad7e2c29d06b3acbfc2839d');
INSERT INTO public.journal VALUES (1, 1795277066459, 'ce06ef0dd263d82ece9fde4b0bd7f5ec', '{"type":"event","event":{"name":"Released CTF","start_ms":1700917200000,"end_ms":4099312800000,"freeze_ms":null,"reveal":"auto","timezone":"UTC","flag_format":"flag{...}","rules":"<h1>Rules</h1>"}}', '4c1f68bb38b893307ee0f18044dd10d4d68d39645133e91067f7b0f1af5f5a03');
INSERT INTO public.journal VALUES (2, 1795277066459, '6c1f8c1937293328499124073b1bf45f', '{"type":"challenge","challenge":{"id":"one","name":"Challenge one","scoring":{"type":"dynamic","max":500,"min":50,"decay":15},"categories":["misc"],"description":"<p>What is it?</p>","attachments":[],"requirements":[],"position":null}}', 'd0b0f82fbe8d91b1d3b93c2c4c9a542e0904831b836dbecc7349fd8eeb730dc2');
INSERT INTO public.journal VALUES (3, 1795277066459, '0ed0dae901f0d92cd933ea15e2761c32', '{"type":"challenge","challenge":{"id":"two","name":"Challenge two","scoring":{"type":"dynamic","max":500,"min":50,"decay":15},"categories":["misc"],"description":"<p>What is it?</p>","attachments":[],"requirements":[],"position":null}}', '21272f48a5d6ab22c3947ca77dd0635781106d5c9aae674a6d54d7f8894aa49c');
INSERT INTO public.journal VALUES (4, 1795277066543, 'ddeb2631402423bd9e75e81982ba5c02', '{"type":"phase","phase":"start"}', '44895f14345ed511e2b3891a7b2155d23ea2430c261727f067bc0066b5e02edc');
INSERT INTO public.journal VALUES (5, 1795277066793, 'b2200318c38a3a068cf8107ef9ebc9c2', '{"type":"team","team":4038592391420113135,"name":"Ants","country":"IT"}', '57bb4bfc2dd110347c461dcb1a71e21ec92ad4d977f4f55b5019b413365fbe7f');
INSERT INTO public.journal VALUES (6, 1795277066793, 'dcfe354418e1042eb2f7bf5fb57926e6', '{"type":"team","team":4283363041395732421,"name":"Bees 🐝","country":"FR"}', '09e08b80a849a948eac76bdefef5ec9a833955025ab949eabc5f1137a34318c4');
INSERT INTO public.journal VALUES (7, 1795277066793, '52e3c33778ada3b9c718fd75758ba3de', '{"type":"team","team":8748165165069653295,"name":"Cats","country":"UN"}', '003e0e032c0d1604565411754e17231e92d15e94ac486c2c00777761ca42d470');
INSERT INTO public.journal VALUES (8, 1795277067398, '1cf52bd0130f37b4f08e33b4b386894e', '{"type":"solve","team":4283363041395732421,"challenge":"one"}', 'c61a417d193341b405af7640d70100a064e5f76bfdcd31d4d8545c710ead9272');
INSERT INTO public.journal VALUES (9, 1795277067428, '012fe8059a639e1d98555156f0b8ea85', '{"type":"solve","team":4038592391420113135,"challenge":"one"}', 'ce6249801a7fc55d926e1777163799b48ecb39bcf8d0f167d4ca6697c2eda65a');
INSERT INTO public.journal VALUES (10, 1795277067445, '4647c1fdb5f30a01643646d7d24217d2', '{"type":"solve","team":4038592391420113135,"challenge":"two"}', '059907faab2e4ec4229c4a6f64b8ac0a0dacee638410ba139f2714ac72f29cea');
INSERT INTO public.journal VALUES (11, 1795277067461, 'f617032e5c763688a5b7052ff953ed62', '{"type":"solve","team":8748165165069653295,"challenge":"one"}', '255a8ece42a9ed5b6c622bb3d19926cd5ebffa823f11d43c563620c8dc787ad7');
INSERT INTO public.journal VALUES (12, 1795277067580, 'a0a2960df2bb59826918fd356c60ea2f', '{"type":"award","team":4038592391420113135,"points":7,"reason":"bug found"}', '48034910c6f3a3d344b8b16daf81a8960cb8642960b5459d1e06264e738c65fb');
INSERT INTO public.journal VALUES (13, 1795277067624, 'a1a6dd286b2b746eecf47d8e6f3602c5', '{"type":"team_state","team":8748165165069653295,"banned":true,"hidden":false}', 'a114f3f976ae1c5f7864239b4cce18c8d79fb9b21398ce9af24a08d5d9c2bede');
INSERT INTO public.mail_tokens VALUES ('ba7059a4ce3bf3f1abad8bf8683be2850a861a1e92b357b85905ff51c9932ce4', 5253639715239799028, 'confirm', 1795363467752, NULL);
INSERT INTO public.meta VALUES ('generation', '22de65d5b36f7ecaf30bf73bde410dcb');
INSERT INTO public.meta VALUES ('secret_check', '68fc41d7f6fd7e9f83323924a43a84d4353e03f628a356fa3501fc356c4c9b2d');
INSERT INTO public.meta VALUES ('challenges_revision', '440532531');
INSERT INTO public.names VALUES ('ants', 4038592391420113135);
INSERT INTO public.names VALUES ('bees 🐝', 4283363041395732421);
INSERT INTO public.names VALUES ('cats', 8748165165069653295);
INSERT INTO public.names VALUES ('dogs', 5253639715239799028);
INSERT INTO public.outbox VALUES (4780583251876969953, 'dogs@example.org', 'Confirm your team - Released CTF', '', 1795277067752, NULL, 1, 1795277067802, NULL);
INSERT INTO public.sessions VALUES ('6d9cb83702deec9aea90253b0e6ef2066c4a6cfb0f6651265944d3006a92be90', 4038592391420113135, 1795449866798, false, 1);
INSERT INTO public.sessions VALUES ('a66fc145157632d2e77e3efe1e44e896dfc212dd59a32413617c8cf088d75ec6', 4283363041395732421, 1795449866798, false, 2);
INSERT INTO public.sessions VALUES ('664bead4d39e281cc193aecca1c589d0bdb1b328a2f3c688acae62b64aeaa6e2', 8748165165069653295, 1795449866798, true, 4);
INSERT INTO public.solves VALUES (4283363041395732421, 'one', 8);
INSERT INTO public.solves VALUES (4038592391420113135, 'one', 9);
INSERT INTO public.solves VALUES (4038592391420113135, 'two', 10);
INSERT INTO public.solves VALUES (8748165165069653295, 'one', 11);
INSERT INTO public.wrong_flags VALUES (4633032489036755704, 4038592391420113135, 'two', 1795277067495, 'c67f2ae29a4c2dd5901ab8c1daead872ceac0370655357e3f703b89b44e05a6c');
INSERT INTO public.wrong_flags VALUES (3322461537429096857, 4283363041395732421, 'two', 1795277067508, 'c67f2ae29a4c2dd5901ab8c1daead872ceac0370655357e3f703b89b44e05a6c');
ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pk PRIMARY KEY (id);
ALTER TABLE ONLY public.used_captchas
    ADD CONSTRAINT captcha_once PRIMARY KEY (signature);
ALTER TABLE ONLY public.challenges
    ADD CONSTRAINT challenges_pk PRIMARY KEY (challenge_id);
ALTER TABLE ONLY public.flags
    ADD CONSTRAINT flags_pk PRIMARY KEY (challenge_id, number);
ALTER TABLE ONLY public.journal
    ADD CONSTRAINT journal_pk PRIMARY KEY (seq);
ALTER TABLE ONLY public.mail_tokens
    ADD CONSTRAINT mail_tokens_pk PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.meta
    ADD CONSTRAINT meta_pk PRIMARY KEY (key);
ALTER TABLE ONLY public.names
    ADD CONSTRAINT name_once PRIMARY KEY (name_key);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pk PRIMARY KEY (id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pk PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.solves
    ADD CONSTRAINT solve_once PRIMARY KEY (team_id, challenge_id);
ALTER TABLE ONLY public.wrong_flags
    ADD CONSTRAINT wrong_flags_pk PRIMARY KEY (id);
CREATE INDEX accounts_email ON public.accounts USING btree (email);
CREATE INDEX mail_tokens_account ON public.mail_tokens USING btree (account_id);
CREATE INDEX names_account ON public.names USING btree (account_id);
CREATE INDEX outbox_address ON public.outbox USING btree (address, created_at_ms);
CREATE INDEX outbox_next ON public.outbox USING btree (next_at_ms);
CREATE INDEX sessions_account ON public.sessions USING btree (account_id);
CREATE INDEX sessions_rev ON public.sessions USING btree (rev);
