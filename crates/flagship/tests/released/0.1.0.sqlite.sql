-- A database of Flagship 0.1.0 on SQLite, by sqlite3's .dump.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO _sqlx_migrations VALUES(1,'event','2026-11-21 16:04:24',1,X'8734df86a5a1835aa8e1682a85a2a2761af8e09c2dbbbe45d16a47b647f198252fa1c61c84a373cced72fc8e1fbedbdf',3437073);
CREATE TABLE meta (
    key   text   not null,
    value text   not null,
    constraint meta_pk primary key (key)
);
INSERT INTO meta VALUES('generation','c8a674fb53c1135d338a244a7bf80832');
INSERT INTO meta VALUES('secret_check','68fc41d7f6fd7e9f83323924a43a84d4353e03f628a356fa3501fc356c4c9b2d');
INSERT INTO meta VALUES('challenges_revision','232839041');
CREATE TABLE journal (
    seq   bigint not null,
    at_ms bigint not null,
    salt  text   not null,
    body  text   not null,
    hash  text   not null,
    constraint journal_pk primary key (seq)
);
INSERT INTO journal VALUES(1,1795277064180,'d66b0f406112c13c31d20587c1f30f04','{"type":"event","event":{"name":"Released CTF","start_ms":1700917200000,"end_ms":4099312800000,"freeze_ms":null,"reveal":"auto","timezone":"UTC","flag_format":"flag{...}","rules":"<h1>Rules</h1>"}}','2b25663f44f4921ad14bb41503a683b1959556de54eb176b009cf80c70b3b911');
INSERT INTO journal VALUES(2,1795277064180,'302ffad12392d649473c35d8c4e2cb55','{"type":"challenge","challenge":{"id":"one","name":"Challenge one","scoring":{"type":"dynamic","max":500,"min":50,"decay":15},"categories":["misc"],"description":"<p>What is it?</p>","attachments":[],"requirements":[],"position":null}}','b689dc929870e3316de6f7b4f1d921657e014d3afb7e43e582d9a1a31ea0c907');
INSERT INTO journal VALUES(3,1795277064180,'216d5030f4c72d2d9232a4b24333cede','{"type":"challenge","challenge":{"id":"two","name":"Challenge two","scoring":{"type":"dynamic","max":500,"min":50,"decay":15},"categories":["misc"],"description":"<p>What is it?</p>","attachments":[],"requirements":[],"position":null}}','038ebf37ac0348b0295a5494a909dbfd0027ad3c74183655f30380243f7c2512');
INSERT INTO journal VALUES(4,1795277064286,'293ea2ff0bcdc06f134c0145bccaf62d','{"type":"phase","phase":"start"}','275d260b8b7ead42f7af5e7673f19eff0ed929e4a9546adfb4097f441357dbfc');
INSERT INTO journal VALUES(5,1795277064465,'8832f6c918435d5e0e6abe2f6a13df4a','{"type":"team","team":3257174253741588391,"name":"Ants","country":"IT"}','5b265f7e77a1183e3b9b23924438ef7b6e54d7a3dec24baf3150245cbd22d521');
INSERT INTO journal VALUES(6,1795277064465,'000e3bbc623ddb005138ce421bdd8c32','{"type":"team","team":933393002058356889,"name":"Bees 🐝","country":"FR"}','8de7f9f0b2e6e7b259e52d32f4d227d58e5a26291ffb55c63d039fa1246f9b95');
INSERT INTO journal VALUES(7,1795277064465,'be8ee23b93a200e6a757a7133a23001d','{"type":"team","team":4427868618772722476,"name":"Cats","country":"UN"}','1f847402d1355763cab5459cad6f0ac9c03415f6f0ddf6dba2286104f4d49d0f');
INSERT INTO journal VALUES(8,1795277065003,'e1e70393348415622f6af6126b997d3d','{"type":"solve","team":933393002058356889,"challenge":"one"}','bbafca9830ffcbca5bde6033ee53181ee7d9134c6930db739afe64b6b22a421c');
INSERT INTO journal VALUES(9,1795277065027,'3becd569373177f246188f93cca2e5cd','{"type":"solve","team":3257174253741588391,"challenge":"one"}','bfe59f7e0e172bc14aad16484e62942c52d19195c24a0d761b4210153249a7df');
INSERT INTO journal VALUES(10,1795277065051,'260e77b33d7986a3e97d2391b803967a','{"type":"solve","team":3257174253741588391,"challenge":"two"}','15c49ed9d1cf4d824a66a6e079092b676e1e0c6e00b65991ed1596e4b06814f2');
INSERT INTO journal VALUES(11,1795277065069,'e3e06ed32362b7c618871380bd3c3b28','{"type":"solve","team":4427868618772722476,"challenge":"one"}','bdaed5653865ab6ba6f5e7af2cf78c92be6807d4c270993c2069001455120d8c');
INSERT INTO journal VALUES(12,1795277065129,'a78da23480e0fcc757da797f85b456fe','{"type":"award","team":3257174253741588391,"points":7,"reason":"bug found"}','5903a2bf9e50a036f2591528bb89fcd8a65bb06a7dfb46102a4f9658375ba157');
INSERT INTO journal VALUES(13,1795277065160,'e274e57d358d22076bb36975e7dc162e','{"type":"team_state","team":4427868618772722476,"banned":true,"hidden":false}','fbd45d0477fc7f5af6639499c9cc948592b107c85ebf759bce35a42cc0c5f67a');
CREATE TABLE solves (
    team_id      bigint not null,
    challenge_id text   not null,
    seq          bigint not null,
    constraint solve_once primary key (team_id, challenge_id)
);
INSERT INTO solves VALUES(933393002058356889,'one',8);
INSERT INTO solves VALUES(3257174253741588391,'one',9);
INSERT INTO solves VALUES(3257174253741588391,'two',10);
INSERT INTO solves VALUES(4427868618772722476,'one',11);
CREATE TABLE challenges (
    challenge_id  text    not null,
    definition    text    not null,
    hidden        boolean not null,
    released      boolean not null,
    release_at_ms bigint,
    constraint challenges_pk primary key (challenge_id)
);
INSERT INTO challenges VALUES('hidden','{"id":"hidden","name":"Challenge hidden","scoring":{"type":"dynamic","max":500,"min":50,"decay":15},"categories":["misc"],"description":"<p>What is it?</p>","attachments":[],"requirements":[],"position":null}',1,0,NULL);
INSERT INTO challenges VALUES('one','{"id":"one","name":"Challenge one","scoring":{"type":"dynamic","max":500,"min":50,"decay":15},"categories":["misc"],"description":"<p>What is it?</p>","attachments":[],"requirements":[],"position":null}',0,1,NULL);
INSERT INTO challenges VALUES('two','{"id":"two","name":"Challenge two","scoring":{"type":"dynamic","max":500,"min":50,"decay":15},"categories":["misc"],"description":"<p>What is it?</p>","attachments":[],"requirements":[],"position":null}',0,1,NULL);
CREATE TABLE flags (
    challenge_id     text    not null,
    number           bigint  not null,
    kind             text    not null,
    case_insensitive boolean not null,
    value            text    not null,
    constraint flags_pk primary key (challenge_id, number)
);
INSERT INTO flags VALUES('hidden',1,'exact',0,'9def04f6c279423a54e617a2857b2383c2f21ce9dbc65d1a52f21ffa70e902dd');
INSERT INTO flags VALUES('one',1,'exact',0,'71e307f67ddb5b398b519a3457b660f818a9ae854e5fbae52bb95950439929ea');
INSERT INTO flags VALUES('two',1,'exact',0,'e965ea76c842ea238770d822ae442c853834dd455ad7e2c29d06b3acbfc2839d');
CREATE TABLE accounts (
    id              bigint  not null,
    name            text    not null,
    email           text    not null,
    country         text    not null,
    password_hash   text,
    student         boolean not null,
    created_at_ms   bigint  not null,
    confirmed_at_ms bigint,
    constraint accounts_pk primary key (id)
);
INSERT INTO accounts VALUES(3257174253741588391,'Ants','ants@example.org','IT','$argon2id$v=19$m=19456,t=2,p=1$NKZI0Sbmbm6Aq7P3f3qw/w$IqakP/QkPQRu0ChlvM/ZK3CzgkqyQRQtFq/lBcvsX3s',1,1795277064465,1795277064465);
INSERT INTO accounts VALUES(933393002058356889,'Bees 🐝','bees@example.org','FR','$argon2id$v=19$m=19456,t=2,p=1$tq6ZiDZSVgtpACyVsotUbA$lD7pNVzAJiNnl27r8Xf7XSNka1f3E8pzdmbUNcx92i4',0,1795277064465,1795277064465);
INSERT INTO accounts VALUES(4427868618772722476,'Cats','cats@example.org','UN','$argon2id$v=19$m=19456,t=2,p=1$DgK+9SzH5wDmARXL/aBABg$mE+EuQ3BNuz6PbVMKFlLJ/FWwHunKPV6TjFuU+ff3A8',1,1795277064465,1795277064465);
INSERT INTO accounts VALUES(1869419318045560913,'Dogs','dogs@example.org','IT','$argon2id$v=19$m=19456,t=2,p=1$n8Q0BdKVDW15pE81pvWEBg$KjMglEfF0DbwT85dWCJ6y+bEMXbMVtjnYjZxq2YgVKA',0,1795277065217,NULL);
CREATE TABLE names (
    name_key   text   not null,
    account_id bigint not null,
    constraint name_once primary key (name_key)
);
INSERT INTO names VALUES('ants',3257174253741588391);
INSERT INTO names VALUES('bees 🐝',933393002058356889);
INSERT INTO names VALUES('cats',4427868618772722476);
INSERT INTO names VALUES('dogs',1869419318045560913);
CREATE TABLE sessions (
    token_hash    text    not null,
    account_id    bigint  not null,
    expires_at_ms bigint  not null,
    revoked       boolean not null,
    rev           bigint  not null,
    constraint sessions_pk primary key (token_hash)
);
INSERT INTO sessions VALUES('77a224963e07b309f9c648a04fa872780df331236de44b4f3e15cab69e0837ab',3257174253741588391,1795449864469,0,1);
INSERT INTO sessions VALUES('864eb346c6860286697b25290901fd2ea484668af6133dda6e65996541447144',933393002058356889,1795449864469,0,2);
INSERT INTO sessions VALUES('47379e8bfcefe7e2fb8fcd236e9e247725ec3a4df5d37cd05067cd00f47cb0df',4427868618772722476,1795449864469,1,4);
CREATE TABLE mail_tokens (
    token_hash    text   not null,
    account_id    bigint not null,
    purpose       text   not null,
    expires_at_ms bigint not null,
    used_at_ms    bigint,
    constraint mail_tokens_pk primary key (token_hash)
);
INSERT INTO mail_tokens VALUES('132bceffb86d0fe1fe8f19f929efc2ed05e3dec0abce507c0c1d13215461339e',1869419318045560913,'confirm',1795363465217,NULL);
CREATE TABLE outbox (
    id            bigint not null,
    address       text   not null,
    subject       text   not null,
    body          text   not null,
    created_at_ms bigint not null,
    next_at_ms    bigint,
    attempts      bigint not null,
    sent_at_ms    bigint,
    last_error    text,
    constraint outbox_pk primary key (id)
);
INSERT INTO outbox VALUES(2825234751051341844,'dogs@example.org','Confirm your team - Released CTF','',1795277065217,NULL,1,1795277065228,NULL);
CREATE TABLE wrong_flags (
    id           bigint not null,
    account_id   bigint not null,
    challenge_id text   not null,
    at_ms        bigint not null,
    digest       text   not null,
    constraint wrong_flags_pk primary key (id)
);
INSERT INTO wrong_flags VALUES(7040812813454789555,3257174253741588391,'two',1795277065091,'c67f2ae29a4c2dd5901ab8c1daead872ceac0370655357e3f703b89b44e05a6c');
INSERT INTO wrong_flags VALUES(8726686252151125783,933393002058356889,'two',1795277065104,'c67f2ae29a4c2dd5901ab8c1daead872ceac0370655357e3f703b89b44e05a6c');
CREATE TABLE used_captchas (
    signature     text   not null,
    expires_at_ms bigint not null,
    constraint captcha_once primary key (signature)
);
CREATE INDEX accounts_email on accounts (email);
CREATE INDEX names_account on names (account_id);
CREATE INDEX sessions_rev on sessions (rev);
CREATE INDEX sessions_account on sessions (account_id);
CREATE INDEX mail_tokens_account on mail_tokens (account_id);
CREATE INDEX outbox_next on outbox (next_at_ms);
CREATE INDEX outbox_address on outbox (address, created_at_ms);
COMMIT;
