find_package(SQLite3 QUIET)
belay_needs(SQLite libsqlite3-dev TARGET SQLite::SQLite3)
