-- A file of version 1, as the first Belay that had one wrote it. Never changed: files like it are out there.
BEGIN;
PRAGMA application_id = 1112293721;

CREATE TABLE tasks (
  id      TEXT    NOT NULL PRIMARY KEY,
  parent  TEXT    REFERENCES tasks (id),
  title   TEXT    NOT NULL,
  model   TEXT    NOT NULL,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  records INTEGER NOT NULL,
  turns   INTEGER NOT NULL,
  ending  TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tasks_by_parent ON tasks (parent, created, id) WHERE parent IS NOT NULL;
CREATE INDEX roots_by_changed ON tasks (changed, id) WHERE parent IS NULL;

CREATE TABLE records (
  task   TEXT    NOT NULL REFERENCES tasks (id),
  number INTEGER NOT NULL,
  time   INTEGER NOT NULL,
  kind   TEXT    NOT NULL,
  body   TEXT    NOT NULL,
  sum    INTEGER NOT NULL,
  PRIMARY KEY (task, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE outcomes (
  task   TEXT    NOT NULL REFERENCES tasks (id),
  number INTEGER NOT NULL,
  kind   TEXT    NOT NULL,
  model  TEXT    NOT NULL,
  tool   TEXT    NOT NULL,
  became TEXT    NOT NULL,
  time   INTEGER NOT NULL,
  PRIMARY KEY (task, number, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcomes_by_time ON outcomes (time);

PRAGMA user_version = 1;

INSERT INTO tasks VALUES ('a', NULL, 'old', 'm', 5, 7, 3, 0, '');
INSERT INTO records VALUES ('a', 1, 5, 'created', '{"v":1,"kind":"created","settings":{"model":"m","protocol":"native","output_tokens":8192,"output_tokens_at_most":65536,"plain_answer_ends":false,"todos_before_completion":false,"budget":{"turns":200,"tokens":50000000,"cost":100,"milliseconds":86400000,"children":32,"depth":4},"breakers":{"mistakes":5,"same_mistake":3,"mistakes_in_all":100,"repeats":3,"cycle":6,"nudges":3,"empty":3},"retry":{"attempts":6,"first_delay":1000,"max_delay":60000,"max_retry_after":600000,"too_long":2},"context":{"tokens":128000,"fold_at":0.8,"keep_turns":4}},"goal":[{"kind":"text","text":"old"}]}', 2356610520112649317);
INSERT INTO records VALUES ('a', 2, 6, 'said', '{"v":1,"kind":"said","blocks":[{"kind":"text","text":"go on"}]}', 854304332768792550);
INSERT INTO records VALUES ('a', 3, 7, 'outcome', '{"v":1,"kind":"outcome","call":"call_1","tool":"read_file","model":"m","kinds":["fence"],"verdict":"truncated","became":"mended"}', -7710438565318439959);
INSERT INTO outcomes VALUES ('a', 3, 'fence', 'm', 'read_file', 'mended', 7);
COMMIT;
PRAGMA journal_mode = WAL;
